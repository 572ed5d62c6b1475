import type { ConversationEvent, EventOf } from '@understudy/agents';
import { defined } from '@understudy/kit';
import { type Action, allowedActions, type ConversationState, nextStates, type StateName } from './state-machine.js';
import { WorkflowFollower, type WorkflowProgress } from './workflow/progress.js';
import type { Workflow } from './workflow/workflow.js';

export interface StateEntry {
  state: StateName;
  at: string;
  seq: number;
  turn: number;
}

/** Everything that is known of a conversation at one moment, at its three levels. */
export interface ConversationSnapshot {
  state: ConversationState;
  actions: readonly Action[];
  session: {
    sessionId?: string;
    agent?: string;
    version?: string;
    stage?: string;
    startedAt?: string;
    cwd?: string;
    mode?: string;
    model?: string;
    plugins: string[];
    commands: string[];
    turns: number;
    workflowStage?: string;
  };
  turn: {
    number: number;
    prompt?: string;
    response: string;
    toolCallsUnderWay: string[];
    command?: { name: string; status: string };
    outcome?: string;
  };
  workflow?: WorkflowProgress;
}

/** These enter the history although the state keeps its name: USER_PROMPT with and without a prompt differ. */
const TURN_EVENTS = new Set(['prompt', 'turn_ended']);

/** Reduces events to states: the machine's, the session's, the turn's and the workflow's. The same events give the same states. */
export class ConversationTracker {
  readonly #follower: WorkflowFollower | undefined;
  readonly #history: StateEntry[] = [];
  #state: ConversationState = { name: 'IDLE' };
  #session: ConversationSnapshot['session'] = { plugins: [], commands: [], turns: 0 };
  #turn: ConversationSnapshot['turn'] = { number: 0, response: '', toolCallsUnderWay: [] };

  constructor(workflow?: Workflow) {
    this.#follower = workflow === undefined ? undefined : new WorkflowFollower(workflow);
  }

  /** Takes the next event. Throws when it leads where the machine does not go. */
  apply(event: ConversationEvent): void {
    this.#note(event);
    const moved = this.#follower?.apply(event);
    for (const state of nextStates(this.#state, event, moved)) {
      if (state.name !== this.#state.name || this.#history.length === 0 || TURN_EVENTS.has(event.type)) {
        this.#history.push({ state: state.name, at: event.at, seq: event.seq, turn: event.turn });
      }
      this.#state = state;
    }
  }

  get state(): ConversationState {
    return this.#state;
  }

  /** The states in the order in which they were entered. */
  get history(): readonly StateEntry[] {
    return this.#history;
  }

  get workflow(): WorkflowProgress | undefined {
    return this.#follower?.progress;
  }

  snapshot(): ConversationSnapshot {
    const workflow = this.workflow;
    return {
      state: this.#state,
      actions: allowedActions(this.#state),
      session: { ...this.#session, ...defined({ workflowStage: workflow?.label }) },
      turn: { ...this.#turn, toolCallsUnderWay: [...this.#turn.toolCallsUnderWay] },
      ...defined({ workflow }),
    };
  }

  #note(event: ConversationEvent): void {
    switch (event.type) {
      case 'session':
        this.#noteSession(event);
        break;
      case 'prompt':
        this.#session.turns = event.turn;
        this.#turn = { number: event.turn, prompt: event.text, response: '', toolCallsUnderWay: [] };
        break;
      case 'command':
        this.#turn.command = { name: event.name, status: event.status };
        break;
      case 'text':
        if (event.parent === undefined) this.#say(event.text);
        break;
      case 'tool_call':
        this.#turn.toolCallsUnderWay.push(event.id);
        break;
      case 'tool_result':
        this.#turn.toolCallsUnderWay = this.#turn.toolCallsUnderWay.filter((id) => id !== event.id);
        break;
      case 'turn_ended':
        this.#turn.outcome = event.outcome;
        break;
      default:
        break;
    }
  }

  /** Not by `joinTexts`, which would copy all that was said for each new text. */
  #say(text: string): void {
    if (text !== '') this.#turn.response += this.#turn.response === '' ? text : `\n${text}`;
  }

  #noteSession(event: EventOf<'session'>): void {
    const { agent, stage, cwd, sessionId, version, mode, model, plugins, commands } = event;
    this.#session = {
      ...this.#session,
      agent,
      stage,
      cwd,
      startedAt: this.#session.startedAt ?? event.at,
      ...defined({ sessionId, version, mode, model, plugins: plugins?.map(({ name }) => name), commands }),
    };
  }
}

/** What the agent said, as one text: its pieces in order, each on its own line. */
export function joinTexts(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}

/** Goes through a stored log and gives its states. */
export function replayEvents(events: readonly ConversationEvent[], workflow?: Workflow): ConversationTracker {
  const tracker = new ConversationTracker(workflow);
  for (const event of events) tracker.apply(event);
  return tracker;
}
