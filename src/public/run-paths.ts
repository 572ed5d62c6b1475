import type { Stage } from '@understudy/agents';
import { defined, type UnderstudyError } from '@understudy/kit';
import {
  type EntryOptions,
  findRehearsals,
  loadRehearsals,
  type Playable,
  planRun,
  playableRehearsals,
  playRun,
} from '@understudy/runner';
import { chooseIsolation, requestedIsolation } from '@understudy/stage';
import { evalEntries, evalPlayer, findEvals } from '@understudy/suites';
import { type OwnReporter, ownReporter, type RunResult } from '@understudy/verdict';
import packageJson from '../../package.json' with { type: 'json' };
import { type AgentChoice, agentsOf, assertOptions, runOptions } from './read-options.js';

export interface RunRehearsalsOptions {
  /** Where they are played, instead of what the files say. */
  stage?: Stage;
  /** On this agent, or several, instead of what the files say: `["claude", "codex@0.169.0"]`, or your own by `defineAgent`. */
  agent?: AgentChoice | readonly AgentChoice[];
  /** Only those with this text in name, file or tags, or by an expression: `@hooks and not @slow`. */
  grep?: string;
  workers?: number;
  /** How far agents are kept apart from this machine: `none`, `sandbox`, `docker`, `auto`, `required`. */
  isolation?: string;
  /** Write snapshots anew. */
  updateSnapshots?: boolean;
  /** The folder for result, logs and artifacts. Absent: `.understudy`, as for `understudy run`. */
  output?: string;
  /** Receives each entry when it begins, at each step and when it ends. */
  reporter?: OwnReporter;
  /** Ends the run: what has not ended is `interrupted`, and nothing is left behind. */
  signal?: AbortSignal;
}

/** What was found in files. */
export type Loaded = ReturnType<typeof loadRehearsals>;

/** The rehearsals behind the paths, and the eval cases of the plugins there. */
export function playableAt(paths: readonly string[], options: EntryOptions): Playable & { loaded: Loaded } {
  const evals = findEvals(paths);
  const files = findRehearsals(paths, { mayBeNone: evals.length > 0 });
  const loaded = loadRehearsals(files);
  const { entries, players } = playableRehearsals(loaded, options);
  const { agents, stage, isolation, targets, cassettes: { record, speed } = {} } = options;
  return {
    entries: [...entries, ...evalEntries(evals, { agents, stage, isolation, targets, record, speed })],
    players: { ...players, eval: evalPlayer },
    loaded,
  };
}

/** See `runRehearsals`. */
export async function runPaths(paths: readonly string[], options: RunRehearsalsOptions): Promise<RunResult> {
  assertOptions(runOptions, options, 'runRehearsals');
  const { agent, grep: filter, output, reporter, workers, signal = new AbortController().signal, ...rest } = options;
  const entryOptions: EntryOptions = { ...rest, agents: agentsOf(agent) };
  // What was asked for and is not there is an error before anything runs.
  await chooseIsolation(requestedIsolation(options.isolation));
  const { entries, players } = playableAt(paths, entryOptions);
  const pending: Promise<void>[] = [];
  const errors: UnderstudyError[] = [];
  const run = await playRun(planRun(entries, { filter }), {
    run: { command: 'run', understudy_version: packageJson.version },
    store: defined({ output }),
    reporter: () =>
      ownReporter(reporter ?? {}, 'given to runRehearsals', {
        onPending: (work) => pending.push(work),
        onError: (error) => errors.push(error),
      }),
    ...{ players, workers, signal },
  });
  await Promise.all(pending);
  for (const error of errors) throw error;
  return run;
}
