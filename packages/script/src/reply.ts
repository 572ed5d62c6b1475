import type { Failure, Pace, ScriptedUsage } from './schema.js';

/** A tool call of the scripted agent. A mocked tool returns `result` or `error`. */
export interface ToolUse {
  type: 'tool_use';
  tool: string;
  input: Record<string, unknown>;
  result?: unknown;
  error?: string | undefined;
  /** False: it is called although the agent does not offer it. */
  offered?: false | undefined;
}

/** `pieces`: the text as the script cuts it for a stream. */
export type Block = { type: 'text'; text: string; pieces?: string[] } | { type: 'thinking'; text: string } | ToolUse;

/** The result of a tool call. */
export interface ToolResult {
  tool: string;
  text: string;
  isError: boolean;
}

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'stop_sequence' | 'refusal';

/** One message of the agent. A turn is a chain of them, with tool results in between. */
export interface Message {
  /** Where in the scenario it is written: `responses[2].turns[0]`, `responses[0].response.then[1]`. */
  rulePath: string;
  blocks: Block[];
  stopReason: StopReason;
  usage?: ScriptedUsage;
  delayMs?: number;
  pace?: Pace;
  /**
   * Continues the turn after the tools of this message have run. Present if and only if it uses tools. `feedback` is what
   * hooks added for the model next to the results.
   */
  next?: (results: readonly ToolResult[], feedback?: string) => Reply;
}

/** The scenario has no answer. */
export interface Unanswered {
  kind: 'unanswered';
  /** What has no answer: the prompt, or tool results. */
  what: 'prompt' | 'tool_results';
  text: string;
  /** The most similar rule, if there is one. */
  nearest?: { rulePath: string; pattern: string };
  /** One sentence and a fix for people. */
  message: string;
  fix: string;
}

/** The answer of a scenario to a prompt or to tool results. */
export type Reply =
  | { kind: 'message'; message: Message }
  | {
      kind: 'failure';
      /** Where it is written. */
      rulePath: string;
      failure: Failure;
      /** The answer after `failure.times` failed attempts. Absent if it always fails. */
      afterwards?: Message;
    }
  | Unanswered;

/** The words of a message. */
export function textOf({ blocks }: Message): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}
