import { visible } from '@understudy/kit';
import { describeTurn } from '@understudy/runner';
import type { Turn } from '@understudy/stage';

const TURN_LINES = 25;
/** The turn itself, and the one before it. */
const TURNS = 2;

/** The last turns, as they went. */
export function describeTurns(turns: readonly Turn[]): string {
  return turns
    .slice(-TURNS)
    .map((turn) => [`turn ${turn.number}`, ...linesOf(turn).map((line) => `  ${line}`)].join('\n'))
    .map(visible)
    .join('\n');
}

function linesOf(turn: Turn): string[] {
  const lines = describeTurn(turn).split('\n');
  return lines.length <= TURN_LINES
    ? lines
    : [...lines.slice(0, TURN_LINES), `… ${lines.length - TURN_LINES} more lines`];
}
