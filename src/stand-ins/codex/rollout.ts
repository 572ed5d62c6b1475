import { appendFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolCall } from '../shared/play-turn.js';
import type { StepUsage } from '../shared/step-usage.js';
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
  #file = '';
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
    this.#file = fileOf(join(home, 'sessions'), session);
    if (isNew) {
      const ids = { session_id: session, id: session, timestamp: new Date().toISOString(), cwd };
      const origin = { originator: 'codex_exec', cli_version: version, source: 'exec', thread_source: 'user' };
      this.#write('session_meta', { ...ids, runtime_workspace_roots: [cwd], ...origin, model_provider: 'understudy' });
    }
    this.#event('task_started', { turn_id: turnId, started_at: seconds(), collaboration_mode_kind: 'default' });
    const policy = { approval_policy: approval, sandbox_policy: { type: sandbox } };
    this.#write('turn_context', { turn_id: turnId, cwd, ...policy, model, summary: 'none' });
    this.#message('user', 'input_text', prompt);
    this.#item({ type: 'UserMessage', content: [{ type: 'text', text: prompt, text_elements: [] }] });
  }

  onStepStart(): void {}

  onText(text: string): void {
    if (text === '') return;
    this.#lastMessage = text;
    this.#item({ type: 'AgentMessage', content: [{ type: 'Text', text }] });
    this.#message('assistant', 'output_text', text);
  }

  onThinking(text: string): void {
    this.#item({ type: 'Reasoning', summary_text: [text] });
  }

  onToolStart({ id, name, input }: Pick<ToolCall, 'id' | 'name' | 'input'>): void {
    const call = { status: 'completed', call_id: `call_${id}`, name };
    if (name === 'apply_patch')
      this.#response('custom_tool_call', { ...call, input: String(Object.values(input)[0] ?? '') });
    else this.#response('function_call', { ...call, arguments: JSON.stringify(input) });
  }

  onToolCall({ id, name, input, result }: ToolCall): void {
    if (result.shell !== undefined) {
      const { output, exit, running } = result.shell;
      const item = {
        type: 'CommandExecution',
        id: `call_${id}`,
        command: ['/bin/bash', '-lc', String(input['cmd'] ?? '')],
        cwd: `file://${this.#cwd}`,
        status: exit === 0 ? 'completed' : 'failed',
        aggregated_output: output,
        exit_code: exit ?? KILLED,
      };
      if (running) this.#running.push(item);
      else this.#item(item);
    }
    if (result.patch !== undefined) {
      const changes = Object.fromEntries(result.patch.changes.map(({ path, kind }) => [path, { type: kind }]));
      this.#item({ type: 'FileChange', id: `call_${id}`, changes, status: 'completed' });
    }
    const type = name === 'apply_patch' ? 'custom_tool_call_output' : 'function_call_output';
    this.#response(type, { call_id: `call_${id}`, output: result.text });
  }

  onStepEnd(_message: unknown, usage: StepUsage): void {
    this.#tokens = addTokens(this.#tokens, usage);
    const info = { total_token_usage: tokenRecord(this.#tokens), last_token_usage: tokenRecord(usage) };
    this.#event('token_count', { info });
  }

  onPartialText(): void {}

  onDone(): void {
    this.#event('task_complete', {
      turn_id: this.#place.turnId,
      last_agent_message: this.#lastMessage,
      completed_at: seconds(),
    });
    for (const item of this.#running) this.#item(item);
  }

  onError(): void {
    this.onDone();
  }

  #message(role: string, type: string, text: string): void {
    this.#response('message', { role, content: [{ type, text }] });
  }

  #item(item: Record<string, unknown>): void {
    this.#event('item_completed', { thread_id: this.#session, turn_id: this.#place.turnId, item });
  }

  #event(type: string, payload: Record<string, unknown>): void {
    this.#write('event_msg', { type, ...payload });
  }

  #response(type: string, payload: Record<string, unknown>): void {
    this.#write('response_item', { type, ...payload });
  }

  #write(type: string, payload: Record<string, unknown>): void {
    appendFileSync(this.#file, `${JSON.stringify({ timestamp: new Date().toISOString(), type, payload })}\n`);
  }
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

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** The file of a session: the one that it has, or a new one in the folder of the day. */
function fileOf(folder: string, session: string): string {
  mkdirSync(folder, { recursive: true });
  const known = (readdirSync(folder, { recursive: true }) as string[]).find((name) =>
    name.endsWith(`${session}.jsonl`),
  );
  if (known !== undefined) return join(folder, known);
  const [day = '', time = ''] = new Date().toISOString().split('T');
  const today = join(folder, ...day.split('-'));
  mkdirSync(today, { recursive: true });
  return join(today, `rollout-${day}T${time.slice(0, 8).replaceAll(':', '-')}-${session}.jsonl`);
}
