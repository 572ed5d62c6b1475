import type { ConversationEvent, EventOf, TokenUsage, TurnEnded } from '@understudy/agents';
import { defined } from '@understudy/kit';
import { type CommandUse, commandUses } from './context/commands.js';
import { type ToolUse, toolUses } from './context/tools.js';
import type { Told } from './told.js';
import { joinTexts } from './tracker.js';
import type { StageTransition, WorkflowProgress } from './workflow/progress.js';

/** One turn of a conversation: the prompt, and everything that happened until its end. */
export interface Turn {
  number: number;
  prompt: string;
  /** All that the agent said to the user, in order. */
  text: string;
  outcome: TurnEnded['outcome'];
  /** `completed`, and nothing less. */
  ok: boolean;
  /** Why it is not: `unknown_command`, `api_error`, `blocked_by_hook` … */
  reason?: string;
  message?: string;
  tools: ToolUse[];
  command?: CommandUse;
  hooks: EventOf<'hook_finished'>[];
  permissions: EventOf<'permission'>[];
  files: EventOf<'file_changed'>[];
  commits: EventOf<'commit'>[];
  /** Moves of the workflow in this turn, in order. */
  transitions: StageTransition[];
  /** The workflow stage at the turn's end, with its iteration. */
  workflowStage?: string;
  usage?: TokenUsage;
  costUsd?: number;
  milliseconds: number;
  events: readonly ConversationEvent[];
  /** Absent for a turn of a stored log. Not enumerable: a turn is printed and compared without it. */
  readonly conversation?: TurnSource;
}

/** What a turn shows of the conversation around it. */
export interface TurnSource {
  readonly cwd: string;
  readonly home: string;
  readonly events: readonly ConversationEvent[];
  readonly turns: readonly Turn[];
  workflowAfter(turn: number): WorkflowProgress | undefined;
  told(turn: number): Told;
}

/** Gathers a turn from a conversation's events. */
export function turnOf(
  events: readonly ConversationEvent[],
  number: number,
  workflow?: { label: string; transitions: readonly StageTransition[] },
  conversation?: TurnSource,
): Turn | undefined {
  const own = events.filter((event) => event.turn === number);
  const prompt = pick(own, 'prompt')[0];
  const ended = pick(own, 'turn_ended')[0];
  if (prompt === undefined || ended === undefined) return undefined;
  const [command] = commandUses(own);
  const { outcome, reason, message, usage, costUsd, milliseconds } = ended;
  const turn: Turn = {
    number,
    prompt: prompt.text,
    text: joinTexts(pick(own, 'text').flatMap(({ text, parent }) => (parent === undefined ? [text] : []))),
    outcome,
    ok: outcome === 'completed',
    ...defined({ reason, message }),
    tools: toolUses(own),
    ...defined({ command }),
    hooks: pick(own, 'hook_finished'),
    permissions: pick(own, 'permission'),
    files: pick(own, 'file_changed'),
    commits: pick(own, 'commit'),
    transitions: (workflow?.transitions ?? []).filter((transition) => transition.turn === number),
    ...defined({ workflowStage: workflow?.label, usage, costUsd }),
    milliseconds,
    events: own,
  };
  return conversation === undefined ? turn : Object.defineProperty(turn, 'conversation', { value: conversation });
}

/** The events of one kind. */
export function pick<T extends ConversationEvent['type']>(events: readonly ConversationEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> & ConversationEvent => event.type === type);
}
