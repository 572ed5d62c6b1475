import { visibleJson } from '../terminal/visible.js';
import type { Reporter } from './reporter.js';

/** The result document, once the run has ended. */
export function jsonReporter(write: (text: string) => void): Reporter {
  return {
    start() {},
    begin() {},
    step() {},
    end() {},
    finish: (run) => write(`${visibleJson(run)}\n`),
  };
}
