import { field, shortenLine } from '@understudy/kit';
import { asTextPattern, compileTextPattern, describePattern } from '@understudy/script';
import { ambiguousCommand, pick } from '@understudy/stage';
import * as z from 'zod/mini';
import { defineCheck, givenAt, saying, type Written } from './define-check.js';
import type { Observed } from './observed.js';
import { ifReported } from './reported.js';
import { type CheckResult, statusOf } from './result.js';
import { reviewPattern } from './review-expected.js';

const schema = z.strictObject({
  name: field('The command, with or without its plugin and slash.', z.string()),
  expands_to: field('A text that it must become, or a pattern.', saying),
});

/** Whether the CLI took the prompt for a command, and what text the model really got. */
export function checkCommandExpanded(seen: Observed, { name, expands_to }: Written<typeof schema>): CheckResult {
  const to = expands_to === undefined ? undefined : asTextPattern(expands_to);
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
        : `/${command.name} is ${command.status}${expansion === undefined ? '' : `: ${shortenLine(expansion.text)}`}`,
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

export const command = defineCheck({
  fields: { command: field('The slash command that the CLI recognized, and a text of its expansion.', schema) },
  scopes: ['step'],
  judge: (seen, { command }, place) =>
    givenAt(place)(['command'], command, (wanted) => [checkCommandExpanded(seen, wanted)]),
  review: ({ command }) => reviewPattern(command?.expands_to, 'command', 'expands_to'),
});
