import type { EventBody, EventType, TurnEnded } from '@understudy/agents';
import { defaultOutputLimits, describeCut, OutputBudget, type OutputCut, type OutputLimits } from '@understudy/kit';

/** What is recorded even after the cut: few events, of ours. */
const ALWAYS: ReadonlySet<EventType> = new Set<EventType>([
  'prompt',
  'turn_ended',
  'process_ended',
  'session_ended',
  'interrupt',
  'file_changed',
  'files_not_watched',
  'commit',
  'output_cut',
]);

const FIXES: Record<OutputCut['scope'], string> = {
  turn: 'Make the agent, its tools and its hooks write less, or raise `limits.turn_mb`',
  conversation: 'Make the agent, its tools and its hooks write less, or raise `limits.conversation_mb`',
  run: 'Run fewer rehearsals at a time, for example with `--shard 1/2`',
  program: 'Make the program write less',
};

/** Bounds what a conversation reads and keeps, and says where it was cut. */
export class OutputWatch {
  /** Also given to the agent's process, which is killed when it is spent. */
  readonly budget: OutputBudget;
  #told = false;

  constructor(limits: Partial<OutputLimits> = {}, within?: OutputBudget) {
    const { turnBytes, conversationBytes } = { ...defaultOutputLimits, ...limits };
    this.budget = new OutputBudget('turn', turnBytes, new OutputBudget('conversation', conversationBytes, within));
  }

  /** What to record for an event, before it is counted: nothing of a flood once it was cut. */
  admit(event: EventBody): EventBody[] {
    if (event.type === 'prompt') {
      this.budget.renew();
      this.#told = false;
    }
    const kept = this.budget.cut === undefined || ALWAYS.has(event.type) ? [event] : [];
    // A prompt opens the turn to which the cut belongs.
    return event.type === 'prompt' ? [...kept, ...this.news()] : [...this.news(), ...kept];
  }

  /** That there was a cut, once per turn. */
  news(): EventBody[] {
    const { cut } = this.budget;
    if (cut === undefined || this.#told) return [];
    this.#told = true;
    return [{ type: 'output_cut', ...cut }];
  }

  /** The end of a turn: one that was cut has failed, however it ended. */
  judge(ended: TurnEnded): TurnEnded {
    const { cut } = this.budget;
    if (cut === undefined) return ended;
    const message = `${describeCut(cut)}: the agent was stopped. ${FIXES[cut.scope]}.`;
    return { ...ended, outcome: 'failed', reason: 'too_much_output', message };
  }
}
