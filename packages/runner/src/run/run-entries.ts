import { availableParallelism } from 'node:os';
import { agentLocations, parseAgentSpec } from '@understudy/agents';
import {
  asUnderstudyError,
  defined,
  InvalidDocumentError,
  OutputBudget,
  RUN_OUTPUT_BYTES,
  redactAll,
  redactor,
  type UnderstudyError,
} from '@understudy/kit';
import { chooseIsolation, type IsolationState, requestedIsolation } from '@understudy/stage';
import {
  checksOf,
  combinedStatus,
  concludeEntry,
  type EntryResult,
  isolationOf,
  isRed,
  makeRun,
  packEntry,
  type Reporter,
  type RunHead,
  type RunResult,
  type RunStart,
} from '@understudy/verdict';
import type { CallBudget } from './call-budget.js';
import { baseOf, type Entry, mayVary, type Played, type Players, playerOf, skipReasonOf } from './entry.js';
import type { EntryFolder } from './folders.js';
import { rateOf, sumWithout } from './rate.js';

export interface RunOptions {
  /** What the run says of itself. */
  run: RunHead;
  players: Players;
  workers?: number | undefined;
  /** How often an entry that failed and may vary is tried again. */
  retries?: number | undefined;
  /** How often each entry is played on the live stage, and which share must pass where a model may miss it. */
  runs?: number | undefined;
  threshold?: number | undefined;
  /** What may be spent on real models. */
  budget?: CallBudget | undefined;
  /** A run of nothing is a success. */
  passWithNoTests?: boolean | undefined;
  /** Start no further entry after so many red ones. */
  maxFailures?: number | undefined;
  keepWorkspace?: boolean | undefined;
  openFolder(entry: Entry): EntryFolder;
  /** Called with what went wrong beside the entries: a folder that could not be kept or removed. */
  onWarning?(error: UnderstudyError): void;
  reporter: Reporter;
  /** Receives each result as it comes, by its place in the plan. What was interrupted has none. */
  onResult?(place: number, result: EntryResult): void;
  /** A run that was killed, which this one goes on with. */
  earlier?: EarlierRun | undefined;
  signal: AbortSignal;
}

export interface EarlierRun {
  /** What it had finished, by the places in the plan: shown, and not run again. */
  finished: ReadonlyMap<number, EntryResult>;
  startedAt: string;
  elapsedMs: number;
}

export const INTERRUPTED_REASON = 'the run was interrupted';

/** Runs the entries side by side, and gives their results in the order of the plan. */
export async function runEntries(entries: readonly Entry[], options: RunOptions): Promise<RunResult> {
  const started = performance.now();
  const {
    finished = new Map<number, EntryResult>(),
    startedAt = new Date().toISOString(),
    elapsedMs = 0,
  } = options.earlier ?? {};
  const results: (EntryResult | undefined)[] = entries.map((_, place) => finished.get(place));
  const { reporter, signal, players } = options;
  const output = new OutputBudget('run', RUN_OUTPUT_BYTES);
  const levels = await levelsOf(entries);
  const planned = entries.map((entry) => ({ isolation: levels.get(entry) }));
  const start: RunStart = { ...options.run, entries, versions: storedVersions(entries), ...isolationOf(planned) };
  /** How many entries of each file have not ended. */
  const left = new Map<string, number>();
  const countEntry = ({ file = '' }: Entry, by: number) => left.set(file, (left.get(file) ?? 0) + by).get(file);
  for (const entry of entries) countEntry(entry, 1);
  let red = 0;
  const mayStart = () => !signal.aborted && red < (options.maxFailures ?? Number.POSITIVE_INFINITY);
  /** One worker of those that share a queue. */
  const work = async (queue: Iterable<number>) => {
    for (const index of queue) {
      if (!mayStart()) return;
      const entry = entries[index];
      if (entry === undefined || results[index] !== undefined) continue;
      reporter.begin(entry);
      const result = concludeEntry(
        asExpected(entry, await runEntry(entry, { output, level: levels.get(entry) }, options)),
      );
      results[index] = result;
      if (isRed(result)) red++;
      if (result.status !== 'interrupted') options.onResult?.(index, result);
      reporter.end(entry, result);
      if (countEntry(entry, -1) === 0) players[entry.player]?.release?.(entry.file ?? '');
      if (result.status === 'passed') results[index] = packEntry(result);
    }
  };
  reporter.start(start);
  for (const [place, result] of finished) {
    const entry = entries[place];
    if (entry === undefined) continue;
    if (isRed(result)) red++;
    options.budget?.count(entry, result.usage);
    reporter.begin(entry);
    reporter.end(entry, result);
  }
  await Promise.all(queuesOf(entries, options).map(work));
  const all = entries.map((entry, index) => results[index] ?? notRun(entry, signal.aborted, options.maxFailures));
  return makeRun(options.run, all, {
    startedAt,
    durationMs: Math.round(elapsedMs + performance.now() - started),
    mayBeEmpty: options.passWithNoTests,
  });
}

/** What each worker does, in order. If nobody said how many there are, one more begins with what mostly waits. */
function queuesOf(entries: readonly Entry[], { budget, workers }: RunOptions): Iterable<number>[] {
  const all = [...entries.keys()];
  const wanted = budget?.oneByOne === true ? 1 : workers;
  const isBeside = (place: number) => wanted === undefined && entries[place]?.waits === true;
  const count = Math.max(1, Math.min(wanted ?? availableParallelism() + 1, all.length));
  // All workers take from the same two.
  const beside = all.filter(isBeside).values();
  const others = all.filter((place) => !isBeside(place)).values();
  return [beside, ...Array.from({ length: count }, () => inTurn(others, beside))];
}

function* inTurn(...queues: Iterable<number>[]): Generator<number, void> {
  for (const queue of queues) yield* queue;
}

/** What all plays of an entry have around them. */
interface Around {
  /** What all entries may write together. */
  output: OutputBudget;
  /** How far it is kept apart from this machine. */
  level: IsolationState | undefined;
}

/** What each entry gets of what it asks for. What is not there is an error of the entry itself. */
async function levelsOf(entries: readonly Entry[]): Promise<Map<Entry, IsolationState>> {
  const known = new Map<string | undefined, IsolationState | undefined>();
  const levels = new Map<Entry, IsolationState>();
  for (const entry of entries) {
    if (entry.isolation === undefined) continue;
    const { requested, reason } = entry.isolation;
    if (!known.has(requested)) known.set(requested, await chosenLevel(requested));
    const chosen = known.get(requested);
    if (chosen !== undefined) levels.set(entry, { ...chosen, ...defined({ reason: reason ?? chosen.reason }) });
  }
  return levels;
}

async function chosenLevel(asked: string | undefined): Promise<IsolationState | undefined> {
  try {
    const { level, reason } = await chooseIsolation(requestedIsolation(asked));
    return { level, ...defined({ reason }) };
  } catch {
    return undefined;
  }
}

/** The versions in the store: to ask another program for its own takes as long as a start. */
function storedVersions(entries: readonly Entry[]): Record<string, string> {
  const specs = new Set(entries.flatMap(({ agent, stage }) => (stage === 'sim' ? [] : agent.split('+'))));
  return Object.fromEntries(
    [...specs].flatMap((spec) => {
      const version = versionInStore(spec);
      return version === undefined ? [] : [[spec, version]];
    }),
  );
}

function versionInStore(spec: string): string | undefined {
  try {
    const { agent, version } = parseAgentSpec(spec);
    return version ?? agentLocations(agent)[0]?.version;
  } catch {
    // What is no agent is an error of its entry.
    return undefined;
  }
}

/** How many may pass at least where nothing else was asked for. */
const DEFAULT_THRESHOLD = 0.8;

/** Plays an entry; on the live stage as often as it was asked for. */
async function runEntry(entry: Entry, around: Around, options: RunOptions): Promise<EntryResult> {
  if (entry.stage !== 'live') return runTries(entry, around, options);
  const started = performance.now();
  const runs = options.runs ?? 1;
  const results: EntryResult[] = [];
  while (results.length < runs && !options.signal.aborted) {
    const result = await runTries(entry, around, options);
    results.push(result);
    // It could not be started, or not be judged: the next time is no better.
    if (!['passed', 'failed', 'flaky'].includes(result.status)) break;
  }
  return combineRuns(entry, results, options, Math.round(performance.now() - started));
}

/** An entry that is expected to fail: a failure is what should be, and a pass is red. */
function asExpected({ expectedFailure }: Entry, result: EntryResult): EntryResult {
  if (expectedFailure === undefined) return result;
  const { reason, passesNow } = expectedFailure;
  if (result.status === 'failed') return { ...result, status: 'expected_failure', reason };
  if (result.status !== 'passed' && result.status !== 'flaky') return result;
  return { ...result, status: 'failed', checks: [...result.checks, passesNow] };
}

/** One result of several runs. What is shown is the first run that decides it. */
function combineRuns(
  entry: Entry,
  results: readonly EntryResult[],
  { runs = 1, threshold = DEFAULT_THRESHOLD }: RunOptions,
  milliseconds: number,
): EntryResult {
  const good = results.filter(({ status }) => status === 'passed' || status === 'flaky');
  const undecided = results.find(({ status }) => status !== 'failed' && !good.some((one) => one.status === status));
  const needed = entry.mayMiss === true ? threshold : 1;
  const judged = good.length + results.filter(({ status }) => status === 'failed').length;
  const failed = judged > 0 && good.length / judged < needed;
  const first = undecided ?? (failed ? results.find(({ status }) => status === 'failed') : good[0]);
  const shown = first ?? results[0] ?? { ...baseOf(entry), status: 'interrupted' as const, reason: INTERRUPTED_REASON };
  if (judged === 0 || (runs === 1 && entry.mayMiss !== true)) return shown;
  const usages = results.flatMap(({ usage }) => usage ?? []);
  return {
    ...shown,
    attempts: results.reduce((total, { attempts }) => total + attempts, 0),
    duration_ms: milliseconds,
    rate: rateOf(good.length, judged, needed),
    ...(usages.length === 0 ? {} : { usage: sumUsage(usages) }),
    ...defined({ without: sumWithout(results.flatMap(({ without }) => without ?? [])) }),
  };
}

type Usage = NonNullable<EntryResult['usage']>;

/** What all of them used. The cost of all is known only if the cost of each is. */
function sumUsage(usages: readonly Usage[]): Usage {
  const sum = (of: 'calls' | 'input_tokens' | 'output_tokens' | 'cost_usd') =>
    usages.reduce((total, usage) => total + (usage[of] ?? 0), 0);
  const isReported = (of: 'input_tokens' | 'output_tokens') => usages.some((usage) => usage[of] !== undefined);
  const called = usages.filter(({ calls }) => calls > 0);
  const isPriced = called.length > 0 && called.every(({ cost_usd: cost }) => cost !== undefined);
  return {
    calls: sum('calls'),
    ...defined({
      input_tokens: isReported('input_tokens') ? sum('input_tokens') : undefined,
      output_tokens: isReported('output_tokens') ? sum('output_tokens') : undefined,
      cost_usd: isPriced ? sum('cost_usd') : undefined,
    }),
  };
}

async function runTries(entry: Entry, around: Around, options: RunOptions): Promise<EntryResult> {
  const started = performance.now();
  const base = baseOf(entry);
  // A script gives the same result every time.
  const tries =
    1 + (mayVary(entry) && entry.expectedFailure === undefined ? (entry.retries ?? options.retries ?? 0) : 0);
  let result: EntryResult = { ...base, status: 'interrupted', reason: INTERRUPTED_REASON };
  for (let attempt = 1; attempt <= tries && !options.signal.aborted; attempt++) {
    const attempted = await attemptOnce(entry, around, options);
    if (options.signal.aborted && attempted.status !== 'passed') break;
    const status = attempted.status === 'passed' && attempt > 1 ? 'flaky' : attempted.status;
    const attempts = attempted.status === 'skipped' ? 0 : attempt;
    result = { ...base, ...attempted, status, attempts, duration_ms: Math.round(performance.now() - started) };
    if (!isRed(result)) break;
  }
  return result;
}

type Attempt = Pick<EntryResult, 'status' | 'reason' | 'error' | 'artifacts' | 'logs' | 'isolation'> & Partial<Played>;

async function attemptOnce(entry: Entry, { output, level }: Around, options: RunOptions): Promise<Attempt> {
  let folder: EntryFolder | undefined;
  let attempt: Attempt;
  let started = false;
  try {
    if (entry.broken !== undefined) throw entry.broken;
    const reason = await skipReasonOf(entry, options.players);
    if (reason !== undefined) return { status: 'skipped', reason };
    const refusal = options.budget?.refusal(entry);
    if (refusal !== undefined) return { status: 'unjudged', reason: refusal };
    started = true;
    folder = options.openFolder(entry);
    const played = await playerOf(entry, options.players).play(entry, {
      folder: folder.path,
      signal: options.signal,
      output,
      onStep: (number, total, what) => options.reporter.step(entry, number, total, what),
    });
    attempt = { ...played, status: statusOfPlayed(played), ...defined({ isolation: level }) };
  } catch (error) {
    const described = describeError(error);
    // What is under test did this, and not the harness.
    const status = described.code === 'AGENT_OUT_OF_TURN' ? 'failed' : 'error';
    attempt = { status, error: described, ...(started ? defined({ isolation: level }) : {}) };
  }
  if (started) options.budget?.settle(entry, attempt.usage);
  // Before anything is concluded or quoted from it: half a secret is not recognized as one.
  attempt = redactAll(attempt, redactor(process.env));
  // What was interrupted is nobody's failure to look at.
  const keep = options.keepWorkspace === true || (attempt.status !== 'passed' && !options.signal.aborted);
  return folder === undefined ? attempt : leaveFolder(attempt, folder, keep, options);
}

/** Keeps or removes the folder of an entry. A result is not lost because that is not possible. */
async function leaveFolder(
  attempt: Attempt,
  folder: EntryFolder,
  keep: boolean,
  { onWarning = () => {}, signal }: RunOptions,
): Promise<Attempt> {
  let artifacts: string | undefined;
  let logs: string | undefined;
  try {
    if (!signal.aborted) logs = keepLogsIfPossible(folder, keep);
    if (keep) artifacts = await folder.keep();
  } catch (error) {
    onWarning(asUnderstudyError(error));
  }
  await folder.remove().catch((error: unknown) => onWarning(asUnderstudyError(error)));
  return { ...attempt, ...defined({ artifacts, logs }) };
}

/** Without them a report shows less. What cannot be written is reported when the run is stored. */
function keepLogsIfPossible(folder: EntryFolder, copies: boolean): string | undefined {
  try {
    return folder.keepLogs?.(copies);
  } catch {
    return undefined;
  }
}

/** An entry without a check has shown nothing. */
function statusOfPlayed(played: Played): EntryResult['status'] {
  const checks = checksOf(played);
  if (checks.length === 0) return 'unjudged';
  return played.steps.every((step) => step.reached) ? combinedStatus(checks) : 'failed';
}

function notRun(entry: Entry, interrupted: boolean, maxFailures: number | undefined): EntryResult {
  if (interrupted) return { ...baseOf(entry), status: 'interrupted', reason: INTERRUPTED_REASON };
  return { ...baseOf(entry), status: 'skipped', reason: `not run: --max-failures ${maxFailures} was reached` };
}

function describeError(error: unknown): NonNullable<EntryResult['error']> {
  const known = asUnderstudyError(error);
  const { code, message, fix } = known;
  const stack = code === 'INTERNAL' && error instanceof Error ? error.stack : undefined;
  const problems = known instanceof InvalidDocumentError ? [...known.problems] : undefined;
  return { code, message: stack ?? message, ...defined({ fix, problems }) };
}
