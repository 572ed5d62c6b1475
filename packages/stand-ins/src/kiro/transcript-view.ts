import type { ToolCall, TurnView } from '../shared/play-turn.js';

const ESCAPE = '\u001b';

export interface Streams {
  out(text: string): void;
  error(text: string): void;
}

/** A transcript for people on stdout. Like the real CLI it has colors even in a pipe. */
export class TranscriptView implements TurnView {
  readonly #streams: Streams;
  readonly #marker: string;
  readonly #started = Date.now();

  constructor(streams: Streams, noColor: boolean) {
    this.#streams = streams;
    this.#marker = noColor ? `${ESCAPE}[m> ${ESCAPE}[0m` : `${ESCAPE}[38;5;141m> ${ESCAPE}[0m`;
  }

  onStepStart(): void {}

  onText(text: string): void {
    this.#streams.out(`${this.#marker}${text.trim()}\n`);
  }

  onThinking(): void {}

  onToolCall({ name, input, result, started, ended }: ToolCall): void {
    this.#streams.out(`${announcement(name, input)} (using tool: ${name})\n`);
    const outcome = result.isError
      ? ` ✗ ${result.text.trim()}`
      : name === 'shell'
        ? result.text.trimEnd()
        : ` ✓ ${summary(name, result.text)}`;
    if (outcome !== '') this.#streams.out(`${outcome}\n`);
    this.#streams.out(` - Completed in ${((ended - started) / 1000).toFixed(2)}s\n\n`);
  }

  onStepEnd(): void {}

  onPartialText(partial: string): void {
    this.onText(partial);
  }

  /** The last line, on stderr. The real CLI has no other sign that a turn ran. */
  trailer(): void {
    const seconds = Math.max(1, Math.round((Date.now() - this.#started) / 1000));
    this.#streams.error(`\n ▸ Credits: 0.01 • Time: ${seconds}s\n`);
  }
}

function announcement(name: string, input: Record<string, unknown>): string {
  const path = String(input['path'] ?? '');
  switch (name) {
    case 'shell':
      return `I will run the following command: ${String(input['command'] ?? '')}`;
    case 'read':
      return `Reading file: ${path}, all lines`;
    case 'write':
      return `I'll create the following file: ${path}`;
    case 'edit':
      return `I'll modify the following file: ${path}`;
    default:
      return `Running tool ${name} with ${JSON.stringify(input)}`;
  }
}

function summary(name: string, text: string): string {
  return name === 'read' ? `Successfully read ${Buffer.byteLength(text)} bytes` : text.trim();
}
