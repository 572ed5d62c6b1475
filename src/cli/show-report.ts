import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isatty } from 'node:tty';
import { concludeRun } from '../diagnosis/conclude.js';
import { failureSentence } from '../reporters/failure-summary.js';
import { writeHtml } from '../reporters/html/write-html.js';
import { writeWhole } from '../reporters/write-whole.js';
import { type ComparedEntry, compareRuns } from '../results/compare-runs.js';
import { seconds } from '../results/duration.js';
import type { EntryResult } from '../results/entry-result.js';
import { mergeRuns } from '../results/merge-runs.js';
import type { RunResult } from '../results/run-result.js';
import { latestRun, RESULT_FILE, RunFolder, readRun, type StoredRun } from '../runner/run-folder.js';
import { cut } from '../terminal/cut.js';
import { paint } from '../terminal/paint.js';
import { print, printJson } from './output.js';
import { type OpenReporter, openReporter, PAGE_FILE, type ReporterFlags, writesDocument } from './run-flags.js';

/** Shows a stored run again, with any reporters. */
export function showReport(path: string | undefined, options: ReporterFlags): number {
  const { run, folder } = stored(path);
  replay(run, openReporter(options, folder, { page: false }));
  return 0;
}

/** Makes one result of the results of several shards. Its exit code is that of the whole run. */
export function mergeReports(paths: readonly string[], options: ReporterFlags): number {
  const found = paths.flatMap(resultsIn).map(readRun);
  // What does not belong together is refused before anything is written.
  mergeRuns(found.map(({ run }) => run));
  const target = RunFolder.create(options.output);
  const moved = found.map(({ run, folder }, index) => takeLogs(run, folder, target.path, `${index + 1}`));
  const run = concludeRun(mergeRuns(moved));
  target.store(run);
  const code = replay(run, openReporter(options, target.path));
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

function replay(run: RunResult, { reporter, exitCode }: OpenReporter): number {
  const { command, understudy_version, entries } = run;
  reporter.start({ command, understudy_version, entries });
  for (const entry of entries) reporter.end(entry, entry);
  reporter.finish(run);
  return exitCode(run);
}

/** Writes the page of a run and opens it in the browser of a person who sits at a terminal. */
export function openReport(path: string | undefined, { open }: { open: boolean }): number {
  const { run, folder } = stored(path);
  const page = resolve(folder, PAGE_FILE);
  writeWhole(page, writeHtml(run, folder));
  print(relative('.', page));
  if (open && isatty(1)) startBrowser(page);
  return 0;
}

const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = { darwin: ['open'], win32: ['explorer.exe'] };

function startBrowser(page: string): void {
  const [program = 'xdg-open', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, page], { detached: true, stdio: 'ignore' });
  // Without a browser the path that was printed is enough.
  child.on('error', () => {});
  child.unref();
}

interface DiffOptions {
  last?: true;
  json?: true;
}

/** Holds a run against an earlier one: 1 when something fails that did not fail before. */
export function diffReports(
  before: string | undefined,
  after: string | undefined,
  { last, json }: DiffOptions,
): number {
  const one = last === true || before === undefined ? latestRun(1) : readRun(before);
  const other = after === undefined ? latestRun(0) : readRun(after);
  const difference = compareRuns(one.run, other.run);
  const { newlyFailing, stillFailing, fixed, slower, newAndFailing, added, removed } = difference;
  const code = newlyFailing.length + newAndFailing.length > 0 ? 1 : 0;
  if (json === true) {
    const names = (pairs: readonly ComparedEntry[]) => pairs.map(({ after: { id } }) => id);
    printJson({
      newly_failing: [...names(newlyFailing), ...newAndFailing.map(({ id }) => id)],
      still_failing: names(stillFailing),
      fixed: names(fixed),
      slower: slower.map(({ before: { id, duration_ms: was }, after: { duration_ms: is } }) => ({ id, was, is })),
      added: added.map(({ id }) => id),
      removed: removed.map(({ id }) => id),
    });
    return code;
  }
  const why = ({ after: entry }: Pick<ComparedEntry, 'after'>) => cut(failureSentence(entry), 300);
  section('newly failing', paint.red, [...newlyFailing, ...newAndFailing.map((entry) => ({ after: entry }))], why);
  section('still failing', paint.red, stillFailing, why);
  section('fixed', paint.green, fixed, () => '');
  section(
    'slower',
    paint.yellow,
    slower,
    ({ before: was, after: is }) => `${seconds(was.duration_ms)} → ${seconds(is.duration_ms)}`,
  );
  section(
    'new',
    paint.cyan,
    added.map((entry) => ({ after: entry })),
    () => '',
  );
  section(
    'gone',
    paint.yellow,
    removed.map((entry) => ({ after: entry })),
    () => '',
  );
  print(`${one.run.verdict} → ${other.run.verdict}`);
  return code;
}

function section<T extends { after: EntryResult }>(
  title: string,
  color: (text: string) => string,
  pairs: readonly T[],
  more: (pair: T) => string,
): void {
  if (pairs.length === 0) return;
  print(color(`${title}: ${pairs.length}`));
  for (const pair of pairs) print(`  ${pair.after.name} ${paint.dim(`${pair.after.agent} ${more(pair)}`.trim())}`);
  print();
}

function stored(path: string | undefined): StoredRun {
  return path === undefined ? latestRun() : readRun(path);
}
