import { cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isatty } from 'node:tty';
import { createScratch, defined, openBrowser, paint, UnderstudyError, writeWhole } from '@understudy/kit';
import {
  addToHistory,
  latestRun,
  RESULT_FILE,
  RunFolder,
  readRun,
  rememberRun,
  type StoredRun,
} from '@understudy/runner';
import { readQueuedRun, writeLogs } from '@understudy/suites';
import { concludeRun, htmlPieces, mergeRuns, type RunResult, writeComment } from '@understudy/verdict';
import { withQueue } from './open-queue.js';
import { print } from './output.js';
import { type OpenReporter, openReporter, PAGE_FILE, type ReporterFlags, writesDocument } from './run-flags.js';

interface QueuedRun {
  queue?: string;
  run?: string;
}

export interface ShowOptions extends ReporterFlags, QueuedRun {}

export interface CommentOptions extends QueuedRun {
  base?: string;
}

/** Shows a stored run again, with any reporters. */
export function showReport(path: string | undefined, options: ShowOptions): Promise<number> {
  return withRun(path, options, async ({ run, folder }) => {
    const code = await replay(run, folder, await openReporter(options, { page: false }));
    // What failed then is no failure of showing it; a report that could not be written is.
    return code === run.exit_code ? 0 : code;
  });
}

/** Prints a stored run as a comment for a pull request. */
export function printComment(path: string | undefined, { base, ...options }: CommentOptions): Promise<number> {
  return withRun(path, options, async ({ run }) => {
    print(writeComment(run, base === undefined ? undefined : readRun(base).run).trimEnd());
    return 0;
  });
}

/** A run in its folder, or in a queue. */
async function withRun(
  path: string | undefined,
  { queue, run: id, output }: QueuedRun & Pick<ShowOptions, 'output'>,
  show: (stored: StoredRun) => Promise<number>,
): Promise<number> {
  if (queue === undefined && id === undefined) return show(stored(path));
  if (queue === undefined || id === undefined || path !== undefined) {
    throw new UnderstudyError('BAD_FLAG', 'a run in a queue is named by --queue and --run together', {
      fix: 'Write --queue URL --run ID, without a folder.',
    });
  }
  const scratch = createScratch('report');
  try {
    const folder = output ?? scratch.path;
    const run = await withQueue(queue, async (database) => {
      const found = concludeRun(await readQueuedRun(database, id));
      await writeLogs(database, id, found.entries, folder);
      return found;
    });
    if (output !== undefined) await RunFolder.reopen(folder, folder).store(run);
    return await show({ run, folder });
  } finally {
    await scratch.remove();
  }
}

/** Makes one result of the results of several shards. Its exit code is that of the whole run. */
export async function mergeReports(paths: readonly string[], options: ReporterFlags): Promise<number> {
  const found = paths.flatMap(resultsIn).map(readRun);
  // What does not belong together is refused before anything is written.
  mergeRuns(found.map(({ run }) => run));
  const target = RunFolder.create(options.output);
  const moved = found.map(({ run, folder }, index) => takeLogs(run, folder, target.path, `${index + 1}`));
  const run = concludeRun(mergeRuns(moved));
  await target.store(run);
  // The next shards are cut by how long these took.
  await rememberRun(run);
  await addToHistory(run);
  const code = await replay(run, target.path, await openReporter(options));
  if (!writesDocument(options)) print(paint.dim(`result: ${relative('.', join(target.path, RESULT_FILE))}`));
  return code;
}

/** A folder with a result, or one with such folders in it, as CI leaves them. */
function resultsIn(path: string): string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder || existsSync(join(path, RESULT_FILE))) return [path];
  const inner = readdirSync(path)
    .sort()
    .map((name) => join(path, name))
    .filter((folder) => existsSync(join(folder, RESULT_FILE)));
  return inner.length === 0 ? [path] : inner;
}

function takeLogs(run: RunResult, from: string, to: string, name: string): RunResult {
  if (existsSync(join(from, 'logs'))) cpSync(join(from, 'logs'), join(to, 'logs', name), { recursive: true });
  const entries = run.entries.map((entry) =>
    entry.logs === undefined ? entry : { ...entry, logs: join('logs', name, relative('logs', entry.logs)) },
  );
  return { ...run, entries };
}

function replay(run: RunResult, folder: string, { reporter: open, exitCode }: OpenReporter): Promise<number> {
  const reporter = open(folder);
  const { command, understudy_version, entries, isolation, config } = run;
  reporter.start({ command, understudy_version, entries, ...defined({ isolation, config }) });
  for (const entry of entries) reporter.end(entry, entry);
  reporter.finish(run);
  return exitCode(run);
}

/** Writes the page of a run and opens it in the browser of a person who sits at a terminal. */
export function openReport(path: string | undefined, { open }: { open: boolean }): number {
  const { run, folder } = stored(path);
  const page = resolve(folder, PAGE_FILE);
  writeWhole(page, htmlPieces(run, folder));
  print(relative('.', page));
  if (open && isatty(1)) openBrowser(page);
  return 0;
}

function stored(path: string | undefined): StoredRun {
  return path === undefined ? latestRun() : readRun(path);
}
