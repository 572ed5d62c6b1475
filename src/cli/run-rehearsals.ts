import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Stage } from '@understudy/agents';
import { defined, paint, UnderstudyError } from '@understudy/kit';
import {
  compileFilter,
  describeReproduction,
  type Entry,
  type EntryDefaults,
  type EntryOptions,
  isRepro,
  type OpenedRepro,
  type Plan,
  type PlanOptions,
  type Playable,
  planRun,
  playRun,
  rowAt,
  type Target,
  untilInterrupted,
} from '@understudy/runner';
import { placeText } from '@understudy/verdict';
import { openSuites, type PlayableAt, playableAt } from '../public/run-paths.js';
import { touchedTests } from './changed-tests.js';
import { chosenIsolation } from './chosen-isolation.js';
import { refuseIdleFlags } from './idle-flags.js';
import { EXIT_HARNESS_ERROR } from './main.js';
import { errorToJson, print, printError, printJson, printNote } from './output.js';
import { openReporter, planOptions, playOptions, type RunFlags } from './run-flags.js';
import { version } from './version.js';
import { watchRuns } from './watch-runs.js';
import { watchedAt } from './watched-at.js';

export interface RehearsalFlags extends RunFlags {
  stage?: Stage;
  agent?: string[];
  model?: string[];
  /** The names that were given, and the rows of the matrix that are played. */
  target?: string[];
  targets?: readonly Target[];
  /** Milliseconds for each step. */
  timeout?: number;
  update?: true;
  record?: true;
  speed?: number;
  fromTurn?: number;
  list?: true;
  /** Only what a change can touch: since this commit, or what is not committed. */
  changed?: string | true;
  resume?: true;
  /** The paths, with their lines. */
  places?: readonly { file: string; line?: number }[];
  /** For rehearsals that do not say it themselves. */
  defaults?: EntryDefaults;
  /** The modules of the user's suites. */
  suites?: string[] | undefined;
}

/** Runs rehearsals and gives the exit code; with `--watch`, until it is interrupted. */
export async function runRehearsals(paths: readonly string[], options: RehearsalFlags): Promise<number> {
  refuseWithRepro(paths, options);
  if (options.list) return listRehearsals(paths, options);
  if (options.watch !== true) {
    // Before anybody listens for signals: a large file takes long to load, and until then there is nothing to clear up.
    const found = placedAt(paths, options);
    return untilInterrupted(async (signal) =>
      runOnce(found, options, signal, await touchedTests(paths, found, options.changed)),
    );
  }
  return untilInterrupted(async (signal) => {
    const folders = paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
    return watchRuns(options, signal, {
      watched: () => watchedAt(paths, folders, openSuites(options.suites)),
      run: async (files, flags) => runOnce(playableOf(files, flags), flags, signal),
    });
  });
}

/** A test that belongs to none of the targets is not played: that is said, unless some of them were chosen. */
function placedAt(paths: readonly string[], options: RehearsalFlags): PlayableAt {
  const found = playableOf(paths, options);
  if (options.targets === undefined) return found;
  const placed = new Set(found.entries.map(({ file }) => file));
  const files = new Set(found.rehearsals.map(({ file }) => file));
  const left = [...files].filter((file) => !placed.has(file));
  if (found.entries.length === 0) {
    throw new UnderstudyError(
      'NOTHING_TO_RUN',
      `no test belongs to ${options.targets.map(({ name }) => name).join(', ')}`,
      {
        fix: 'Look at the agents and tags of the targets in understudy.toml, and at those of the tests.',
      },
    );
  }
  if (left.length > 0 && options.target === undefined) {
    const more = left.length > SHOWN ? ` and ${left.length - SHOWN} more` : '';
    printNote(`in no target, so not played: ${left.slice(0, SHOWN).join(', ')}${more}`);
  }
  return found;
}

const SHOWN = 5;

export function playableOf(paths: readonly string[], flags: RehearsalFlags): PlayableAt {
  return playableAt(paths, entryOptions(flags), openSuites(flags.suites));
}

export function entryOptions(flags: RehearsalFlags): EntryOptions {
  const {
    agent,
    stage,
    model,
    targets,
    timeout: timeoutMs,
    update,
    isolation,
    record,
    speed,
    fromTurn,
    defaults,
  } = flags;
  return {
    ...{ agents: agent, stage, models: model, targets, timeoutMs, isolation, updateSnapshots: update, defaults },
    cassettes: { record, speed, fromTurn },
  };
}

/** What would be run, and where; what cannot be loaded is reported. */
async function listRehearsals(paths: readonly string[], options: RehearsalFlags): Promise<number> {
  const found = placedAt(paths, options);
  const touched = await touchedTests(paths, found, options.changed);
  const { entries: plan } = planOf(found.entries, options, touched);
  const playable = plan.filter(({ broken }) => broken === undefined);
  const code = playable.length < plan.length ? EXIT_HARNESS_ERROR : 0;
  if (options.json === true) {
    printJson(
      plan.map(({ id, name, file, tags, agent, stage, model, target, broken }) => ({
        ...{ id, name, file, tags, agent, stage },
        ...defined({ model, target }),
        ...(broken === undefined ? {} : { error: errorToJson(broken) }),
      })),
    );
    return code;
  }
  for (const { name, file, tags, ...place } of playable) {
    const marks = tags.map((tag) => ` @${tag.replace(/^@/, '')}`).join('');
    print(`${name} ${paint.dim(`${placeText(place)} ${file}${marks}`)}`);
  }
  print(`\n${playable.length} to run`);
  for (const { broken } of plan) if (broken !== undefined) printError(broken);
  return code;
}

/** A filter may leave out a broken file because its name and its tags cannot be read: that is reported. */
export function planOf(all: readonly Entry[], options: RehearsalFlags, touched?: PlanOptions['touched']): Plan {
  const entries = all.filter(isAtLine(options.places ?? []));
  const isChosen = compileFilter(options.grep);
  const left = entries.filter((entry) => entry.broken !== undefined && !isChosen(entry));
  if (left.length > 0) {
    printNote(`left out by --grep, though it cannot be loaded: ${left.map(({ file }) => file).join(', ')}`);
  }
  const plan = planRun(entries, { ...planOptions(options), touched });
  refuseIdleFlags(plan.entries, options);
  return plan;
}

/** The row of a rehearsal that was named with the line of that row. Two lines mean both rows. */
function isAtLine(places: NonNullable<RehearsalFlags['places']>): (entry: Entry) => boolean {
  const rows = new Map<string, (string | undefined)[]>();
  for (const { file, line } of places) {
    const path = resolve(file);
    rows.set(path, [...(rows.get(path) ?? []), line === undefined ? undefined : rowAt(file, line)]);
  }
  return ({ file = '', options }) => {
    const wanted = rows.get(resolve(file));
    return wanted === undefined || wanted.includes(undefined) || wanted.includes((options as { row?: string }).row);
  };
}

async function runOnce(
  { entries, players, repros = [] }: Playable & { repros?: readonly OpenedRepro[] },
  options: RehearsalFlags,
  signal: AbortSignal,
  touched?: PlanOptions['touched'],
): Promise<number> {
  const plan = planOf(entries, options, touched);
  await chosenIsolation(options.isolation);
  const { reporter, exitCode } = await openReporter(options);
  const run = await playRun(plan, {
    ...playOptions(options),
    // A change that touches no test is no fault.
    ...(touched === undefined ? {} : { passWithNoTests: true }),
    run: {
      ...{ command: 'run', understudy_version: version },
      ...defined({ strict: options.strict, config: options.configFile }),
    },
    store: { output: options.output, journal: { settings: settingsOf(options), resume: options.resume === true } },
    ...{ players, reporter, signal },
  });
  for (const repro of repros) {
    const text = describeReproduction(repro, run);
    if (text !== undefined) printNote(text);
  }
  return exitCode(run);
}

/** Flags that would write into what an exported test was unpacked to, or that look at files of this project. */
const NOT_WITH_REPRO = ['update', 'record', 'watch', 'changed', 'queue'] as const;

/** An exported test is played as it is. */
export function refuseWithRepro(paths: readonly string[], options: RehearsalFlags & { queue?: string }): void {
  const flag = NOT_WITH_REPRO.find((name) => options[name] !== undefined);
  if (flag === undefined || !paths.some(isRepro)) return;
  throw new UnderstudyError('BAD_FLAG', `--${flag} does not work with a test that was exported`, {
    fix: `Run it once without --${flag}: it is unpacked below .understudy/repro. Then run the rehearsal there.`,
  });
}

/** The flags that decide a verdict. */
function settingsOf({ maxFailures, maxCalls, maxCost, shard, timeout, ...options }: RehearsalFlags) {
  const { repeat, threshold, retries, strict, isolation } = options;
  return {
    ...{
      repeat,
      threshold,
      retries,
      strict,
      isolation,
      timeout,
      'max-failures': maxFailures,
      'max-calls': maxCalls,
      'max-cost': maxCost,
    },
    shard: shard && `${shard.index}/${shard.count}`,
  };
}
