import type { ConversationEvent } from '@understudy/agents';
import type { CompiledTrigger } from './trigger.js';
import type { Workflow } from './workflow.js';

/** One stay in a stage. */
export interface StageVisit {
  stage: string;
  iteration: number;
  enteredAt: string;
  exitedAt?: string;
  /** What led into it. */
  trigger: string;
  turn: number;
  actionsDone: string[];
}

/** A move from one stage to another, or an attempt at one that the workflow does not allow. */
export interface StageTransition {
  from: string;
  to: string;
  iteration: number;
  trigger: string;
  at: string;
  turn: number;
  seq: number;
  valid: boolean;
  /** Why it is not valid. */
  problem?: string;
}

/** Where a conversation stands in its workflow. */
export interface WorkflowProgress {
  workflow: string;
  stage: string;
  /** With the iteration: `capturing-iteration-2`. */
  label: string;
  iteration: number;
  visits: StageVisit[];
  transitions: StageTransition[];
  invalid: StageTransition[];
  actionsDone: string[];
  actionsRemaining: string[];
  finished: boolean;
}

/** Follows a workflow through the events of a conversation. */
export class WorkflowFollower {
  readonly #workflow: Workflow;
  readonly #calls = new Map<string, Record<string, unknown>>();
  readonly #visits: StageVisit[] = [];
  readonly #transitions: StageTransition[] = [];
  readonly #invalid: StageTransition[] = [];
  #commands: readonly string[] = [];
  #stage: string;
  #iteration = 1;

  constructor(workflow: Workflow) {
    this.#workflow = workflow;
    this.#stage = workflow.initial;
  }

  /** Takes an event, and returns the stage change that it caused, if it caused one. */
  apply(event: ConversationEvent): StageTransition | undefined {
    if (event.type === 'session') this.#commands = event.commands ?? this.#commands;
    if (event.type === 'tool_call') this.#calls.set(event.id, event.input);
    if (this.#visits.length === 0) this.#enter(event, 'start');
    this.#noteActions(event);
    const change = this.#change(event);
    if (change === undefined) return undefined;
    if (!change.valid) {
      this.#invalid.push(change);
      return undefined;
    }
    // Asking again for the stage that one is in is no move.
    if (change.from === change.to) return undefined;
    const last = this.#visits.at(-1);
    if (last !== undefined) last.exitedAt = event.at;
    this.#stage = change.to;
    this.#iteration = change.iteration;
    this.#transitions.push(change);
    this.#enter(event, change.trigger);
    return change;
  }

  get progress(): WorkflowProgress {
    const visit = this.#visits.at(-1);
    const actions = this.#actions().map(({ name }) => name);
    const done = visit?.actionsDone ?? [];
    return {
      workflow: this.#workflow.name,
      stage: this.#stage,
      label: this.#iteration > 1 ? `${this.#stage}-iteration-${this.#iteration}` : this.#stage,
      iteration: this.#iteration,
      visits: this.#visits.map((entry) => ({ ...entry, actionsDone: [...entry.actionsDone] })),
      transitions: [...this.#transitions],
      invalid: [...this.#invalid],
      actionsDone: [...done],
      actionsRemaining: actions.filter((name) => !done.includes(name)),
      finished: this.#workflow.final.includes(this.#stage),
    };
  }

  #enter(event: ConversationEvent, trigger: string): void {
    this.#visits.push({
      stage: this.#stage,
      iteration: this.#iteration,
      enteredAt: event.at,
      trigger,
      turn: event.turn,
      actionsDone: [],
    });
  }

  #change(event: ConversationEvent): StageTransition | undefined {
    const place = { from: this.#stage, at: event.at, turn: event.turn, seq: event.seq };
    let outOfTurn: { to: string; trigger: CompiledTrigger; allowed: readonly string[] } | undefined;
    for (const { from, to, on } of this.#workflow.transitions) {
      const trigger = on.find((candidate) => candidate.matches(event, this.#calls));
      if (trigger === undefined) continue;
      if (from.includes('*') || from.includes(this.#stage)) {
        const unclear = trigger.ambiguity(event, this.#commands);
        if (unclear !== undefined)
          return {
            ...place,
            to,
            iteration: this.#iteration,
            trigger: trigger.description,
            valid: false,
            problem: `${unclear}. Name it with its plugin in the workflow`,
          };
        const iteration = this.#iterationAfter(to);
        const { max } = this.#workflow.iterations ?? {};
        if (max !== undefined && iteration > max) {
          const problem = `${to} would begin iteration ${iteration}, and ${max} is the most`;
          return { ...place, to, iteration, trigger: trigger.description, valid: false, problem };
        }
        return { ...place, to, iteration, trigger: trigger.description, valid: true };
      }
      if (trigger.isCommand) outOfTurn ??= { to, trigger, allowed: from };
    }
    if (outOfTurn === undefined) return undefined;
    const { to, trigger, allowed } = outOfTurn;
    const problem = `${trigger.description} leads to ${to} only from ${allowed.join(' or ')}, and the stage is ${this.#stage}`;
    return { ...place, to, iteration: this.#iteration, trigger: trigger.description, valid: false, problem };
  }

  #iterationAfter(to: string): number {
    const again = to === this.#workflow.iterations?.stage && to !== this.#stage;
    return again && this.#visits.some(({ stage }) => stage === to) ? this.#iteration + 1 : this.#iteration;
  }

  #actions(): Workflow['stages'][number]['actions'] {
    return this.#workflow.stages.find(({ name }) => name === this.#stage)?.actions ?? [];
  }

  #noteActions(event: ConversationEvent): void {
    const visit = this.#visits.at(-1);
    if (visit === undefined) return;
    for (const { name, on } of this.#actions()) {
      if (!visit.actionsDone.includes(name) && on.some((trigger) => trigger.matches(event, this.#calls))) {
        visit.actionsDone.push(name);
      }
    }
  }
}
