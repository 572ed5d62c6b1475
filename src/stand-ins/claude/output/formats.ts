import { isObject, type JsonObject } from '../../../document/json.js';
import { writeOut } from '../../shared/write-out.js';

export type OutputFormat = 'text' | 'json' | 'stream-json';

/** A line of the stream, as `stream-json` prints it. */
export type OutputEvent = JsonObject & { type: string };

/** Where the events of a session go. Each format makes its own of them. */
export interface Output {
  event(event: OutputEvent): void;
  /** The session is over. */
  end(): void;
}

/** Text is the last thing that the agent said, and what went wrong. */
class TextOutput implements Output {
  #said = '';

  event(event: OutputEvent): void {
    if (event.type === 'user') this.#said = '';
    if (event.type === 'assistant') this.#said = textOfMessage(event['message']) ?? this.#said;
    if (event.type !== 'result') return;
    // An answer that was cut off is printed as far as it got.
    const before = event['terminal_reason'] === 'api_error' && this.#said !== '' ? `${this.#said}\n` : '';
    writeOut(1, `${before}${textOfResult(event)}\n`);
  }

  end(): void {}
}

/** What a model said in a message; the CLI's own messages are not that. */
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
      // Only the stream tells what came since the result before.
      const { model_usage_since_last_result: _, ...document } = result;
      writeOut(1, `${JSON.stringify(document)}\n`);
    }
  }
}

/** One event to a line, at once. */
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
