import { defined, field, shortenLine } from '@understudy/kit';
import { pick } from '@understudy/stage';
import * as z from 'zod/mini';
import { defineCheck, type Written } from './define-check.js';
import { agentText, type Observed } from './observed.js';
import { type CheckResult, statusOf } from './result.js';
import { contradiction } from './review-expected.js';

const fields = {
  outcome: field(
    'How the turn ended. By default it must be completed.',
    z.enum(['completed', 'failed', 'interrupted', 'timed_out', 'died']),
  ),
  reason: field('Why it ended so, such as blocked_by_hook.', z.string()),
};
const schema = z.strictObject(fields);
export type ExpectedOutcome = Written<typeof schema>;

/** How the turn ended, judged by its events. A turn without an end is no success of any kind. */
export function checkOutcome({ turn }: Observed, { outcome = 'completed', reason }: ExpectedOutcome): CheckResult {
  const ended = pick(turn, 'turn_ended').at(-1);
  const passed = ended?.outcome === outcome && (reason === undefined || ended.reason === reason);
  const actual = ended === undefined ? 'the turn never ended' : describe(ended.outcome, ended.reason);
  const unknown = pick(turn, 'command').find((command) => command.status === 'unknown');
  return {
    name: 'outcome',
    category: 'outcome',
    subject: { kind: 'turn', ...defined({ unknown_command: unknown?.typed }) },
    status: statusOf(passed),
    expected: describe(outcome, reason),
    actual,
    evidence: [ended?.message, shortenLine(agentText(turn))].filter(
      (text) => text !== undefined && text !== '',
    ) as string[],
    ...(passed ? {} : { suggestion: suggestion(unknown?.typed, unknown?.similar, ended?.message) }),
  };
}

function describe(outcome: string, reason: string | undefined): string {
  return reason === undefined ? outcome : `${outcome} (${reason})`;
}

function suggestion(
  unknown: string | undefined,
  similar: readonly string[] | undefined,
  message: string | undefined,
): string {
  if (unknown === undefined) return message ?? 'look at the events of this turn for the last thing that happened';
  const own = unknown.slice(unknown.lastIndexOf(':'));
  const ofOther = own === unknown ? [] : (similar ?? []).filter((name) => name.endsWith(own));
  if (ofOther.length > 0) {
    const names = ofOther.map((name) => `/${name}`).join(' or ');
    return `Type ${names}: before the colon stands the "name" of plugin.json, not the folder.`;
  }
  const near =
    similar === undefined || similar.length === 0
      ? ''
      : `; near it are ${similar.map((name) => `/${name}`).join(', ')}`;
  return `${unknown} is not a command of this agent${near}: is the plugin loaded, and is the file in commands/?`;
}

/** Always expected of a turn; of a call, whose failure a program may well handle, only where a test asks for it. */
export const outcome = defineCheck({
  fields,
  scopes: ['step', 'call'],
  eachTurn: true,
  judge: (seen, { outcome, reason }, place) =>
    outcome === undefined && reason === undefined ? [] : place(['outcome'], [checkOutcome(seen, { outcome, reason })]),
  review: ({ outcome = 'completed', reason }) => (reason !== undefined && outcome === 'completed' ? [COMPLETES] : []),
});

const COMPLETES = contradiction(
  '`reason` is why a turn did not complete, and it is expected to complete: add `outcome = "failed"`',
  'reason',
);
