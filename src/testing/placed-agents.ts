import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationEvent, Stage } from '@understudy/agents';
import { type Environment, makeFolder, shortenLine, UnderstudyError, type Unreadable } from '@understudy/kit';
import type { Scenario, ScriptUsage } from '@understudy/script';
import {
  type AgentCall,
  type CallState,
  type EndedProgram,
  EventLog,
  openStepLog,
  ProgramRun,
  saidInCall,
  withoutAgentKeys,
} from '@understudy/stage';
import { checkCallsMade, checkRunExpectations, type LoggedCall, nowhere } from '@understudy/verdict';
import { readRunExpectation } from './read-expectation.js';
import { type Verdict, verdictOf } from './verdict.js';

export interface PlacedOptions {
  agents: readonly string[];
  stage: Stage;
  scenario: Scenario;
  /** A folder of ours. */
  folder: string;
  /** The variables of the test. */
  environment: Environment;
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
}

/** One run of a program, or the test itself (number 1), with what was called in it. */
export interface PlacedRun {
  number: number;
  ended?: EndedProgram;
  calls: AgentCall[];
  /** Agents and models that were called and are not in place. */
  reached: string[];
  /** What stand-ins were asked for that only the real agents can do. */
  unsupported: string[];
  events: readonly ConversationEvent[];
  watched: boolean;
}

/** The calls of the test's own process have this number. */
const OWN = 1;
const DEFAULT_TIMEOUT_MS = 180_000;

/** Agents in place for a test and for the programs that it runs. */
export class PlacedAgents {
  readonly #options: PlacedOptions;
  readonly #programs: ProgramRun;
  readonly #runs = new Map<number, PlacedRun>();
  /** Runs that may ask for what only a real agent can do. */
  readonly #allowed = new Set<number>();

  private constructor(options: PlacedOptions, programs: ProgramRun) {
    this.#options = options;
    this.#programs = programs;
  }

  static async start(options: PlacedOptions): Promise<PlacedAgents> {
    const { agents, stage, scenario, folder, environment } = options;
    const home = join(folder, 'home');
    makeFolder(home);
    const from = withoutAgentKeys(environment);
    return new PlacedAgents(options, await ProgramRun.open({ agents, stage, scenario, folder, home, from }));
  }

  /** What the test must change in its own environment, so that what it calls is in place; `null` removes a variable. */
  ownEnvironment(state: CallState = 'run'): Record<string, string | null> {
    const before = this.#options.environment;
    const after = this.#programs.agents.environment(OWN, state);
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
    const { calls, refused, unsupported } = this.#programs.agents.calls(OWN);
    return { number: OWN, calls, reached: refused, unsupported, events: [], watched: false };
  }

  async run({ command, cwd, watched, stdin, env, timeoutMs, state }: ProgramCommand): Promise<PlacedRun> {
    const number = OWN + this.#runs.size + 1;
    const { stage, folder } = this.#options;
    const artifacts = join(folder, `run-${number}`);
    const log = watched ? openStepLog({ cwd: realpathSync(cwd), artifacts, stage }) : undefined;
    const ended = await this.#programs.run(number, {
      command: typeof command === 'string' ? ['/bin/sh', '-c', command] : command,
      ...{ cwd, stdin, timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS, env, state },
    });
    const changes = log?.changes().map((event) => log.append(event, { step: number })) ?? [];
    log?.close();
    const { calls, refused, unsupported } = this.#programs.agents.calls(number);
    const reached = [...refused, ...this.#programs.tried().hosts];
    const run: PlacedRun = { number, ended, calls, reached, unsupported, events: changes, watched };
    this.#runs.set(number, run);
    return run;
  }

  /** Holds a run, or what the test itself called, against what was expected. */
  expect(number: number, given: unknown, isNot = false): Verdict {
    const run = number === OWN ? this.own() : this.#runs.get(number);
    if (run === undefined) throw new UnderstudyError('PROTOCOL_UNKNOWN', `there is no run ${number}`);
    const expect = readRunExpectation(given, this.#options.agents);
    refuseUnseen(run, expect);
    if (expect.unsupported === 'any') this.#allowed.add(number);
    const calls = loggedCalls(run);
    const { ended } = run;
    const results =
      ended === undefined || isNot
        ? checkCallsMade(calls, expect, nowhere)
        : checkRunExpectations(
            { run: ended, events: run.events, calls, reached: run.reached, unsupported: run.unsupported },
            expect,
          );
    const verdict = verdictOf(results, isNot);
    return verdict.passed ? verdict : { ...verdict, text: `${verdict.text}\n\n${describeRun(run)}` };
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

/** An expectation that nothing was looked at for would be a riddle. */
function refuseUnseen({ ended, watched }: PlacedRun, expect: object): void {
  const seen = ended === undefined ? ['calls', 'call'] : undefined;
  const unseen = Object.keys(expect).filter((name) =>
    seen === undefined ? !watched && (name === 'files' || name === 'commits') : !seen.includes(name),
  );
  if (unseen.length === 0) return;
  throw new UnderstudyError('EXPECTATION_INVALID', `\`${unseen.join('`, `')}\` cannot be seen here`, {
    fix:
      seen === undefined
        ? 'Run the program in the project of the test: leave out `cwd`.'
        : 'Expect `calls` and `call` of the test itself; run a program for the rest.',
  });
}

function loggedCalls({ number, calls }: PlacedRun): LoggedCall[] {
  const log = new EventLog();
  return calls.map((call) => ({
    call,
    events: call.events.map((event) => log.appendOfStep(event, { step: number, call: call.number })),
  }));
}

function describeRun({ number, ended, calls, reached, unsupported }: PlacedRun): string {
  const head =
    ended === undefined ? 'the test called' : `program ${number - OWN}: ${shortenLine(ended.command.join(' '), 120)}`;
  return [
    head,
    ...(calls.length === 0 ? ['  no agent was called'] : calls.map(describeCall)),
    ...reached.map((name) => `  not in place: ${name}`),
    ...unsupported.map((call) => `  not possible on sim: ${call}`),
    ...(ended === undefined ? [] : [`  = exit code ${ended.code ?? ended.signal}`]),
  ].join('\n');
}

function describeCall(call: AgentCall): string {
  const { number, agent, prompt, code } = call;
  const end = code === undefined || code === null ? '' : ` (exit code ${code})`;
  return `  ${number}. ${agent}: ${shortenLine(prompt, 120)} → ${shortenLine(saidInCall(call), 120)}${end}`;
}
