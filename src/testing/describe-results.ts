import type { CheckResult } from '../checks/result.js';
import type { Turn } from '../conversation/turn.js';
import { describeTurn } from '../rehearsal/describe-turn.js';
import { visible } from '../terminal/visible.js';

const EVIDENCE_LINES = 8;
const TURN_LINES = 25;
/** The turn itself, and the one before it. */
const TURNS = 2;

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
export function describeTurns(turns: readonly Turn[]): string {
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
