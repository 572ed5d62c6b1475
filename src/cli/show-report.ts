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

export interface ShowOptions extends ReporterFlags {
  format?: 'comment';
  base?: string;
  queue?: string;
  run?: string;
}

/** Shows a stored run again, with any reporters, or as a comment for a pull request. */
export async function showReport(path: string | undefined, options: ShowOptions): Promise<number> {
  if (options.base !== undefined && options.format !== 'comment') {
    throw new UnderstudyError('BAD_FLAG', '--base is for a comment', {
      fix: 'Add --format comment, or use report diff.',
    });
  }
  if (options.queue !== undefined || options.run !== undefined) return showQueuedReport(path, options);
  return showStored(stored(path), options);
}

async function showQueuedReport(path: string | undefined, options: ShowOptions): Promise<number> {
  const { queue, run: id } = options;
  if (queue === undefined || id === undefined || path !== undefined) {
    throw new UnderstudyError('BAD_FLAG', 'a run in a queue is named by --queue and --run together', {
      fix: 'Write report show --queue URL --run ID, without a folder.',
    });
  }
  const scratch = createScratch('report');
  try {
    const folder = options.output ?? scratch.path;
    const run = await withQueue(queue, async (database) => {
      const found = concludeRun(await readQueuedRun(database, id));
      await writeLogs(database, id, found.entries, folder);
      return found;
    });
    if (options.output !== undefined) await RunFolder.reopen(folder, folder).store(run);
    return await showStored({ run, folder }, options);
  } finally {
    await scratch.remove();
  }
}

async function showStored({ run, folder }: StoredRun, options: ShowOptions): Promise<number> {
  if (options.format === 'comment') {
    print(writeComment(run, options.base === undefined ? undefined : readRun(options.base).run).trimEnd());
    return 0;
  }
  const code = await replay(run, folder, await openReporter(options, { page: false }));
  // What failed then is no failure of showing it; a report that could not be written is.
  return code === run.exit_code ? 0 : code;
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
  const { command, understudy_version, entries, isolation } = run;
  reporter.start({ command, understudy_version, entries, ...defined({ isolation }) });
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
