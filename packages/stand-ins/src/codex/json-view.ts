import type { ToolCall } from '../shared/play-turn.js';
import { patchInCommand } from './patch-command.js';
import { type CodexView, type RunHead, type Streams, shellLine, type TokenTotals, troubleLine } from './view.js';

/** `codex exec --json`: one event per line. */
export class JsonView implements CodexView {
  readonly #streams: Streams;
  #items = 0;
  /** The item of the command that runs. */
  #running = '';

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  onBegin({ session, warnings }: RunHead): void {
    this.#write({ type: 'thread.started', thread_id: session });
    for (const message of warnings) this.#completed({ type: 'error', message });
    this.#write({ type: 'turn.started' });
  }

  onStepStart(): void {}

  onText(text: string): void {
    if (text !== '') this.#completed({ type: 'agent_message', text });
  }

  onThinking(text: string): void {
    this.#completed({ type: 'reasoning', text });
  }

  onToolStart(call: Pick<ToolCall, 'name' | 'input'>): void {
    if (call.name !== 'exec_command' || patchInCommand(String(call.input['cmd'])) !== undefined) return;
    this.#running = this.#newItem();
    this.#item('started', { ...this.#command(call), aggregated_output: '', exit_code: null, status: 'in_progress' });
  }

  onToolCall(call: ToolCall): void {
    const { patch, shell } = call.result;
    if (patch !== undefined) this.#fileChange(patch.changes);
    else if (shell === undefined) this.#streams.error(troubleLine(call));
    else if (!shell.running) {
      const status = shell.exit === 0 ? 'completed' : 'failed';
      const outcome = { aggregated_output: shell.output, exit_code: shell.exit, status };
      this.#item('completed', { ...this.#command(call), ...outcome });
    }
  }

  onStepEnd(): void {}

  onPartialText(): void {}

  onDone({ input, output, cacheRead }: TokenTotals): void {
    const usage = {
      input_tokens: input,
      cached_input_tokens: cacheRead,
      cache_write_input_tokens: 0,
      output_tokens: output,
      reasoning_output_tokens: 0,
    };
    this.#write({ type: 'turn.completed', usage });
  }

  onError(message: string): void {
    this.#write({ type: 'error', message });
    this.#write({ type: 'turn.failed', error: { message } });
  }

  #fileChange(changes: readonly { path: string; kind: string }[]): void {
    const item = { id: this.#newItem(), type: 'file_change', changes };
    this.#item('started', { ...item, status: 'in_progress' });
    this.#item('completed', { ...item, status: 'completed' });
  }

  #command(call: Pick<ToolCall, 'input'>): Record<string, unknown> {
    return { id: this.#running, type: 'command_execution', command: shellLine(call) };
  }

  #completed(item: Record<string, unknown>): void {
    this.#item('completed', { id: this.#newItem(), ...item });
  }

  #item(stage: 'started' | 'completed', item: Record<string, unknown>): void {
    this.#write({ type: `item.${stage}`, item });
  }

  #newItem(): string {
    return `item_${this.#items++}`;
  }

  #write(event: Record<string, unknown>): void {
    this.#streams.out(`${JSON.stringify(event)}\n`);
  }
}
