import { stripVTControlCharacters } from 'node:util';
import type { Invocation } from './backend.js';

/** What an agent has said, read from its output line by line. */
export interface AgentOutput {
  /** Its text so far, without tool calls, tool results and remarks of the CLI. */
  readonly text: string;
  /** Whether its own record says that it failed; the exit code may still be 0. */
  readonly failed: boolean;
  /** How many tools it used and how many tokens it wrote, where its output reports them. */
  readonly toolCalls?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** What it cost, in USD. */
  readonly costUsd?: number | undefined;
  /** Reads a line of stdout, and gives the text in it. */
  readLine(line: string): string;
  /** Reads a line of stderr. */
  readError(line: string): void;
}

/** Reads the output of an invocation. */
export function readOutput(kind: Invocation['output']): AgentOutput {
  return kind === 'stream-json' ? new StreamJsonOutput() : new TextOutput(kind);
}

interface StreamEvent {
  type?: unknown;
  parent_tool_use_id?: unknown;
  message?: { content?: unknown };
  is_error?: unknown;
  usage?: { output_tokens?: unknown };
  total_cost_usd?: unknown;
}

/** Claude's events. The text is in its messages; lines that are not events are ignored. */
class StreamJsonOutput implements AgentOutput {
  readonly #parts: string[] = [];
  failed = true;
  toolCalls = 0;
  outputTokens: number | undefined;
  costUsd: number | undefined;

  get text(): string {
    return this.#parts.join('\n');
  }

  readLine(line: string): string {
    const event = parseEvent(line);
    if (event.type === 'result') {
      this.failed = event.is_error === true;
      const tokens = event.usage?.output_tokens;
      if (typeof tokens === 'number') this.outputTokens = tokens;
      if (typeof event.total_cost_usd === 'number') this.costUsd = event.total_cost_usd;
    }
    // What a subagent says and does does not count.
    if (event.type !== 'assistant' || typeof event.parent_tool_use_id === 'string') return '';
    const content = event.message?.content;
    const blocks = Array.isArray(content) ? (content as { type?: unknown; text?: unknown }[]) : [];
    this.toolCalls += blocks.filter(({ type }) => type === 'tool_use').length;
    const said = blocks
      .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
      .join('\n');
    if (said !== '') this.#parts.push(said);
    return said;
  }

  readError(): void {}
}

const ESCAPE = String.fromCharCode(27);
/** Kiro marks the start of its answer with a colored `> `, also in a pipe. */
const MARKER = new RegExp(`^(?:${ESCAPE}\\[[0-9;]*m)+> ${ESCAPE}\\[0m`);
/** How a CLI announces a tool: Kiro in its transcript, OpenCode with a mark on stderr. */
const TOOL_LINES = { kiro: /\(using tool: \S+\)\s*$/, opencode: new RegExp(`^${ESCAPE}\\[0m\\S ${ESCAPE}\\[0m`) };

/** The agent's words, without colors. */
class TextOutput implements AgentOutput {
  readonly failed = false;
  toolCalls: number | undefined;
  readonly #lines: string[] = [];
  readonly #toolLine: RegExp | undefined;

  constructor(kind: 'kiro' | 'opencode' | 'text') {
    this.#toolLine = kind === 'text' ? undefined : TOOL_LINES[kind];
    if (this.#toolLine !== undefined) this.toolCalls = 0;
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  readLine(line: string): string {
    this.readError(line);
    const said = stripVTControlCharacters(line.replace(MARKER, ''));
    this.#lines.push(said);
    return said;
  }

  readError(line: string): void {
    if (this.toolCalls !== undefined && this.#toolLine?.test(line)) this.toolCalls++;
  }
}

function parseEvent(line: string): StreamEvent {
  try {
    return (JSON.parse(line) as StreamEvent | null) ?? {};
  } catch {
    return {};
  }
}
