import { compileTextPattern, describePattern, type TextPattern } from '@understudy/script';
import { ambiguousCommand, pick } from '@understudy/stage';
import { type Observed, shorten } from './observed.js';
import { ifReported } from './reported.js';
import { type CheckResult, statusOf } from './result.js';

export interface ExpectedExpansion {
  /** The command, with or without its plugin and slash. */
  name?: string | undefined;
  /** What it must have become. */
  to?: TextPattern | undefined;
}

/** Whether the CLI took the prompt for a command, and what text the model really got. */
export function checkCommandExpanded(seen: Observed, { name, to }: ExpectedExpansion): CheckResult {
  const command = pick(seen.turn, 'command').at(-1);
  const expansion = pick(seen.turn, 'expansion').at(-1);
  const wanted = name?.replace(/^\//, '');
  const named =
    command !== undefined && (wanted === undefined || command.name === wanted || command.name.endsWith(`:${wanted}`));
  const expanded = named && command.status === 'expanded' && expansion !== undefined;
  const passed = expanded && (to === undefined || compileTextPattern(to).match(expansion.text.trim()) !== undefined);
  const known = pick(seen.all, 'session').flatMap(({ commands = [] }) => commands);
  const unclear = named && wanted !== undefined ? ambiguousCommand(known, wanted, command.name) : undefined;
  const result: CheckResult = {
    name: 'command expanded',
    category: 'commands',
    subject: { kind: 'command', ...(wanted === undefined ? {} : { name: `/${wanted}` }) },
    status: statusOf(passed),
    expected: `${wanted === undefined ? 'a command' : `/${wanted}`} expands${to === undefined ? '' : ` to ${describePattern(to)}`}`,
    actual:
      command === undefined
        ? 'the prompt was not taken for a command'
        : `/${command.name} is ${command.status}${expansion === undefined ? '' : `: ${shorten(expansion.text)}`}`,
    evidence: expansion === undefined ? [] : [expansion.text],
    ...(passed || command?.status !== 'unknown'
      ? {}
      : {
          suggestion: `Use a known command; near ones: ${(command.similar ?? []).map((near) => `/${near}`).join(', ') || 'none'}.`,
        }),
  };
  if (unclear === undefined) return ifReported(seen, 'commands', result);
  return {
    ...result,
    status: 'unjudged',
    actual: unclear,
    suggestion: `Write the name with its plugin: \`name = "${command?.name}"\`.`,
  };
}
