import { isObject, type JsonObject } from '../../../document/json.js';
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

  event(event: OutputEvent): void {
    if (event.type === 'user') this.#said = '';
    if (event.type === 'assistant') this.#said = textOfMessage(event['message']) ?? this.#said;
    if (event.type !== 'result') return;
    // The first part of an answer that was cut off is printed too.
    const before = event['terminal_reason'] === 'api_error' && this.#said !== '' ? `${this.#said}\n` : '';
    writeOut(1, `${before}${textOfResult(event)}\n`);
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

/** One JSON document: the result, or with `--verbose` the list of all events. */
class JsonOutput implements Output {
  readonly #all: OutputEvent[] = [];
  readonly #verbose: boolean;

  constructor(verbose: boolean) {
    this.#verbose = verbose;
  }

  event(event: OutputEvent): void {
    this.#all.push(event);
  }

  end(): void {
    const result = this.#all.findLast(({ type }) => type === 'result');
    if (this.#verbose) writeOut(1, `${JSON.stringify(this.#all)}\n`);
    else if (result !== undefined) {
      // This field is in the stream only.
      const { model_usage_since_last_result: _, ...document } = result;
      writeOut(1, `${JSON.stringify(document)}\n`);
    }
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
