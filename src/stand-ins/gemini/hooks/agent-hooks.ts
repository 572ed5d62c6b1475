import type { PlayedTurn } from '../../shared/play-turn.js';
import type { HookVerdict } from './hook-output.js';

/** What is shown of the verdicts of hooks about the whole agent. */
export interface AgentView {
  /** What was said so far, answer by answer. */
  readonly said: readonly string[];
  onStopped(message: string, isTold: boolean): void;
  onBlocked(message: string): void;
  onGoOn(reason: string): void;
  onDone(): void;
}

/** Runs the hooks around the agent. */
interface AgentEvents {
  beforeAgent(prompt: string): Promise<HookVerdict | undefined>;
  afterAgent(prompt: string, response: string, isActive: boolean): Promise<HookVerdict | undefined>;
}

/** Hooks do not let the agent begin. */
export interface AgentEnd {
  message: string;
  isStop: boolean;
}

/** The hooks around all that the agent does for one prompt. */
export class AgentHooks {
  /** As the model gets it. */
  readonly prompt: string;
  readonly #hooks: AgentEvents;
  readonly #view: AgentView;
  /** A hook has already objected to the end. */
  #isActive = false;
  #isStopped = false;

  constructor(hooks: AgentEvents, view: AgentView, prompt: string) {
    this.#hooks = hooks;
    this.#view = view;
    this.prompt = prompt;
  }

  /** A hook has ended the run, and it was shown. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Whether the model is asked at all, and what it is told besides. */
  async before(prompt: string): Promise<{ end?: AgentEnd; context?: string }> {
    const verdict = await this.#hooks.beforeAgent(prompt);
    const end = endOf(verdict);
    if (end !== undefined) return { end };
    return verdict?.context === undefined ? {} : { context: verdict.context };
  }

  /** What the agent is told when a hook objects to its end. */
  readonly goOn = async (turn: PlayedTurn): Promise<string | undefined> => {
    // An answer without anything in it is none.
    if (turn.end.kind !== 'done' || (turn.lastText === undefined && turn.calls.length === 0)) return undefined;
    const verdict = await this.#hooks.afterAgent(this.prompt, this.#view.said.join('\n'), this.#isActive);
    const end = endOf(verdict);
    if (end === undefined) return undefined;
    if (end.isStop) this.show(end);
    if (end.isStop || verdict?.blocked === undefined) return undefined;
    this.#view.onBlocked(end.message);
    this.#isActive = true;
    const next = await this.before(verdict.blocked);
    if (next.end !== undefined) {
      this.show(next.end);
      return undefined;
    }
    this.#view.onGoOn(verdict.blocked);
    return verdict.blocked;
  };

  /** Shows that hooks have ended the run. */
  show({ message, isStop }: AgentEnd): void {
    this.#isStopped = true;
    if (isStop) this.#view.onStopped(message, true);
    else {
      this.#view.onBlocked(message);
      this.#view.onDone();
    }
  }
}

function endOf(verdict: HookVerdict | undefined): AgentEnd | undefined {
  const told = verdict?.systemMessage?.trim();
  if (verdict?.stopped !== undefined)
    return { message: `Agent execution stopped: ${told || verdict.stopped}`, isStop: true };
  if (verdict?.blocked === undefined) return undefined;
  return { message: `Agent execution blocked: ${told || verdict.blocked}`, isStop: false };
}
