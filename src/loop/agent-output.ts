import { stripVTControlCharacters } from 'node:util';
import type { Invocation } from './backend.js';

/** What an agent has said, taken from its output line by line. */
export interface AgentOutput {
  /** Its text so far. Tool calls, tool results and the CLI's own remarks are not its text. */
  readonly text: string;
  /** Whether its own record says that it failed; the exit code may still be 0. */
  readonly failed: boolean;
  /** Takes a line, and gives the text in it. */
  take(line: string): string;
}

/** Reads the output of an invocation. */
export function readOutput(kind: Invocation['output']): AgentOutput {
  return kind === 'stream-json' ? new StreamJsonOutput() : new TextOutput(kind === 'transcript');
}

/** Claude's events. Text is what its messages say; a line that is no event says nothing. */
class StreamJsonOutput implements AgentOutput {
  readonly #parts: string[] = [];
  #result: 'missing' | 'ok' | 'error' = 'missing';

  get text(): string {
    return this.#parts.join('\n');
  }

  get failed(): boolean {
    return this.#result !== 'ok';
  }

  take(line: string): string {
    const event = parseObject(line);
    if (event?.['type'] === 'result') this.#result = event['is_error'] === true ? 'error' : 'ok';
    // A subagent's words are not the agent's.
    if (event?.['type'] !== 'assistant' || typeof event['parent_tool_use_id'] === 'string') return '';
    const content = (event['message'] as { content?: unknown } | undefined)?.content;
    const said = (Array.isArray(content) ? (content as { type?: unknown; text?: unknown }[]) : [])
      .flatMap((block) => (block.type === 'text' && typeof block.text === 'string' ? [block.text] : []))
      .join('\n');
    if (said !== '') this.#parts.push(said);
    return said;
  }
}

/** Kiro marks where its answer starts with a coloured `> `, piped or not. */
const MARKER = new RegExp(`^(?:${String.fromCharCode(27)}\\[[0-9;]*m)+> ${String.fromCharCode(27)}\\[0m`);

class TextOutput implements AgentOutput {
  readonly failed = false;
  readonly #lines: string[] = [];
  readonly #marked: boolean;

  constructor(marked: boolean) {
    this.#marked = marked;
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  take(line: string): string {
    const said = stripVTControlCharacters(this.#marked ? line.replace(MARKER, '') : line);
    this.#lines.push(said);
    return said;
  }
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
