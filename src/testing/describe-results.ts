import { visible } from '@understudy/kit';
import { describeTurn } from '@understudy/runner';
import type { Turn } from '@understudy/stage';
import type { CheckResult } from '@understudy/verdict';

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
