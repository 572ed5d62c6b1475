import type { ToolCall } from '../shared/play-turn.js';
import type { Paint } from './paint.js';
import { patchInCommand } from './patch-command.js';
import { type CodexView, type RunHead, type Streams, shellLine, type TokenTotals, troubleLine } from './view.js';

/** `codex exec --json`: one event per line. */
export class JsonView implements CodexView {
  readonly #streams: Streams;
  /** For Codex's log, which goes to stderr. */
  readonly #paint: Paint;
  #items = 0;
  /** The item of the command that runs. */
  #running = '';
  #serverOf: ReadonlyMap<string, string> = new Map();

  constructor(streams: Streams, paint: Paint) {
    this.#streams = streams;
    this.#paint = paint;
  }

  onBegin({ session, warnings, hint, serverOf = new Map() }: RunHead): void {
    this.#serverOf = serverOf;
    this.#write({ type: 'thread.started', thread_id: session });
    // What a reviewer is warned of belongs to its turn.
    if (hint !== undefined) this.#write({ type: 'turn.started' });
    for (const message of warnings) this.#completed({ type: 'error', message });
    if (hint === undefined) this.#write({ type: 'turn.started' });
  }

  onStepStart(): void {}

  onText(text: string): void {
    if (text !== '') this.#completed({ type: 'agent_message', text });
  }

  onThinking(text: string): void {
    this.#completed({ type: 'reasoning', text });
  }

  onToolStart(call: Pick<ToolCall, 'name' | 'input'>): void {
    if (this.#serverOf.has(call.name)) {
      this.#running = this.#newItem();
      this.#item('started', { ...this.#serverCall(call), result: null, error: null, status: 'in_progress' });
      return;
    }
    if (call.name !== 'exec_command' || patchInCommand(String(call.input['cmd'])) !== undefined) return;
    this.#running = this.#newItem();
    this.#item('started', { ...this.#command(call), aggregated_output: '', exit_code: null, status: 'in_progress' });
  }

  onToolCall(call: ToolCall): void {
    const { patch, shell } = call.result;
    if (this.#serverOf.has(call.name)) {
      const status = call.result.isError ? 'failed' : 'completed';
      this.#item('completed', { ...this.#serverCall(call), ...serverAnswer(call.result), status });
    } else if (patch !== undefined) this.#fileChange(patch.changes);
    else if (shell === undefined) this.#streams.error(troubleLine(call, this.#paint));
    else if (!shell.running) {
      const status = shell.exit === 0 ? 'completed' : 'failed';
      const outcome = { aggregated_output: shell.output, exit_code: shell.exit, status };
      this.#item('completed', { ...this.#command(call), ...outcome });
    }
  }

  onStepEnd(): void {}

  onPartialText(): void {}

  onDone(tokens: TokenTotals | undefined): void {
    const { input, output, cacheRead } = tokens ?? { input: 0, output: 0, cacheRead: 0 };
    const usage = {
      input_tokens: input,
      cached_input_tokens: cacheRead,
      cache_write_input_tokens: 0,
      output_tokens: output,
      reasoning_output_tokens: 0,
    };
    this.#write({ type: 'turn.completed', usage });
  }

  onError(message: string, lastWords?: string): void {
    this.#write({ type: 'error', message });
    if (lastWords !== undefined) this.onText(lastWords);
    this.#write({ type: 'turn.failed', error: { message } });
  }

  #fileChange(changes: readonly { path: string; kind: string }[]): void {
    const item = { id: this.#newItem(), type: 'file_change', changes };
    this.#item('started', { ...item, status: 'in_progress' });
    this.#item('completed', { ...item, status: 'completed' });
  }

  #serverCall({ name, input }: Pick<ToolCall, 'name' | 'input'>): Record<string, unknown> {
    const server = this.#serverOf.get(name);
    return { id: this.#running, type: 'mcp_tool_call', server, tool: name, arguments: input };
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

/** What a server has said. A result of the scenario is a text. */
function serverAnswer({ text, mcp }: ToolCall['result']): { result: unknown; error: unknown } {
  if (mcp !== undefined && 'error' in mcp) return { result: null, error: { message: mcp.error } };
  const { content, structured } = mcp ?? { content: [{ type: 'text', text }], structured: null };
  return { result: { content, structured_content: structured }, error: null };
}
