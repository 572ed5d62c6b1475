import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentSession,
  agents,
  type ConversationEvent,
  type EventBody,
  type EventBodyOf,
  type EventType,
  type HookRecorder,
  parseAgentSpec,
  pluginFolder,
  type TerminalAction,
  type TurnEnded,
} from '@understudy/agents';
import { createScratch, defined, runAllSteps, type Scratch, UnderstudyError } from '@understudy/kit';
import type { ModelServer } from '@understudy/model';
import type { ScriptUsage } from '@understudy/script';
import type { Isolation } from '../isolation/provider.js';
import { type ConversationContext, contextOf } from './context/context.js';
import { EscapeWatch } from './escape-watch.js';
import { EventLog } from './event-log.js';
import { type OpenedSession, openSession } from './open-session.js';
import type { ConversationOptions } from './options.js';
import { OutputWatch } from './output-watch.js';
import { type FirstFiles, ProjectWatch } from './project-watch.js';
import { type SessionPart, sessionPart } from './session-part.js';
import type { ConversationState } from './state-machine.js';
import type { StepLog } from './step-log.js';
import type { Told } from './told.js';
import { type ConversationSnapshot, ConversationTracker, replayEvents, type StateEntry } from './tracker.js';
import { type Turn, turnOf } from './turn.js';
import { type SeenOnWire, WireWitness } from './wire-witness.js';
import type { WorkflowProgress } from './workflow/progress.js';
import { loadWorkflow, type Workflow } from './workflow/workflow.js';

interface Parts {
  cwd: string;
  home: string;
  log: EventLog;
  tracker: ConversationTracker;
  workflow: Workflow | undefined;
  watch: ProjectWatch;
  output: OutputWatch;
  /** What goes when the conversation ends, in this order. */
  cleanUps: (() => void | Promise<void>)[];
  onEvent: ((event: ConversationEvent) => void) | undefined;
}

/** How long a turn may take to stop. */
const CANCEL_MS = 1_000;

/** A conversation with an agent: send a prompt, look at the turn, send the next. */
export class Conversation {
  readonly cwd: string;
  /** The CLI's home. Given as `home` to a later conversation, it lets that one resume. */
  readonly home: string;
  readonly #parts: Parts;
  #session: AgentSession | undefined;
  #model: OpenedSession['model'] | undefined;
  #wire: WireWitness | undefined;
  #seenByStandIn: OpenedSession['seenByStandIn'];
  #keep: (() => void) | undefined;
  #recorder: HookRecorder | undefined;
  #escapes: EscapeWatch | undefined;
  #fault: unknown;
  #ended: Promise<void> | undefined;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.cwd = parts.cwd;
    this.home = parts.home;
  }

  /** Starts the agent and waits until it is ready for a prompt. */
  static async start(given: ConversationOptions = {}): Promise<Conversation> {
    const options = { ...given, ...defined({ plugins: given.plugins?.map(pluginFolder) }) };
    const workflow = options.workflow === undefined ? undefined : loadWorkflow(options.workflow);
    if (options.resume !== undefined && options.home === undefined) {
      throw new UnderstudyError('CONVERSATION_NO_HOME', 'a session can only be resumed in the home in which it was', {
        fix: 'Give `home` to both conversations.',
      });
    }
    const scratch = createScratch('conversation');
    const cleanUps: Parts['cleanUps'] = [() => scratch.remove()];
    let conversation: Conversation | undefined;
    try {
      const cwd = realpathSync(options.cwd ?? subfolder(scratch, 'project'));
      const home = options.home ?? subfolder(scratch, 'home');
      const log = new EventLog({
        live: options.stage === 'live',
        ...(options.artifacts === undefined ? {} : { file: join(options.artifacts, 'events.jsonl') }),
      });
      cleanUps.push(() => log.close());
      conversation = new Conversation({
        ...{ cwd, home, log, cleanUps },
        tracker: new ConversationTracker(workflow),
        workflow,
        watch: new ProjectWatch(cwd),
        output: new OutputWatch(options.limits, options.output),
        onEvent: options.onEvent,
      });
      await conversation.#open(options, scratch);
      return conversation;
    } catch (error) {
      // The first error is the one to report.
      const session = conversation === undefined ? undefined : conversation.#session;
      await runAllSteps([() => session?.end(), ...cleanUps]).catch(() => {});
      throw error;
    }
  }

  /** Sends a prompt and gives the whole turn, however it ended. */
  async send(text: string, options: { deadlineMs?: number } = {}): Promise<Turn> {
    if (this.#session === undefined || this.#ended !== undefined) throw ended();
    await this.#session.send(text, options);
    return this.#lastTurn();
  }

  /** Types, presses keys and waits at the terminal of the agent, and gives what happened as a turn. */
  async act(action: TerminalAction, options: { deadlineMs?: number } = {}): Promise<Turn> {
    if (this.#session === undefined || this.#ended !== undefined) throw ended();
    if (this.#session.act === undefined) {
      throw new UnderstudyError('CONVERSATION_NO_TERMINAL', 'this conversation has no terminal', {
        fix: 'Start it with `terminal: { columns: 100, rows: 30 }`.',
      });
    }
    await this.#session.act(action, options);
    return this.#lastTurn();
  }

  /** The screen of the terminal as SVG; nothing where there is none. */
  picture(): string | undefined {
    return this.#session?.picture?.();
  }

  /** Stops the turn under way: prompt, response or command. */
  async cancel(): Promise<void> {
    await this.#session?.interrupt();
  }

  /** Asks Claude Code itself: `mcp_status`, `get_hooks_listing`, `get_context_usage`, `get_settings` … */
  async control(subtype: string, fields?: Record<string, unknown>): Promise<unknown> {
    if (this.#session?.control === undefined) {
      throw new UnderstudyError('AGENT_NO_CONTROL', 'this agent cannot be asked while it runs', {
        fix: 'Use Claude Code, on the stage sim, scripted or live.',
      });
    }
    return this.#parts.log.clean(await this.#session.control(subtype, fields));
  }

  /** Ends the agent and clears up. Safe to call twice; `await using` does it by itself. */
  end(reason = 'ended by the test'): Promise<void> {
    this.#ended ??= this.#end(reason);
    return this.#ended;
  }

  /** Stops the turn under way, then ends: an agent that is asked to end in the middle of a tool waits for the tool. */
  async abort(reason = 'aborted'): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CANCEL_MS);
    });
    await Promise.race([this.cancel().catch(() => {}), patience]);
    clearTimeout(timer);
    await this.end(reason);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }

  /** The scripted model that it talks to, with the journal of requests (scripted). */
  get server(): ModelServer | undefined {
    return this.#model?.server;
  }

  /** Which rules no prompt has reached, and what no rule answered; on every stage with a script, also after the end. */
  scriptUsage(): ScriptUsage | undefined {
    return this.#model?.usage();
  }

  /** What the model was told in a turn: its system prompt, messages and tools. On live and in this process it is not known. */
  told(turn: number): Told {
    return this.#model?.told(this.events, turn) ?? { unknown: 'the conversation has not begun' };
  }

  /** The events of the hooks that ran, if nobody else could have recorded them. */
  get hooksThatRan(): readonly string[] | undefined {
    return this.#recorder?.isTold === true ? this.#recorder.readLog().map(({ event }) => event) : undefined;
  }

  /** What was on the wire, where what the agent prints can be held against it. */
  get wire(): SeenOnWire | undefined {
    return this.#wire?.seen() ?? this.#seenByStandIn?.();
  }

  get sessionId(): string | undefined {
    return this.#session?.sessionId;
  }

  /** The CLI's process while it runs. */
  get pid(): number | undefined {
    return this.#session?.pid;
  }

  /** The agent died or was killed: it has nothing more to say. */
  get hasDied(): boolean {
    return this.events.some((event) => event.type === 'process_ended' && event.unexpected);
  }

  /** Where a `run` step of the same rehearsal writes what happened, and asks what became of the project. */
  get stepLog(): StepLog {
    const { log, watch } = this.#parts;
    return {
      append: (event, place) => log.appendOfStep(event, place),
      events: log.events,
      changes: () => watch.changes().events,
    };
  }

  get events(): readonly ConversationEvent[] {
    return this.#parts.log.events;
  }

  get turns(): Turn[] {
    const numbers = Array.from({ length: this.#parts.log.turn }, (_, index) => index + 1);
    return numbers.flatMap((number) => turnOf(this.events, number, this.workflowAfter(number), this) ?? []);
  }

  /** What happened before the first prompt. Complete when the first turn has ended: older CLIs report it then. */
  get start(): SessionPart {
    return sessionPart('start', this.#eventsOf(0), this);
  }

  /** What happened after the last turn. Complete when `end()` has resolved. */
  get ending(): SessionPart {
    return sessionPart('end', this.#eventsOf(this.#parts.log.turn + 1), this);
  }

  /** Where the workflow stood at the end of a turn. */
  workflowAfter(turn: number): WorkflowProgress | undefined {
    const until = this.events.filter((event) => event.turn <= turn);
    return replayEvents(until, this.#parts.workflow).workflow;
  }

  get state(): ConversationState {
    return this.#parts.tracker.state;
  }

  get stateHistory(): readonly StateEntry[] {
    return this.#parts.tracker.history;
  }

  get workflow(): WorkflowProgress | undefined {
    return this.#parts.tracker.workflow;
  }

  get context(): ConversationContext {
    return contextOf(this.events, { cwd: this.cwd, workflow: this.workflow });
  }

  snapshot(): ConversationSnapshot {
    return this.#parts.tracker.snapshot();
  }

  #lastTurn(): Turn {
    this.#throwFault();
    const turn = turnOf(this.events, this.#parts.log.turn, this.workflow, this);
    if (turn === undefined) throw new UnderstudyError('CONVERSATION_NO_TURN', 'the turn has no end in the log');
    return turn;
  }

  #eventsOf(turn: number): ConversationEvent[] {
    return this.events.filter((event) => event.turn === turn);
  }

  async #open(options: ConversationOptions, scratch: Scratch): Promise<void> {
    const { cleanUps, cwd, home, log, watch, output } = this.#parts;
    let firstFiles: FirstFiles | undefined;
    const notices = watch.begin((files) => {
      firstFiles = files;
      log.keepProject(files);
    });
    const { session, model, keep, recorder, seenByStandIn } = await openSession(options, {
      ...{ cwd, home, scratch: scratch.path },
      emit: (event) => this.#emit(event),
      output: output.budget,
      onModel: (own) => {
        cleanUps.unshift(() => own.close());
        if (!printsWire(options)) return;
        if (own.server !== undefined) this.#wire = new WireWitness(own.server);
      },
      onIsolation: (isolation) => this.#isolate(isolation),
    });
    this.#session = session;
    this.#model = model;
    this.#keep = keep;
    this.#recorder = recorder;
    if (printsWire(options)) this.#seenByStandIn = seenByStandIn;
    if (firstFiles !== undefined) model.recording?.writer.files(log.clean(firstFiles));
    for (const event of this.events) this.#testify(event);
    for (const event of notices) this.#record(event);
    for (const event of watch.changes().events) this.#record(event);
    this.#throwFault();
    const { conversationMs } = options.deadlines ?? {};
    if (conversationMs !== undefined) this.#endAfter(conversationMs);
  }

  #isolate(isolation: Isolation): void {
    const { cleanUps, cwd, home } = this.#parts;
    cleanUps.unshift(() => isolation.close());
    if (isolation.level === 'none') return;
    this.#escapes = new EscapeWatch(isolation);
    const { level, hidden } = isolation;
    this.#record({ type: 'isolation', level, hidden: [...hidden], writable: [cwd, home] });
  }

  /** Takes an event of the agent. Never throws: we are inside a reader of the agent's output. */
  #emit(event: EventBody): void {
    if (event.type === 'prompt' || event.type === 'process_ended' || event.type === 'turn_ended') this.#recordEscapes();
    if (event.type !== 'turn_ended') {
      if (event.type === 'tool_call') this.#escapes?.toolCalled(event);
      this.#record(event);
      if (event.type === 'tool_result') this.#recordEscapes(event);
      return;
    }
    // What the turn did to the project belongs before its end.
    const { events, problem } = this.#parts.watch.changes();
    for (const change of events) this.#record(change);
    this.#record(this.#parts.output.judge(problem === undefined ? event : failedBy(problem, event)));
  }

  #recordEscapes(result?: EventBodyOf<'tool_result'>): void {
    for (const tried of this.#escapes?.look(result) ?? []) this.#record(tried);
  }

  #record(body: EventBody): void {
    const { output, log } = this.#parts;
    for (const admitted of output.admit(body)) this.#store(admitted);
    output.budget.spend(log.takeBytes());
    for (const cut of output.news()) this.#store(cut);
  }

  #store(body: EventBody): void {
    try {
      const event = this.#parts.log.append(body);
      this.#parts.tracker.apply(event);
      this.#parts.onEvent?.(event);
      this.#testify(event);
    } catch (error) {
      // Thrown later, where the test waits: in `send` or `end`.
      this.#fault ??= error;
    }
  }

  /** Adds to the recording what was seen. */
  #testify(event: ConversationEvent): void {
    if (!NOT_RECORDED.includes(event.type)) this.#model?.recording?.writer.seen(event);
  }

  #throwFault(): void {
    if (this.#fault === undefined) return;
    const fault = this.#fault;
    this.#fault = undefined;
    throw fault;
  }

  #endAfter(milliseconds: number): void {
    const timer = setTimeout(() => {
      // Whoever calls `end` later gets the same promise, and with it the error.
      this.end(`the conversation took longer than ${milliseconds} ms`).catch(() => {});
    }, milliseconds);
    timer.unref();
    this.#parts.cleanUps.unshift(() => clearTimeout(timer));
  }

  async #end(reason: string): Promise<void> {
    const { cleanUps, log, watch } = this.#parts;
    log.beginEnd();
    await runAllSteps([
      () => this.#session?.end(),
      () => this.#keep?.(),
      () => {
        for (const change of watch.changes().events) this.#record(change);
      },
      () => this.#record({ type: 'session_ended', reason }),
      ...cleanUps,
      () => this.#throwFault(),
    ]);
  }
}

/** What a recording has no use for: it is in the answers already, or only for the eye. */
const NOT_RECORDED: readonly EventType[] = ['thinking', 'screen', 'unknown'];

/** A model that others share has answered others, too; a screen shows no ids. */
function printsWire({ agent = 'claude', server, terminal }: ConversationOptions): boolean {
  return agents[parseAgentSpec(agent).agent].printsWire === true && server === undefined && terminal === undefined;
}

function subfolder(scratch: Scratch, name: string): string {
  const folder = join(scratch.path, name);
  mkdirSync(folder);
  return folder;
}

/** A turn whose file changes are unknown did not complete: nobody could judge it. */
function failedBy({ message, fix }: UnderstudyError, ended: TurnEnded): TurnEnded {
  const reason = ended.outcome === 'completed' ? 'files_not_watched' : ended.reason;
  return {
    ...ended,
    outcome: ended.outcome === 'completed' ? 'failed' : ended.outcome,
    ...defined({ reason }),
    message: [ended.message, message, fix].filter((part) => part !== undefined).join('. '),
  };
}

function ended(): UnderstudyError {
  return new UnderstudyError('CONVERSATION_ENDED', 'the conversation has ended', {
    fix: 'Start a new one; with `home` and `resume` it goes on where this one stopped.',
  });
}
