import type { ConversationEvent } from '@understudy/agents';
import { defined, type Unreadable } from '@understudy/kit';
import type { ScriptUsage } from '@understudy/script';
import type { CheckResult, Place, StepResult, Testimony } from '@understudy/verdict';
import type { Step } from './schema.js';
import { describeStep } from './terminal-step.js';

/** Takes the steps of a rehearsal that are of one kind: those of a conversation, or programs. */
export interface StepPlayer {
  /** Takes a step, and judges what it did. */
  take(step: Step, number: number, place: Place): Promise<StepResult>;
  /** After the last step, while everything still runs. */
  finish(): Promise<void>;
  close(): Promise<void>;
  /** What it finds besides the steps, when it is closed. */
  checks(): CheckResult[];
  /** What happened, for what is looked for in all of it. */
  readonly events: readonly ConversationEvent[];
  /** What was seen twice: as it was printed, and on the wire. */
  testimonies(): readonly Testimony[];
  /** What was written down and could not be read. */
  readonly unreadable: readonly Unreadable[];
  /** What of the script was used; of a log that it shares with another player, the other one knows. */
  usage(): ScriptUsage | undefined;
}

export function notReached(step: Step, number: number): StepResult {
  return {
    ...{ number, ...defined({ name: step.name }), send: describeStep(step), reached: false, said: '' },
    ...{ checks: [], duration_ms: 0 },
  };
}
