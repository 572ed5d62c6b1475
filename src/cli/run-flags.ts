import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { asUnderstudyError, defined, hasBrowser, openBrowser, ownCommand, paint, refuseLinks } from '@understudy/kit';
import { lastDurations, lastFailed, type PlanOptions, RUN_FOLDER, type ShardNumber } from '@understudy/runner';
import { registerOrchestrators } from '@understudy/suites';
import {
  createReporter,
  defaultReporters,
  htmlPieces,
  isRed,
  isRunByAgent,
  loadOwnReporters,
  type Reporter,
  type ReporterChoice,
  type ReporterContext,
  type RunResult,
  sendTraces,
} from '@understudy/verdict';
import { confirmCalls } from './confirm-calls.js';
import { print, printNote, printWarning } from './output.js';

// Whoever shows a result may be given one of the orchestrator suite.
registerOrchestrators();

/** The page of the last run. */
export const PAGE_FILE = 'report.html';

/** The flags that say how a result is shown; `report` has them, too. */
export interface ReporterFlags {
  reporter?: ReporterChoice[];
  json?: true;
  verbose?: true;
  quiet?: true;
  output?: string;
  /** Show the page of a failed run to a person who sits at the terminal. */
  open?: boolean;
}

/** The flags that `run` and `e2e` share; `commands/run-options.ts` declares them. */
export interface RunFlags extends ReporterFlags {
  grep?: string;
  workers?: number;
  shard?: ShardNumber;
  repeat?: number;
  retries?: number;
  maxFailures?: number;
  strict?: true;
  lastFailed?: true;
  watch?: true;
  keepWorkspace?: true;
  maxCalls?: number;
  maxCost?: number;
  threshold?: number;
  yes?: true;
  passWithNoTests?: true;
  isolation?: string;
  /** The understudy.toml that was read. */
  configFile?: string;
}

export function planOptions({ grep: filter, repeat, shard, lastFailed: only, passWithNoTests }: RunFlags): PlanOptions {
  return {
    ...{ filter, repeat, shard, mayBeEmpty: passWithNoTests },
    only: only === true ? lastFailed() : undefined,
    durations: shard === undefined ? undefined : lastDurations(),
  };
}

/** How the flags want the entries of a run to be played. */
export function playOptions({
  workers,
  retries,
  repeat: runs,
  threshold,
  maxFailures,
  keepWorkspace,
  ...flags
}: RunFlags) {
  return {
    ...{ workers, retries, runs, threshold, maxFailures, keepWorkspace, passWithNoTests: flags.passWithNoTests },
    limits: { maxCalls: flags.maxCalls, maxCostUsd: flags.maxCost },
    ...{ onWarning: printWarning, onNote: printNote },
    ...defined({ confirm: confirmCalls(flags) }),
  };
}

/** What the flags ask for, and the exit code: a report that was asked for and not written is a fault of the harness. */
export interface OpenReporter {
  /** For a run whose logs are in this folder. */
  reporter(folder: string): Reporter;
  /** Waits for what is still being sent. */
  exitCode(run: RunResult): Promise<number>;
}

export async function openReporter(
  given: ReporterFlags & Pick<RunFlags, 'watch'>,
  { page: always = true } = {},
): Promise<OpenReporter> {
  // A reporter of the user that cannot be loaded is an error before anything runs.
  const flags = { ...given, ...defined({ reporter: given.reporter && (await loadOwnReporters(given.reporter)) }) };
  let missing = 0;
  const pending: Promise<void>[] = [];
  const page = join(flags.output ?? RUN_FOLDER, PAGE_FILE);
  const contextIn = (folder: string): ReporterContext => ({
    ...{ output: process.stdout, environment: process.env, verbose: flags.verbose, quiet: flags.quiet },
    html: {
      write: (run) => htmlPieces(run, folder),
      file: page,
      prepare: () => (flags.output === undefined ? refuseLinks(RUN_FOLDER) : undefined),
    },
    sendTraces: (run, endpoint) => sendTraces(run, endpoint, { folder, environment: process.env }),
    onPending: (work) => pending.push(work),
    onUnwritten(file, error) {
      if (file === page) {
        // Nobody asked for the page that every run writes, and `storeRun` reports a folder that cannot be written to.
        if (isAboutFolder(error)) return;
      } else missing++;
      printWarning(asUnderstudyError(error, URL.canParse(file) ? file : relative('.', file)));
    },
  });
  return {
    reporter(folder) {
      const context = contextIn(folder);
      const choices = withPage(chosen(flags, context), always);
      const tellPage =
        always && flags.quiet !== true && choices.some(({ name, file }) => isForPeople(name) && file === undefined);
      const reporter = createReporter(choices, context);
      return {
        ...reporter,
        finish(run) {
          reporter.finish(run);
          // What passed needs no second look, and half a run has no page.
          if (tellPage && run.entries.some(isRed) && existsSync(page) && run.exit_code !== 130) {
            print(paint.dim(`report: ${page} (${ownCommand()} report opens it)`));
            if (showsPage(flags)) openBrowser(resolve(page));
          }
        },
      };
    },
    async exitCode({ exit_code: code }) {
      await Promise.all(pending);
      return missing > 0 && code === 0 ? 2 : code;
    },
  };
}

/** A page that opens again and again while somebody works would be in their way. */
function showsPage({ open, watch }: Pick<RunFlags, 'open' | 'watch'>): boolean {
  return open === true && watch !== true && !isRunByAgent(process.env) && hasBrowser(process.env);
}

function chosen({ json, reporter }: ReporterFlags, context: ReporterContext): readonly ReporterChoice[] {
  if (json === true) return [...(reporter ?? []), { name: 'json' }];
  return reporter ?? defaultReporters(context);
}

function isForPeople(name: ReporterChoice['name']): boolean {
  return name === 'list' || name === 'live' || name === 'dot';
}

function isAboutFolder(error: unknown): boolean {
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall !== undefined || code === 'OWN_FOLDER_IS_LINK';
}

/** Every run has its page. */
function withPage(choices: readonly ReporterChoice[], wanted: boolean): readonly ReporterChoice[] {
  if (!wanted || choices.some(({ name }) => name === 'html')) return choices;
  return [...choices, { name: 'html' }];
}

/** Whether the standard output is one document, with nothing else in it. */
export function writesDocument({ json, reporter = [] }: ReporterFlags): boolean {
  const documents = ['json', 'junit', 'ctrf', 'markdown'];
  return json === true || reporter.some(({ name, file }) => file === undefined && documents.includes(name));
}
