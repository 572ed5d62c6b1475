import { eventOfHook, isUnreported } from '@understudy/agents';
import type { ExpectedHook } from '@understudy/verdict';
import type { Rehearsal } from './load.js';
import { sendStepsOf } from './schema.js';

/** Whether it expects hooks that the CLI does not report, or the agent in which a hook ran. */
export function expectsUnreportedHooks(document: Rehearsal['document']): boolean {
  return (
    expectedHooks(document).some(({ agent }) => agent !== undefined) ||
    [...expectedHooks(document).map(({ event }) => event), ...orderedHooks(document)].some(isUnreported)
  );
}

export function expectedHooks(
  document: Rehearsal['document'],
): Pick<ExpectedHook, 'event' | 'on' | 'agent' | 'exit_code'>[] {
  return [document.start, ...sendStepsOf(document), document.end].flatMap((part) => part?.expect?.hooks ?? []);
}

/** The events of hooks that are to fire in an order: `PreToolUse:Bash` is one of PreToolUse. */
function orderedHooks(document: Rehearsal['document']): string[] {
  return sendStepsOf(document)
    .flatMap(({ expect }) => expect?.hook_order ?? [])
    .map(eventOfHook);
}

export function takesAnyPlugin(document: Rehearsal['document']): boolean {
  return [document.start, ...sendStepsOf(document)].some((part) => part?.expect?.plugins === 'any');
}

export function answersQuestions(document: Rehearsal['document']): boolean {
  return sendStepsOf(document).some(({ permissions, answers }) => (permissions ?? answers) !== undefined);
}
