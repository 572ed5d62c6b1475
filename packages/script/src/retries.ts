import type { ScenarioDocument } from './schema.js';
import { answersOf } from './walk.js';

/** A CLI repeats a request that failed up to ten times, for minutes. Once is enough to see that it does. */
export const USUAL_RETRIES = 1;
/** More than this, Claude Code does not do by itself. */
const MOST = 10;

/** How often Claude Code may repeat a failed request: once, or as often as the script must fail before it answers. */
export function retriesFor(document: ScenarioDocument): number {
  const { faults = [] } = document;
  if (faults.some(({ chance }) => chance !== undefined)) return MOST;
  const times = [...answersOf(document)].map(({ failure }) => failure?.times ?? 0);
  // Faults of several requests may follow each other.
  const inARow = faults.reduce((sum, { failure }) => sum + (failure.times ?? 1), Math.max(0, ...times));
  return Math.min(Math.max(USUAL_RETRIES, inARow), MOST);
}
