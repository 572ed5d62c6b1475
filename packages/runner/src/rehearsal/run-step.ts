import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type ConversationEvent, type TerminalAction, UnreadableEvents } from '@understudy/agents';
import { defined, makeFolder, runAllSteps, shellWord, shorten, type Unreadable } from '@understudy/kit';
import type { ScriptUsage } from '@understudy/script';
import {
  type CallsOfStep,
  type Conversation,
  type EndedProgram,
  openStepLog,
  ProgramRun,
  pick,
  type StepLog,
} from '@understudy/stage';
import {
  type CheckResult,
  checkExpectations,
  checkOnlyExpected,
  checkOutcome,
  checkRunExpectations,
  type Place,
  type StepResult,
  type Testimony,
} from '@understudy/verdict';
import { within } from './expectations.js';
import type { Rehearsal } from './load.js';
import { logRun, programStep } from './log-run.js';
import { ProgramStart } from './program-start.js';
import { readableNextToRehearsal } from './readable-next-to.js';
import type { RehearseOptions } from './rehearse-options.js';
import type { RunStep } from './run-schema.js';
import { isRunStep, type SendStep, type Step } from './schema.js';
import type { Services } from './services.js';
import { notReached, type StepPlayer } from './step-player.js';
import { TerminalProgram } from './terminal-program.js';
import { actionAtProgram, actionOf, describeStep, keepScreen } from './terminal-step.js';

interface Shared {
  /** The conversation of the `send` steps, if there are any. */
  conversation: Conversation | undefined;
  /** What runs beside the steps. */
  services: Services;
}

interface Parts extends Shared {
  rehearsal: Rehearsal;
  options: RehearseOptions;
}

const DEFAULT_TIMEOUT_MS = 180_000;
/** So long a program in a terminal may take to end after the last step. */
const TERMINAL_END_MS = 30_000;

/** The steps of a rehearsal that run programs, with the agents in place. */
export class ProgramSteps implements StepPlayer {
  readonly #of: Parts;
  readonly #project: string;
  readonly #start: ProgramStart;
  readonly #artifacts: string;
  readonly #programs: ProgramRun;
  readonly #unreadable: UnreadableEvents;
  readonly #log: StepLog;
  readonly #done: ConversationEvent[] = [];
  readonly #testimonies: Testimony[] = [];
  readonly #cleanUps: (() => void | Promise<void>)[];
  /** The program in the terminal, and the result of its step, which is complete when it has ended. */
  #open: { program: TerminalProgram; step: RunStep; number: number; place: Place; result: StepResult } | undefined;

  private constructor(parts: Parts, programs: ProgramRun) {
    const { options, conversation } = parts;
    this.#of = parts;
    this.#programs = programs;
    this.#unreadable = new UnreadableEvents(programs.agents);
    this.#project = realpathSync(join(options.folder, 'project'));
    this.#cleanUps = [() => programs.close()];
    this.#start = new ProgramStart(parts.rehearsal, this.#project, parts.services.values);
    this.#artifacts = join(options.folder, 'artifacts');
    if (conversation === undefined) {
      const log = openStepLog({ cwd: this.#project, artifacts: this.#artifacts, stage: options.stage });
      this.#cleanUps.push(() => log.close());
      this.#log = log;
    } else this.#log = conversation.stepLog;
    const { level, hidden } = programs.isolation;
    // A conversation of the same rehearsal has reported it.
    if (level === 'none' || conversation !== undefined) return;
    const writable = [this.#project, join(options.folder, 'home')];
    this.#done.push(this.#log.append({ type: 'isolation', level, hidden: [...hidden], writable }, { step: 1 }));
  }

  static async open(rehearsal: Rehearsal, options: RehearseOptions, beside: Shared): Promise<ProgramSteps> {
    const { agent, stage, folder, cassette } = options;
    const agents = options.agents ?? rehearsal.document.agents ?? [agent];
    const artifacts = join(folder, 'artifacts');
    const home = join(folder, 'home');
    makeFolder(home);
    const project = realpathSync(join(folder, 'project'));
    const programs = await ProgramRun.open({
      ...{ agents, stage, scenario: rehearsal.scenario, home, folder: join(artifacts, 'programs') },
      ...{ server: beside.conversation?.server, cwd: project, terminalIn: project, ownTemp: true },
      cassette: { file: cassette.file, record: cassette.record, speed: cassette.speed },
      ...defined({ askedBy: rehearsal.document.asked_by }),
      isolation: {
        ...{ requested: options.isolation, urls: beside.services.urls, network: stage === 'live' ? 'host' : 'own' },
        writable: [join(folder, 'project'), home, join(artifacts, 'programs')],
        readable: readableNextToRehearsal(rehearsal),
      },
    });
    return new ProgramSteps({ ...beside, rehearsal, options }, programs);
  }

  /** A `send` step is taken at the program in the terminal. */
  take(step: Step, number: number, place: Place): Promise<StepResult> {
    return isRunStep(step) ? this.#run(step, number, place) : this.#type(step, number, place);
  }

  /** Runs the program of a step, and judges what it did. */
  async #run(step: RunStep, number: number, place: Place): Promise<StepResult> {
    await this.finish();
    // What happened since the last step is not this program's doing.
    this.#log.changes();
    // The agents come first on PATH, whatever else a rehearsal puts there.
    const started = { ...this.#start.of(step), state: step.state };
    const size = this.#of.rehearsal.document.terminal;
    if (size !== undefined) {
      const program = await TerminalProgram.start({ ...started, ...this.#programs.begin(number, started), size });
      return this.#openTerminal(program, step, number, place);
    }
    const run = await this.#programs.run(number, {
      ...started,
      stdin: step.stdin === undefined ? undefined : this.#start.fill(step.stdin),
      timeoutMs: step.timeout_ms ?? DEFAULT_TIMEOUT_MS,
      signal: plannedSignal(step),
      interrupted: this.#of.options.signal,
    });
    return this.#judge(run, step, number, place);
  }

  /** Types at the program in the terminal, and judges what the screen shows then. */
  async #type(step: SendStep, number: number, place: Place): Promise<StepResult> {
    const open = this.#open;
    if (open === undefined) return notReached(step, number);
    const events = await this.#act(open.program, actionAtProgram(step), step.timeout_ms, number);
    const ended = events.findLast((event) => event.type === 'turn_ended');
    const seen = { turn: events, all: events, number, workflow: undefined };
    return {
      ...{ number, ...defined({ name: step.name }), send: describeStep(step), reached: true },
      said: shorten(events.findLast((event) => event.type === 'screen')?.text ?? '', LONGEST),
      ...defined({ outcome: ended?.outcome, reason: ended?.reason }),
      checks: checkExpectations(seen, step.expect, within(place, 'expect'), this.#of.rehearsal.checks),
      duration_ms: Math.round(ended?.milliseconds ?? 0),
    };
  }

  /** Waits for the end of the program in the terminal, and judges it: what its step expects of the end and of the calls. */
  async finish(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const { program, step, number, place, result } = open;
    const run = await program.end(step.timeout_ms ?? TERMINAL_END_MS, this.#of.options.signal);
    const { screen: _, ...expect } = step.expect ?? {};
    const judged = this.#judge(run, { ...step, expect }, number, place);
    const { checks } = result;
    Object.assign(result, judged, { checks: [...checks, ...judged.checks] });
  }

  async #openTerminal(program: TerminalProgram, step: RunStep, number: number, place: Place): Promise<StepResult> {
    const events = await this.#act(program, actionOf(step) ?? {}, step.timeout_ms, number);
    const seen = { turn: events, all: events, number, workflow: undefined };
    const { screen } = step.expect ?? {};
    const shown = events.findLast((event) => event.type === 'turn_ended')?.outcome === 'timed_out';
    const result: StepResult = {
      ...{ number, ...defined({ name: step.name }), send: describeStep(step), reached: true, said: '', duration_ms: 0 },
      checks: [
        ...(shown ? place(['wait_for'], [checkOutcome(seen, {})]) : []),
        ...checkOnlyExpected(seen, defined({ screen }), within(place, 'expect')),
      ],
    };
    this.#open = { program, step, number, place, result };
    return result;
  }

  async #act(program: TerminalProgram, action: TerminalAction, deadlineMs: number | undefined, number: number) {
    const seen = await program.act(action, deadlineMs);
    const events = [...seen, ...this.#log.changes()].map((event) => this.#log.append(event, { step: number }));
    keepScreen({ events, number }, program.picture(), this.#artifacts);
    return events;
  }

  #judge(run: EndedProgram, step: RunStep, number: number, place: Place): StepResult {
    const { events, all, called, logged, reached, unsupported } = logRun(this.#programs, run, {
      ...{ number, log: this.#log, unreadable: this.#unreadable },
    });
    this.#done.push(...all);
    this.#testimonies.push(...testimoniesOf(number, called));
    const checks = checkRunExpectations(
      { run, events, calls: logged, reached, unsupported },
      step.expect,
      within(place, 'expect'),
      this.#of.rehearsal.checks,
    );
    const send = typeof step.run === 'string' ? step.run : step.run.map(shellWord).join(' ');
    return programStep(run, called.calls, { number, name: step.name, send, checks });
  }

  /** What the programs and the agents that they called did. */
  get events(): readonly ConversationEvent[] {
    return this.#done;
  }

  /** What was recorded and could not be read. */
  get unreadable(): Unreadable[] {
    return [...this.#programs.agents.unreadable, ...pick(this.#done, 'unreadable')];
  }

  testimonies(): readonly Testimony[] {
    return this.#testimonies;
  }

  checks(): CheckResult[] {
    return [];
  }

  /** On sim, a conversation and the programs each have a log of their own; elsewhere they share its server. */
  usage(): ScriptUsage | undefined {
    const isShared = this.#of.conversation?.server !== undefined;
    return isShared ? undefined : this.#programs.agents.usage();
  }

  async close(): Promise<void> {
    await this.#open?.program.end(0, undefined);
    await runAllSteps(this.#cleanUps);
  }
}

function plannedSignal({ signal }: RunStep) {
  if (signal === undefined) return undefined;
  const { send, after_ms: afterMs, after_call: afterCall, to = send === 'SIGINT' ? 'group' : 'program' } = signal;
  return { send: send as NodeJS.Signals, afterMs, afterCall, to };
}

function testimoniesOf(step: number, { calls, unrecorded, strangers }: CallsOfStep): Testimony[] {
  const besides = unrecorded.map(
    (number) => `call ${number} of step ${step} asked the model, and there is no record of it`,
  );
  return [
    ...calls.flatMap(({ number, wire, events }) =>
      wire === undefined
        ? []
        : [{ who: `call ${number} of step ${step}`, turns: [events], wire, isCall: true as const }],
    ),
    ...(besides.length + strangers.length === 0
      ? []
      : [{ who: '', turns: [], wire: { ...NOTHING_SEEN, refused: strangers }, besides }]),
  ];
}

const NOTHING_SEEN = { by: 'wire' as const, texts: [], calls: [], results: [], isIdentified: false, refused: [] };

const LONGEST = 4000;
