import { paint } from '@understudy/kit';
import { type EntryResult, type EntryStatus, isRed } from '../results/entry-result.js';
import { describeMatrix } from './describe-matrix.js';
import { describeEntry, describeFailedList, describeFailure, describePlayed, describeRun } from './describe-result.js';
import type { Reporter } from './reporter.js';

const DOTS: Record<EntryStatus, string> = {
  passed: paint.green('.'),
  failed: paint.red('F'),
  unjudged: paint.red('?'),
  flaky: paint.yellow('±'),
  expected_failure: paint.yellow('x'),
  skipped: paint.yellow('-'),
  error: paint.red('E'),
  interrupted: paint.red('-'),
};
const WIDTH = 80;

/** A character for each entry as it ends, then the failures in full and a summary. */
export function dotReporter(write: (text: string) => void): Reporter {
  const red: EntryResult[] = [];
  let column = 0;
  return {
    start(run) {
      for (const line of describePlayed(run)) write(`${line}\n`);
    },
    begin() {},
    step() {},
    end(_entry, result) {
      if (isRed(result) && result.status !== 'interrupted') red.push(result);
      write(DOTS[result.status]);
      column = (column + 1) % WIDTH;
      if (column === 0) write('\n');
    },
    finish(run) {
      if (column > 0) write('\n');
      for (const result of red) write(`\n${describeEntry(result)}\n${describeFailure(result, { rerun: false })}\n`);
      write(`\n${[...describeFailedList(run), ...describeMatrix(run), '', describeRun(run)].join('\n')}\n`);
    },
  };
}
