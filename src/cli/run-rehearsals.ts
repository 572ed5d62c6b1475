import { statSync } from 'node:fs';
import type { Stage } from '@understudy/agents';
import { defined, isRehearsalFile, paint, refreshParts } from '@understudy/kit';
import {
  compileFilter,
  type Entry,
  type EntryDefaults,
  type EntryOptions,
  findRehearsals,
  loadRehearsals,
  type Plan,
  type Playable,
  partsOfRehearsal,
  planRun,
  playableRehearsals,
  playRun,
  untilInterrupted,
} from '@understudy/runner';
import { playableAt } from '../public/run-paths.js';
import { chosenIsolation } from './chosen-isolation.js';
import { refuseIdleFlags } from './idle-flags.js';
import { EXIT_HARNESS_ERROR } from './main.js';
import { errorToJson, print, printError, printJson, printNote } from './output.js';
import { openReporter, planOptions, playOptions, type RunFlags } from './run-flags.js';
import { version } from './version.js';
import { watchRuns } from './watch-runs.js';

export interface RehearsalFlags extends RunFlags {
  stage?: Stage;
  agent?: string[];
  update?: true;
  record?: true;
  speed?: number;
  fromTurn?: number;
  list?: true;
  resume?: true;
  /** For rehearsals that do not say it themselves. */
  defaults?: EntryDefaults;
}

/** Runs rehearsals and gives the exit code; with `--watch`, until it is interrupted. */
export async function runRehearsals(paths: readonly string[], options: RehearsalFlags): Promise<number> {
  if (options.list) return listRehearsals(paths, options);
  if (options.watch !== true) {
    // Before anybody listens for signals: a large file takes long to load, and until then there is nothing to clear up.
    const found = playableAt(paths, entryOptions(options));
    return untilInterrupted((signal) => runOnce(found, options, signal));
  }
  return untilInterrupted(async (signal) => {
    const folders = paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
    return watchRuns(options, signal, {
      watched: () => ({
        parts: new Map(findRehearsals(paths).map((file) => [file, partsOfRehearsal(file)])),
        folders,
        isNew: isRehearsalFile,
      }),
      async run(files, flags) {
        await refreshParts();
        return runOnce(playableIn(loadRehearsals(files), flags), flags, signal);
      },
    });
  });
}

export function playableIn(rehearsals: ReturnType<typeof loadRehearsals>, flags: RehearsalFlags): Playable {
  return playableRehearsals(rehearsals, entryOptions(flags));
}

function entryOptions(flags: RehearsalFlags): EntryOptions {
  const { agent, stage, update, isolation, record, speed, fromTurn, defaults } = flags;
  return {
    ...{ agents: agent, stage, isolation, updateSnapshots: update, defaults },
    cassettes: { record, speed, fromTurn },
  };
}

/** What would be run, and where; what cannot be loaded is told. */
async function listRehearsals(paths: readonly string[], options: RehearsalFlags): Promise<number> {
  const { entries } = playableAt(paths, entryOptions(options));
  const { entries: plan } = planOf(entries, options);
  const playable = plan.filter(({ broken }) => broken === undefined);
  const code = playable.length < plan.length ? EXIT_HARNESS_ERROR : 0;
  if (options.json === true) {
    printJson(
      plan.map(({ id, name, file, tags, agent, stage, broken }) => ({
        ...{ id, name, file, tags, agent, stage },
        ...(broken === undefined ? {} : { error: errorToJson(broken) }),
      })),
    );
    return code;
  }
  for (const { name, file, tags, agent, stage } of playable) {
    const marks = tags.map((tag) => ` @${tag.replace(/^@/, '')}`).join('');
    print(`${name} ${paint.dim(`${agent} ${stage} ${file}${marks}`)}`);
  }
  print(`\n${playable.length} to run`);
  for (const { broken } of plan) if (broken !== undefined) printError(broken);
  return code;
}

/** A filter may leave out a broken file because nobody can read its name and its tags: that is said. */
export function planOf(entries: readonly Entry[], options: RehearsalFlags): Plan {
  const isChosen = compileFilter(options.grep);
  const left = entries.filter((entry) => entry.broken !== undefined && !isChosen(entry));
  if (left.length > 0) {
    printNote(`left out by --grep, though it cannot be loaded: ${left.map(({ file }) => file).join(', ')}`);
  }
  const plan = planRun(entries, planOptions(options));
  refuseIdleFlags(plan.entries, options);
  return plan;
}

async function runOnce({ entries, players }: Playable, options: RehearsalFlags, signal: AbortSignal): Promise<number> {
  const plan = planOf(entries, options);
  await chosenIsolation(options.isolation);
  const { reporter, exitCode } = await openReporter(options);
  const run = await playRun(plan, {
    ...playOptions(options),
    run: {
      command: 'run',
      understudy_version: version,
      ...defined({ strict: options.strict, config: options.configFile }),
    },
    store: { output: options.output, journal: { settings: settingsOf(options), resume: options.resume === true } },
    ...{ players, reporter, signal },
  });
  return exitCode(run);
}

/** The flags that decide a verdict. */
function settingsOf({ maxFailures, maxCalls, maxCost, shard, ...options }: RehearsalFlags) {
  const { repeat, threshold, retries, strict, isolation } = options;
  return {
    ...{
      repeat,
      threshold,
      retries,
      strict,
      isolation,
      'max-failures': maxFailures,
      'max-calls': maxCalls,
      'max-cost': maxCost,
    },
    shard: shard && `${shard.index}/${shard.count}`,
  };
}
