import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { asUnderstudyError, hasBrowser, openBrowser, ownCommand, paint, refuseLinks } from '@understudy/kit';
import {
  addToHistory,
  CallBudget,
  describeCalls,
  type Entry,
  lastDurations,
  lastFailed,
  type PlanOptions,
  RUN_FOLDER,
  type RunFolder,
  rememberRun,
  type ShardNumber,
} from '@understudy/runner';
import { registerOrchestrators } from '@understudy/suites';
import {
  createReporter,
  defaultReporters,
  htmlPieces,
  isRed,
  isRunByAgent,
  type Reporter,
  type ReporterChoice,
  type ReporterContext,
  type RunResult,
  sendTraces,
} from '@understudy/verdict';
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
  filter?: string;
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
  runs?: number;
  threshold?: number;
  passWithNoTests?: true;
  isolation?: string;
}

export function planOptions({ filter, repeat, shard, lastFailed: only, passWithNoTests }: RunFlags): PlanOptions {
  return {
    ...{ filter, repeat, shard, mayBeEmpty: passWithNoTests },
    only: only === true ? lastFailed() : undefined,
    durations: shard === undefined ? undefined : lastDurations(),
  };
}

/**
 * What the flags allow a run to spend on real models. What it will do is said before it does it: calls cost money.
 */
export async function callOptions(
  entries: readonly Entry[],
  { maxCalls, maxCost, runs, threshold }: RunFlags,
): Promise<{ budget: CallBudget; runs: number | undefined; threshold: number | undefined }> {
  const budget = new CallBudget({ maxCalls, maxCostUsd: maxCost });
  const live = entries.filter(({ stage, broken }) => stage === 'live' && broken === undefined);
  const skipped = await Promise.all(live.map((entry) => entry.skipReason()));
  const told = describeCalls(
    live.filter((_, index) => skipped[index] === undefined),
    budget.limits,
    runs,
  );
  if (told !== undefined) printNote(told);
  return { budget, runs, threshold };
}

/** Whether a run of nothing is a success. A shard may have nothing to do. */
export function mayBeEmpty({ passWithNoTests, shard }: RunFlags): boolean {
  return passWithNoTests === true || shard !== undefined;
}

/** What the flags ask for, and the exit code: a report that was asked for and not written is a fault of the harness. */
export interface OpenReporter {
  reporter: Reporter;
  /** Waits for what is still being sent. */
  exitCode(run: RunResult): Promise<number>;
}

export function openReporter(
  flags: ReporterFlags & Pick<RunFlags, 'watch'>,
  folder: string,
  { page: always = true } = {},
): OpenReporter {
  let missing = 0;
  const pending: Promise<void>[] = [];
  const page = join(flags.output ?? RUN_FOLDER, PAGE_FILE);
  const context: ReporterContext = {
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
        // Nobody asked for the page that every run writes, and `storeRun` tells of a folder that cannot be written to.
        if (isAboutFolder(error)) return;
      } else missing++;
      printWarning(asUnderstudyError(error, URL.canParse(file) ? file : relative('.', file)));
    },
  };
  const choices = withPage(chosen(flags, context), always);
  const tellPage =
    always && flags.quiet !== true && choices.some(({ name, file }) => isForPeople(name) && file === undefined);
  const reporter = createReporter(choices, context);
  return {
    reporter: {
      ...reporter,
      finish(run) {
        reporter.finish(run);
        // What passed needs no second look, and half a run has no page.
        if (tellPage && run.entries.some(isRed) && existsSync(page) && run.exit_code !== 130) {
          print(paint.dim(`report: ${page} (${ownCommand()} report opens it)`));
          if (showsPage(flags)) openBrowser(resolve(page));
        }
      },
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

/**
 * Stores a run, and remembers what failed for `--last-failed`. Half a run says nothing about what it did not reach. Where
 * nothing can be written, the run counts all the same.
 */
export async function storeRun(run: RunResult, folder: RunFolder, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return folder.discard();
  try {
    await rememberRun(run);
    await addToHistory(run);
    await folder.store(run);
  } catch (error) {
    printWarning(asUnderstudyError(error, resolve(RUN_FOLDER)));
  }
}
