import { visibleJson } from '@understudy/kit';
import type { RunResult } from '../results/run-result.js';

/** The result document itself. */
export function writeJson(run: RunResult): string {
  return `${visibleJson(run)}\n`;
}
