import { UnderstudyError } from '@understudy/kit';

const NAME = /^\/?(?:([a-z0-9][\w-]*):)?([a-z0-9][\w-]*)$/i;

/** The parts of `/plan` or `agent-loop:plan`. Throws `COMMAND_INVALID`. */
export function parseCommandName(command: string): { namespace?: string | undefined; name: string } {
  const [, namespace, name] = NAME.exec(command) ?? [];
  if (name === undefined) {
    throw new UnderstudyError('COMMAND_INVALID', `${JSON.stringify(command)} is not the name of a command`, {
      fix: 'Give a name such as "/plan" or "/agent-loop:plan", without arguments.',
    });
  }
  return { namespace, name };
}
