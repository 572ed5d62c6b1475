import type { Stage } from '@understudy/agents';
import { defined, type UnderstudyError } from '@understudy/kit';
import {
  type EntryOptions,
  findRehearsals,
  isRepro,
  loadRehearsals,
  type OpenedRepro,
  openRepro,
  type Playable,
  planRun,
  playableRehearsals,
  playRun,
  refuseOutside,
  rehearsalEntries,
  rehearsalPlayer,
} from '@understudy/runner';
import { chooseIsolation, requestedIsolation } from '@understudy/stage';
import { evalEntries, evalPlayer, findEvals, OwnSuites, SUITE_PLAYER } from '@understudy/suites';
import { type OwnReporter, ownReporter, type RunResult } from '@understudy/verdict';
import packageJson from '../../package.json' with { type: 'json' };
import { openSuiteTools, type SuiteTools } from '../testing/suite-tools.js';
import { type AgentChoice, agentsOf, assertOptions, runOptions } from './read-options.js';

export interface RunRehearsalsOptions {
  /** Where they are played, instead of what the files say. */
  stage?: Stage;
  /** On this agent, or several, instead of what the files say: `["claude", "codex@0.169.0"]`, or your own by `defineAgent`. */
  agent?: AgentChoice | readonly AgentChoice[];
  /** Only those with this text in name, file or tags, or by an expression: `@hooks and not @slow`. */
  grep?: string;
  /** Suites of your own, by the paths of their modules. What of them is behind `paths` is run, too. */
  suites?: readonly string[];
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

/** The suites of the user, with what their entries are played with. */
export function openSuites(modules: readonly string[] = []): OwnSuites<SuiteTools> {
  return new OwnSuites(modules);
}

/** What is behind paths: rehearsals as they were loaded, and all entries with their players. */
export interface Found extends Playable {
  rehearsals: ReturnType<typeof loadRehearsals>;
}

/** The rehearsals behind the paths, and what the suites of the user have there. */
export function testsAt(
  paths: readonly string[],
  options: EntryOptions,
  suites = openSuites(),
  { mayBeNone = false } = {},
): Found {
  const own = suites.entries(paths, options);
  const isOther = (path: string) => suites.takes(path);
  const rehearsals = loadRehearsals(findRehearsals(paths, { mayBeNone: mayBeNone || own.length > 0, isOther }));
  const { entries, players } = playableRehearsals(rehearsals, options);
  return {
    rehearsals,
    entries: [...entries, ...own],
    players: { ...players, [SUITE_PLAYER]: suites.player(openSuiteTools) },
  };
}

export interface PlayableAt extends Found {
  /** The exported tests among them. */
  repros: OpenedRepro[];
}

/** The same, with the tests that were exported, and the eval cases of the plugins there. */
export function playableAt(all: readonly string[], options: EntryOptions, suites = openSuites()): PlayableAt {
  const repros = all.filter(isRepro).map((file) => openRepro(file, options));
  const paths = all.filter((path) => !isRepro(path));
  const evals = findEvals(paths);
  const found = testsAt(paths, options, suites, { mayBeNone: evals.length + repros.length > 0 });
  const exported = repros.flatMap((repro) => {
    // It is played as it is.
    const entries = rehearsalEntries(repro.loaded, { ...options, ...repro.options, targets: undefined });
    for (const { parts = [] } of entries) refuseOutside(repro, parts);
    return entries;
  });
  const { agents, stage, isolation, targets, cassettes: { record, speed } = {} } = options;
  return {
    rehearsals: found.rehearsals,
    entries: [
      ...found.entries,
      ...exported,
      ...evalEntries(evals, { agents, stage, isolation, targets, record, speed }),
    ],
    players: {
      ...found.players,
      rehearsal: rehearsalPlayer([...found.rehearsals, ...repros.flatMap((repro) => repro.loaded)]),
      eval: evalPlayer,
    },
    repros,
  };
}

/** See `runRehearsals`. */
export async function runPaths(paths: readonly string[], options: RunRehearsalsOptions): Promise<RunResult> {
  assertOptions(runOptions, options, 'runRehearsals');
  const { agent, grep: filter, suites, output, reporter, workers, ...others } = options;
  const { signal = new AbortController().signal, ...rest } = others;
  const entryOptions: EntryOptions = { ...rest, agents: agentsOf(agent) };
  // What was asked for and is not there is an error before anything runs.
  await chooseIsolation(requestedIsolation(options.isolation));
  const { entries, players } = playableAt(paths, entryOptions, openSuites(suites));
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
