import type { ToolCall } from '../shared/play-turn.js';
import type { StepUsage } from '../shared/step-usage.js';
import { RolloutFile } from './rollout-file.js';
import type { CodexView, RunHead, TokenTotals } from './view.js';

/** Where a session is written. */
export interface RolloutPlace {
  /** Codex's home. */
  home: string;
  version: string;
  /** A new session, or one that goes on. */
  isNew: boolean;
  turnId: string;
  /** The tokens of earlier turns. */
  tokens: TokenTotals;
}

/** The exit code of a command that was still running at the end. */
const KILLED = -1;

/** Codex's record of a session: one JSON line for everything that happens in it. */
export class Rollout implements CodexView {
  readonly #place: RolloutPlace;
  #file: RolloutFile | undefined;
  #session = '';
  #cwd = '';
  #tokens: TokenTotals;
  #lastMessage: string | null = null;
  /** Commands that end with the turn. */
  readonly #running: Record<string, unknown>[] = [];

  constructor(place: RolloutPlace) {
    this.#place = place;
    this.#tokens = place.tokens;
  }

  onBegin({ session, cwd, model, approval, sandbox, prompt }: RunHead): void {
    const { home, version, isNew, turnId } = this.#place;
    this.#session = session;
    this.#cwd = cwd;
    const file = new RolloutFile(home, session);
    this.#file = file;
    if (isNew)
      file.write('session_meta', {
        ...{ session_id: session, id: session, timestamp: new Date().toISOString(), cwd },
        ...{ runtime_workspace_roots: [cwd], originator: 'codex_exec', cli_version: version },
        ...{ source: 'exec', thread_source: 'user', model_provider: 'understudy' },
      });
    file.started(turnId);
    const policy = { approval_policy: approval, sandbox_policy: { type: sandbox } };
    file.write('turn_context', { turn_id: turnId, cwd, ...policy, model, summary: 'none' });
    file.message('user', 'input_text', prompt);
    this.#item(userItem(prompt));
  }

  onStepStart(): void {}

  onText(text: string): void {
    if (text === '') return;
    this.#lastMessage = text;
    this.#item({ type: 'AgentMessage', content: [{ type: 'Text', text }] });
    this.#file?.message('assistant', 'output_text', text);
  }

  onThinking(text: string): void {
    this.#item({ type: 'Reasoning', summary_text: [text] });
  }

  onToolStart({ id, name, input }: Pick<ToolCall, 'id' | 'name' | 'input'>): void {
    const call = { status: 'completed', call_id: `call_${id}`, name };
    if (name === 'apply_patch')
      this.#file?.response('custom_tool_call', { ...call, input: String(Object.values(input)[0] ?? '') });
    else this.#file?.response('function_call', { ...call, arguments: JSON.stringify(input) });
  }

  onToolCall({ id, name, input, result }: ToolCall): void {
    const item = toolItem({ id, input, result }, this.#cwd);
    if (item !== undefined && result.shell?.running) this.#running.push(item);
    else if (item !== undefined) this.#item(item);
    const type = name === 'apply_patch' ? 'custom_tool_call_output' : 'function_call_output';
    this.#file?.response(type, { call_id: `call_${id}`, output: result.text });
  }

  onStepEnd(_message: unknown, usage: StepUsage): void {
    this.#tokens = addTokens(this.#tokens, usage);
    const info = { total_token_usage: tokenRecord(this.#tokens), last_token_usage: tokenRecord(usage) };
    this.#file?.event('token_count', { info });
  }

  onPartialText(): void {}

  onDone(): void {
    this.#file?.completed(this.#place.turnId, this.#lastMessage);
    for (const item of this.#running) this.#item(item);
  }

  onError(): void {
    this.onDone();
  }

  #item(item: Record<string, unknown>): void {
    this.#file?.item({ thread: this.#session, turn: this.#place.turnId }, item);
  }
}

function userItem(prompt: string): Record<string, unknown> {
  return { type: 'UserMessage', content: [{ type: 'text', text: prompt, text_elements: [] }] };
}

/** What a tool did, where Codex reports it. */
function toolItem(
  { id, input, result: { shell, patch } }: Pick<ToolCall, 'id' | 'input' | 'result'>,
  cwd: string,
): Record<string, unknown> | undefined {
  if (patch !== undefined) {
    const changes = Object.fromEntries(patch.changes.map(({ path, kind }) => [path, { type: kind }]));
    return { type: 'FileChange', id: `call_${id}`, changes, status: 'completed' };
  }
  if (shell === undefined) return undefined;
  return {
    type: 'CommandExecution',
    id: `call_${id}`,
    command: ['/bin/bash', '-lc', String(input['cmd'] ?? '')],
    cwd: `file://${cwd}`,
    status: shell.exit === 0 ? 'completed' : 'failed',
    aggregated_output: shell.output,
    exit_code: shell.exit ?? KILLED,
  };
}

/** The sum of two counts of tokens. */
export function addTokens(one: TokenTotals, other: StepUsage): TokenTotals {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheCreation: one.cacheCreation + other.cacheCreation,
  };
}

function tokenRecord({ input, output, cacheRead }: TokenTotals): Record<string, number> {
  return {
    input_tokens: input,
    cached_input_tokens: cacheRead,
    cache_write_input_tokens: 0,
    output_tokens: output,
    reasoning_output_tokens: 0,
    total_tokens: input + output,
  };
}
