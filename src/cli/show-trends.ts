import { cut, paint, UnderstudyError } from '@understudy/kit';
import { RUN_FOLDER, readHistory } from '@understudy/runner';
import { readQueueHistory } from '@understudy/suites';
import { type PastRun, seconds, trendsOf } from '@understudy/verdict';
import { withQueue } from './open-queue.js';
import { print, printJson } from './output.js';

const MARKS: Record<string, string> = {
  passed: '✓',
  flaky: '±',
  expected_failure: 'x',
  failed: '✗',
  unjudged: '?',
  error: '!',
  skipped: '–',
};

/** Shows the trends of the last runs in this folder. */
export async function showTrends({
  last,
  queue,
  json,
}: {
  last: number;
  queue?: string;
  json?: true;
}): Promise<number> {
  const runs =
    queue === undefined
      ? readHistory().slice(-last)
      : await withQueue(queue, (database) => readQueueHistory(database, last));
  if (runs.length === 0) {
    throw new UnderstudyError(
      'NO_RUN_YET',
      `there is no history in ${queue === undefined ? RUN_FOLDER : 'the queue'}`,
      {
        fix: 'Run `understudy run` first.',
      },
    );
  }
  const { changing, slowing } = trendsOf(runs);
  if (json === true) {
    printJson({ runs: runs.map(({ tests: _, ...run }) => run), changing, slowing });
    return 0;
  }
  for (const run of runs) print(describe(run));
  if (changing.length > 0) print(paint.yellow(`\nchanged their verdict: ${changing.length}`));
  for (const { test, statuses } of changing) {
    print(`  ${statuses.map((status) => MARKS[status ?? ''] ?? '·').join('')} ${cut(test, 200)}`);
  }
  if (slowing.length > 0) print(paint.yellow(`\nget slower: ${slowing.length}`));
  for (const { test, was, is } of slowing) print(`  ${seconds(was)} → ${seconds(is)} ${cut(test, 200)}`);
  return 0;
}

function describe({ at, command, exit_code: code, duration_ms: duration, total, passed, tokens }: PastRun): string {
  const mark = code === 0 ? paint.green('✓') : paint.red('✗');
  const time = at.replace('T', ' ').replace(/\.\d+Z$/, '');
  const used = tokens === undefined ? '' : `, ${tokens} tokens`;
  return `${mark} ${time} ${command.padEnd(3)} ${passed} of ${total} ${paint.dim(`${seconds(duration)}${used}`)}`;
}
