import { type CheckResult, hasPassed } from '../checks/result.js';
import { describeTurn } from '../rehearsal/describe-turn.js';
import { visible } from '../terminal/visible.js';
import type { Received } from './observe.js';

const EVIDENCE_LINES = 8;
const TURN_LINES = 25;
/** The turn itself, and the one before it. */
const TURNS = 2;

/** Why a matcher failed: what was expected, what was seen, and the conversation around it. */
export function describeMismatch(results: readonly CheckResult[], received: Received, isNot: boolean): string {
  // With `not`, all of them held; otherwise those that did not are of interest.
  const told = isNot ? results : results.filter((result) => !hasPassed(result));
  return `${describeResults(told, isNot)}\n\n${describeTurns(received.turns)}`;
}

/** Results of checks as text: expected, seen, evidence, way out. */
export function describeResults(results: readonly CheckResult[], isNot = false): string {
  return results
    .map(({ name, status, expected, actual, evidence, suggestion }) =>
      [
        status === 'unjudged' ? `${name} (could not be judged)` : name,
        `  expected  ${isNot ? 'not: ' : ''}${expected}`,
        `  seen      ${actual}`,
        ...firstLines(evidence.join('\n'), EVIDENCE_LINES).map((line) => `  | ${line}`),
        ...(suggestion === undefined || isNot ? [] : [`  fix       ${suggestion}`]),
      ].join('\n'),
    )
    .map(visible)
    .join('\n\n');
}

/** The last turns, as they went. */
export function describeTurns(turns: Received['turns']): string {
  return turns
    .slice(-TURNS)
    .map((turn) =>
      [`turn ${turn.number}`, ...firstLines(describeTurn(turn), TURN_LINES).map((line) => `  ${line}`)].join('\n'),
    )
    .map(visible)
    .join('\n');
}

function firstLines(text: string, count: number): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  return lines.length <= count ? lines : [...lines.slice(0, count), `… ${lines.length - count} more lines`];
}
