import { isObject, type JsonObject } from '@understudy/kit';
import { writeOut } from '../../shared/write-out.js';

export type OutputFormat = 'text' | 'json' | 'stream-json';

/** A line of the stream, as `stream-json` prints it. */
export type OutputEvent = JsonObject & { type: string };

/** Prints the events of a session in one output format. */
export interface Output {
  event(event: OutputEvent): void;
  /** The session is over. */
  end(): void;
}

/** `text`: the last text of the agent, and the error if there is one. */
class TextOutput implements Output {
  #said = '';
  #results = 0;

  event(event: OutputEvent): void {
    if (event.type === 'user') this.#said = '';
    if (event.type === 'assistant') this.#said = textOfMessage(event['message']) ?? this.#said;
    if (event.type !== 'result') return;
    // The first part of an answer that was cut off is printed too.
    const before = event['terminal_reason'] === 'api_error' && this.#said !== '' ? `${this.#said}\n` : '';
    const gap = this.#results++ > 0 ? '\n' : '';
    writeOut(1, `${gap}${before}${textOfResult(event)}\n`);
  }

  end(): void {}
}

/** The text of a model's message; undefined for messages of the CLI itself. */
function textOfMessage(message: unknown): string | undefined {
  if (!isObject(message) || message['model'] === '<synthetic>' || !Array.isArray(message['content'])) return undefined;
  const text: unknown = message['content'].findLast((block) => isObject(block) && block['type'] === 'text')?.text;
  return typeof text === 'string' ? text : undefined;
}

function textOfResult(result: OutputEvent): string {
  if (typeof result['result'] === 'string') return result['result'];
  const first = Array.isArray(result['errors']) ? String(result['errors'][0] ?? '') : '';
  const turns = /^Reached maximum number of turns \((.*)\)$/.exec(first);
  if (turns !== null) return `Error: Reached max turns (${turns[1]})`;
  const budget = /^Reached maximum budget \(\$(.*)\)$/.exec(first);
  if (budget !== null) return `Error: Exceeded USD budget (${budget[1]})`;
  return first === '' ? 'Execution error' : first;
}

/** Events that only a host that reads along is sent. */
const STREAM_ONLY: ReadonlySet<string> = new Set([
  ...['conversation_reset', 'background_tasks_changed', 'session_title_changed'],
  ...['permission_denied', 'hook_started', 'hook_response'],
  ...['task_started', 'task_progress', 'task_updated', 'task_notification'],
]);

/** One JSON document: the result, or with `--verbose` the list of events. */
class JsonOutput implements Output {
  readonly #all: OutputEvent[] = [];
  readonly #verbose: boolean;

  constructor(verbose: boolean) {
    this.#verbose = verbose;
  }

  event(event: OutputEvent): void {
    if (STREAM_ONLY.has(event.type) || STREAM_ONLY.has(String(event['subtype']))) return;
    const { model_usage_since_last_result: _, ...shown } = event;
    this.#all.push(shown);
  }

  end(): void {
    const result = this.#all.findLast(({ type }) => type === 'result');
    if (this.#verbose) writeOut(1, `${JSON.stringify(this.#all)}\n`);
    else if (result !== undefined) writeOut(1, `${JSON.stringify(result)}\n`);
  }
}

/** `stream-json`: one event per line, without delay. */
class StreamJsonOutput implements Output {
  event(event: OutputEvent): void {
    writeOut(1, `${JSON.stringify(event)}\n`);
  }

  end(): void {}
}

export function createOutput(format: OutputFormat, verbose: boolean): Output {
  if (format === 'stream-json') return new StreamJsonOutput();
  return format === 'json' ? new JsonOutput(verbose) : new TextOutput();
}
