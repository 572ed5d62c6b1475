import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type EventBody, type Stage, UnreadableEvents } from '@understudy/agents';
import { defined, type Environment, makeFolder, UnderstudyError, type Unreadable } from '@understudy/kit';
import { logCalls, logRun } from '@understudy/runner';
import type { Scenario, ScriptUsage } from '@understudy/script';
import {
  type CallState,
  EventLog,
  openStepLog,
  ProgramRun,
  type ProgramRunOptions,
  withoutAgentKeys,
} from '@understudy/stage';
import { allowsUnsupported, describeRun, judgeRun, OWN_CALLS, type PlacedRun } from './judge-run.js';
import type { OwnCheckList } from './own-checks.js';
import type { Verdict } from './verdict.js';

export interface PlacedOptions {
  agents: readonly string[];
  stage: Stage;
  scenario: Scenario;
  /** A folder of ours. */
  folder: string;
  /** The home of agents and programs; by default one in `folder`. */
  home?: string | undefined;
  /** The variables of the test. Absent: programs have a clean environment. */
  environment?: Environment;
  /** What keeps programs apart from this machine; absent, nothing does. */
  isolation?: ProgramRunOptions['isolation'];
  /** The checks of the user. */
  checks?: OwnCheckList;
}

export interface ProgramCommand {
  command: string | readonly string[];
  cwd: string;
  /** Whether files and commits in `cwd` are looked at. */
  watched: boolean;
  stdin?: string | undefined;
  env?: Environment | undefined;
  timeoutMs?: number | undefined;
  state?: CallState | undefined;
  /** Where its log goes, and its number there; by default, it has a folder of its own. */
  artifacts?: string | undefined;
  number?: number | undefined;
  /** Ends it. */
  interrupted?: AbortSignal | undefined;
}

const DEFAULT_TIMEOUT_MS = 180_000;

/** Agents in place for a test and for the programs that it runs. */
export class PlacedAgents {
  readonly #options: PlacedOptions;
  readonly #programs: ProgramRun;
  readonly #unreadable: UnreadableEvents;
  readonly #runs = new Map<number, PlacedRun>();
  /** Runs that may ask for what only a real agent can do. */
  readonly #allowed = new Set<number>();

  private constructor(options: PlacedOptions, programs: ProgramRun) {
    this.#options = options;
    this.#programs = programs;
    this.#unreadable = new UnreadableEvents(programs.agents);
  }

  static async start(options: PlacedOptions): Promise<PlacedAgents> {
    const { agents, stage, scenario, folder, environment, isolation, home = join(folder, 'home') } = options;
    makeFolder(home);
    const from = environment && withoutAgentKeys(environment);
    const placed = { agents, stage, scenario, folder, home, from };
    return new PlacedAgents(
      options,
      await ProgramRun.open({ ...placed, ...defined({ isolation }), ownTemp: from === undefined }),
    );
  }

  /** What the test must change in its own environment, so that what it calls is in place; `null` removes a variable. */
  ownEnvironment(state: CallState = 'run'): Record<string, string | null> {
    const before = this.#options.environment ?? {};
    const after = this.#programs.agents.environment(OWN_CALLS, state);
    const changed = Object.entries(after).filter(([name, value]) => before[name] !== value);
    const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
    return { ...Object.fromEntries(changed), ...Object.fromEntries(removed.map((name) => [name, null])) };
  }

  /** The address of the scripted model. */
  get url(): string | undefined {
    return this.#programs.agents.server?.url;
  }

  /** What was called so far by the test's own process. */
  own(): PlacedRun {
    const { calls, refused, unsupported } = this.#programs.agents.calls(OWN_CALLS);
    const { agents: placed } = this.#options;
    const log = new EventLog();
    const logged = logCalls(calls, (event, call) => log.appendOfStep(event, { step: OWN_CALLS, ...call }));
    const seen = { calls, logged, reached: refused, unsupported, events: [], all: [] };
    return { number: OWN_CALLS, agents: placed, ...seen, watched: false };
  }

  async run({ command, cwd, watched, stdin, env, timeoutMs, state, interrupted, ...where }: ProgramCommand) {
    const { number = OWN_CALLS + this.#runs.size + 1 } = where;
    const { agents, stage, folder } = this.#options;
    const { artifacts = join(folder, `run-${number}`) } = where;
    const log = watched ? openStepLog({ cwd: realpathSync(cwd), artifacts, stage }) : openBareLog();
    try {
      const around = this.#isolationEvent().map((event) => log.append(event, { step: number }));
      const ended = await this.#programs.run(number, {
        command: typeof command === 'string' ? ['/bin/sh', '-c', command] : command,
        ...{ cwd, stdin, timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS, env, state, interrupted },
      });
      const seen = logRun(this.#programs, ended, { number, log, unreadable: this.#unreadable });
      const run: PlacedRun = { number, agents, ended, ...seen, all: [...around, ...seen.all], watched };
      this.#runs.set(number, run);
      return run;
    } finally {
      log.close();
    }
  }

  #isolationEvent(): EventBody[] {
    const { level, hidden } = this.#programs.isolation;
    const { writable = [] } = this.#options.isolation ?? {};
    return level === 'none' ? [] : [{ type: 'isolation', level, hidden: [...hidden], writable: [...writable] }];
  }

  /** Holds a run, or what the test itself called, against what was expected. */
  expect(number: number, given: unknown, isNot = false): Verdict {
    const run = number === OWN_CALLS ? this.own() : this.#runs.get(number);
    if (run === undefined) throw new UnderstudyError('PROTOCOL_UNKNOWN', `there is no run ${number}`);
    if (allowsUnsupported(given)) this.#allowed.add(number);
    return judgeRun(run, given, { isNot, own: this.#options.checks });
  }

  /** What was recorded and could not be read. */
  get unreadable(): Unreadable[] {
    return this.#programs.agents.unreadable;
  }

  usage(): ScriptUsage | undefined {
    return this.#programs.agents.usage();
  }

  /** What stand-ins were asked for and could not do, and nothing has allowed. */
  unsupported(): string[] {
    const runs = [this.own(), ...this.#runs.values()];
    return runs.filter(({ number }) => !this.#allowed.has(number)).flatMap((run) => run.unsupported);
  }

  /** What was called, each in a line. */
  describe(): string {
    const runs = [this.own(), ...this.#runs.values()];
    return runs
      .filter(({ ended, calls }) => ended !== undefined || calls.length > 0)
      .map(describeRun)
      .join('\n');
  }

  close(): Promise<void> {
    return this.#programs.close();
  }
}

/** The log of a program whose folder is not looked at. */
function openBareLog() {
  const log = new EventLog();
  return {
    append: (...of: Parameters<typeof log.appendOfStep>) => log.appendOfStep(...of),
    changes: () => [],
    close() {},
  };
}
