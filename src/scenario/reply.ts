import type { Failure, Pace, ScriptedUsage } from './schema.js';

/** A tool that the scripted agent wants to run. `result` and `error` are what a mock gives back. */
export interface ToolUse {
  type: 'tool_use';
  tool: string;
  input: Record<string, unknown>;
  result?: unknown;
  error?: string | undefined;
}

export type Block = { type: 'text'; text: string } | { type: 'thinking'; text: string } | ToolUse;

/** What came back from a tool. */
export interface ToolResult {
  tool: string;
  text: string;
  isError: boolean;
}

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'stop_sequence' | 'refusal';

/** One message of the agent. A turn is a chain of them, with tool results in between. */
export interface Message {
  /** Where in the scenario it is written: `responses[2].turns[0]`, `responses[0].response.then[1]`. */
  place: string;
  blocks: Block[];
  stopReason: StopReason;
  usage?: ScriptedUsage;
  delayMs?: number;
  pace?: Pace;
  /** What the agent says once the tools of this message have run; present iff it uses tools. */
  next?: (results: readonly ToolResult[]) => Reply;
}

/** Nothing in the scenario answers. */
export interface Unanswered {
  kind: 'unanswered';
  /** What nothing answered: the prompt, or the results of tools. */
  what: 'prompt' | 'tool_results';
  text: string;
  /** The pattern that came nearest, if any came near. */
  nearest?: { place: string; pattern: string };
  /** One sentence and a fix, ready to show. */
  message: string;
  fix: string;
}

/** What the scenario says to a prompt or to tool results. */
export type Reply =
  | { kind: 'message'; message: Message }
  | {
      kind: 'failure';
      /** Where it is written. */
      place: string;
      failure: Failure;
      /** What is said once `failure.times` attempts have failed; absent when it always fails. */
      afterwards?: Message;
    }
  | Unanswered;
