import { join, resolve } from 'node:path';
import { asUnderstudyError, defined } from '@understudy/kit';
import { atEnd, concludeRun, type EntryResult, type Reporter, type RunResult } from '@understudy/verdict';
import { CallBudget, type CallLimits, describeCalls } from './call-budget.js';
import { skipReasonOf } from './entry.js';
import { scratchFolders } from './folders.js';
import { addToHistory } from './history.js';
import { headOf, Journal, type ReadJournal } from './journal.js';
import { lastCosts, RUN_FOLDER, rememberRun } from './last-run.js';
import type { Plan } from './plan.js';
import { findUnfinished, refuseOtherPlan } from './resume.js';
import { type RunOptions, runEntries } from './run-entries.js';
import { RunFolder } from './run-folder.js';

/** Where a run leaves its result, its logs and what failed. */
export interface StoreOptions {
  /** A folder that the user named, instead of one below `.understudy`. */
  output?: string | undefined;
  /** So that the run can be resumed when it was killed: the flags that decide a verdict, and whether this run resumes one. */
  journal?: { settings: Record<string, unknown>; resume: boolean };
}

export interface PlayRunOptions
  extends Omit<RunOptions, 'openFolder' | 'reporter' | 'budget' | 'onResult' | 'earlier'>,
    Pick<Partial<RunOptions>, 'openFolder'> {
  /** What may be spent on real models. */
  limits?: CallLimits;
  /** Without it, nothing is stored. */
  store?: StoreOptions;
  /** Receives what happens. It is made when the folder of the run is known. */
  reporter?(folder: string): Reporter;
  /** Adds to a concluded run what somebody else says about it. */
  analyze?(run: RunResult, budget: CallBudget): Promise<RunResult>;
  /** Called with what a person should know, and what is no part of the result. */
  onNote?(text: string): void;
  /** Asks whether calls of real models may begin; throws when they may not. */
  confirm?(signal: AbortSignal): Promise<void>;
}

/** Runs a plan, from its folder to its stored and reported result. Each step is a function below, or a module of its own. */
export async function playRun(plan: Plan, options: PlayRunOptions): Promise<RunResult> {
  const { entries, shard } = plan;
  const { analyze } = options;
  const budget = await announceCalls(plan, options);
  const { folder, journal, onResult, earlier } = openStore(plan, options);
  const reporter = options.reporter?.(folder?.path ?? '') ?? atEnd(() => {});
  const ran = await runEntries(entries, {
    ...options,
    run: { ...options.run, ...defined({ shard }) },
    // That a shard has nothing to do is no fault of it.
    passWithNoTests: options.passWithNoTests === true || shard !== undefined,
    openFolder: options.openFolder ?? scratchFolders(artifactsOf(options), folder),
    ...{ budget, reporter, earlier, ...defined({ onResult }) },
  });
  return endRun(ran, { ...options, reporter, folder, journal, analyze: analyze && ((run) => analyze(run, budget)) });
}

export interface EndRunOptions extends Pick<PlayRunOptions, 'onWarning' | 'onNote' | 'signal'> {
  reporter: Reporter;
  /** Where it is stored. */
  folder?: RunFolder | undefined;
  journal?: Journal | undefined;
  analyze?: ((run: RunResult) => Promise<RunResult>) | undefined;
}

/** The last steps of a run, wherever its entries were played: what follows from them, the stored result, the reports. */
export async function endRun(ran: RunResult, options: EndRunOptions): Promise<RunResult> {
  const { reporter, folder, journal, analyze, signal, onNote } = options;
  const concluded = concludeRun(ran);
  const run = (await analyze?.(concluded)) ?? concluded;
  if (folder !== undefined) await storeRun(run, folder, options);
  if (!signal.aborted) journal?.remove();
  else if (journal?.hasResults === true) onNote?.('interrupted: with --resume, the same command runs what is left');
  reporter.finish(run);
  return run;
}

/**
 * Stores a run, and remembers what failed for `--last-failed`. Half a run says nothing about what it did not reach. Where
 * nothing can be written, the run counts all the same.
 */
export async function storeRun(
  run: RunResult,
  folder: RunFolder,
  { signal, onWarning }: Pick<PlayRunOptions, 'signal' | 'onWarning'>,
): Promise<void> {
  if (signal.aborted) return folder.discard();
  try {
    await rememberRun(run);
    await addToHistory(run);
    await folder.store(run);
  } catch (error) {
    onWarning?.(asUnderstudyError(error, resolve(RUN_FOLDER)));
  }
}

interface Store {
  folder?: RunFolder;
  journal?: Journal;
  earlier?: RunOptions['earlier'];
  /** Keeps the result of an entry for a run that resumes this one. */
  onResult?: (place: number, result: EntryResult) => void;
}

/** The folder of the run and its journal: new ones, or those of a run that was killed. */
function openStore(plan: Plan, { run, store, onNote }: PlayRunOptions): Store {
  if (store === undefined) return {};
  const { output, journal: wanted } = store;
  if (wanted === undefined) return { folder: RunFolder.create(output) };
  const { understudy_version } = run;
  const head = headOf(plan.entries, { understudy_version, settings: wanted.settings });
  const resumed = wanted.resume ? findUnfinished(output) : undefined;
  if (resumed !== undefined) {
    refuseOtherPlan(resumed.journal.head, head);
    onNote?.(`resume: ${resumed.journal.finished.size} of ${plan.entries.length} had ended`);
  }
  const folder = resumed === undefined ? RunFolder.create(output) : RunFolder.reopen(resumed.folder, output);
  const journal = new Journal(folder.path, head, resumed?.journal);
  const onResult = (place: number, result: EntryResult) => addToJournal(folder, journal, place, result);
  return { folder, journal, earlier: resumed && earlierOf(resumed.journal), onResult };
}

function earlierOf(journal: ReadJournal): RunOptions['earlier'] {
  return { finished: journal.finished, startedAt: journal.head.started_at, elapsedMs: journal.elapsedMs };
}

/** Without it, the run cannot be resumed; its results count all the same. What cannot be written is reported at the end. */
function addToJournal(folder: RunFolder, journal: Journal, place: number, result: EntryResult): void {
  try {
    folder.prepare();
    journal.add(place, result);
  } catch {
    // The folder is full or not to be written to: `storeRun` warns.
  }
}

/** A run announces what it will do on real models: calls cost money. */
async function announceCalls(
  { entries }: Plan,
  { players, limits, runs, onNote, confirm, signal }: PlayRunOptions,
): Promise<CallBudget> {
  const budget = new CallBudget(limits);
  const live = entries.filter(({ stage, broken }) => stage === 'live' && broken === undefined);
  const skipped = await Promise.all(live.map((entry) => skipReasonOf(entry, players)));
  const played = live.filter((_, index) => skipped[index] === undefined);
  const text = describeCalls(played, budget.limits, runs, played.length === 0 ? new Map() : lastCosts());
  if (text === undefined) return budget;
  onNote?.(text);
  await confirm?.(signal);
  return budget;
}

/** Where what is left of failed entries is kept. */
function artifactsOf({ store }: PlayRunOptions): string {
  return join(store?.output ?? RUN_FOLDER, 'artifacts');
}
