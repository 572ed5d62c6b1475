import { field } from '@understudy/kit';
import { leftoversIn, pick } from '@understudy/stage';
import * as z from 'zod/mini';
import { defineCheck, givenAt, words } from './define-check.js';
import type { Observed } from './observed.js';
import { type CheckResult, statusOf } from './result.js';

/** Which processes the agent left running when it ended: none, or one for each of these words of a command line. */
export function checkLeftovers({ all }: Observed, expected: 'none' | readonly string[]): CheckResult {
  const ended = pick(all, 'process_ended');
  const left = leftoversIn(all);
  const wanted = expected === 'none' ? [] : expected;
  const missing = wanted.filter((words) => left?.some((command) => command.includes(words)) !== true);
  const passed = expected === 'none' ? left?.length === 0 : missing.length === 0;
  return {
    name: 'leftovers',
    category: 'processes',
    subject: { kind: 'processes' },
    status: left === undefined ? 'unjudged' : statusOf(passed),
    expected: expected === 'none' ? 'no process is left running' : `${wanted.join(', ')} is left running`,
    actual:
      left === undefined
        ? notKnown(ended.find(({ killedBy }) => killedBy !== undefined)?.killedBy)
        : left.length === 0
          ? 'none is left'
          : left.join('; '),
    evidence: [...(left ?? [])],
    ...(passed || expected !== 'none' || left === undefined
      ? {}
      : { suggestion: 'End what hooks, servers and tools start, for example in a SessionEnd hook.' }),
  };
}

function notKnown(killedBy: string | undefined): string {
  if (killedBy !== undefined) return `not known: the agent had to be killed (${killedBy})`;
  return 'not known: this agent has no process of its own';
}

export const leftovers = defineCheck({
  fields: {
    leftovers: field(
      'Processes that the agent leaves running: "none", or a word of the command line of each.',
      z.union([z.literal('none'), words]),
    ),
  },
  scopes: ['end'],
  judge: (seen, { leftovers }, place) =>
    givenAt(place)(['leftovers'], leftovers, (wanted) => [checkLeftovers(seen, wanted)]),
});
