import type { RunResult } from '../results/run-result.js';
import { visibleJson } from '../terminal/visible.js';

/** The result document itself. */
export function writeJson(run: RunResult): string {
  return `${visibleJson(run)}\n`;
}
