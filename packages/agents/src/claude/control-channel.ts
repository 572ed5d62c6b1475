import { randomUUID } from 'node:crypto';
import { defined, keepRunningFor, UnderstudyError } from '@understudy/kit';
import type { PermissionPolicy } from '../driver.js';
import type { EventBody } from '../events.js';
import type { RunningHooks } from './running-hooks.js';
import { canUseToolSchema, controlRequestSchema, controlResponseSchema, hookedEventsSchema } from './wire.js';

interface Waiting {
  resolve: (response: unknown) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

export interface ControlOptions {
  write: (line: unknown) => void;
  permissions: PermissionPolicy;
  hooks: RunningHooks;
  emit: (event: EventBody) => void;
  /** A tool call that the test denied. */
  onDenied: (callId: string) => void;
}

/** Claude Code's control protocol: our requests to the CLI, and its questions to us. */
export class ControlChannel {
  readonly #options: ControlOptions;
  readonly #waiting = new Map<string, Waiting>();
  /** What the CLI does not want to know any more. */
  readonly #cancelled = new Set<unknown>();

  constructor(options: ControlOptions) {
    this.#options = options;
  }

  /** Asks the CLI something: `mcp_status`, `get_hooks_listing`, `get_context_usage`, `interrupt` … */
  request(subtype: string, fields: Record<string, unknown> = {}, deadlineMs = 30_000): Promise<unknown> {
    const id = randomUUID();
    const answered = new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new UnderstudyError('AGENT_NO_ANSWER', `Claude Code did not answer ${subtype} within ${deadlineMs} ms`));
      }, deadlineMs);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#options.write({ type: 'control_request', request_id: id, request: { subtype, ...fields } });
    });
    return keepRunningFor(answered);
  }

  /** Takes a line if it is one of ours. */
  handle(line: unknown): boolean {
    const type = (line as { type?: unknown } | null)?.type;
    if (type === 'control_response') this.#answer(line);
    else if (type === 'control_request') this.#asked(line).catch((error: unknown) => this.#couldNotAnswer(error));
    else if (type === 'control_cancel_request') this.#cancelled.add((line as { request_id?: unknown }).request_id);
    else return false;
    return true;
  }

  /** The process has gone: nobody will answer. */
  close(): void {
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new UnderstudyError('AGENT_ENDED', 'Claude Code ended before it answered'));
    }
    this.#waiting.clear();
  }

  /**
   * Hooks of PermissionRequest decide before the user does, and who answers at once is faster than they are. The CLI
   * starts them as it asks us: by its next answer we know of them, and by the one after their end whether they decided.
   */
  async #hooksFirst(): Promise<void> {
    const askHooks = async () => hookedEventsSchema.parse(await this.request('get_hooks_listing')).hooks;
    try {
      const hooks = await askHooks();
      if (!hooks.some(({ event }) => event === 'PermissionRequest')) return;
      if (await this.#options.hooks.ended('PermissionRequest')) await askHooks();
    } catch {
      // Older releases cannot list their hooks.
    }
  }

  #answer(line: unknown): void {
    const answer = controlResponseSchema.safeParse(line).data?.response;
    // Our own answers are replayed to us; their ids are not among those that we wait for.
    const waiting = answer && this.#waiting.get(answer.request_id);
    if (answer === undefined || waiting === undefined) return;
    this.#waiting.delete(answer.request_id);
    clearTimeout(waiting.timer);
    if (answer.subtype === 'success') waiting.resolve(answer.response);
    else
      waiting.reject(new UnderstudyError('AGENT_REFUSED', `Claude Code refused: ${answer.error ?? 'no reason given'}`));
  }

  #couldNotAnswer(error: unknown): void {
    const text = `a question of Claude Code could not be answered: ${error instanceof Error ? error.message : String(error)}`;
    this.#options.emit({ type: 'notice', level: 'error', text });
  }

  async #asked(line: unknown): Promise<void> {
    const parsed = controlRequestSchema.safeParse(line).data;
    if (parsed === undefined) return;
    const respond = (response: Record<string, unknown>) =>
      this.#options.write({ type: 'control_response', response: { request_id: parsed.request_id, ...response } });
    const asked = canUseToolSchema.safeParse(parsed.request).data;
    if (asked === undefined) {
      respond({ subtype: 'error', error: `understudy does not answer ${parsed.request.subtype}` });
      return;
    }
    const { tool_name: tool, input, tool_use_id: callId, decision_reason_type: why } = asked;
    const call = callId === undefined ? {} : { callId };
    const question = { type: 'permission', tool, input, ...call, ...defined({ why }) } as const;
    try {
      await this.#hooksFirst();
      if (this.#cancelled.delete(parsed.request_id)) return;
      const decision = await this.#options.permissions({ tool, input, ...call });
      if (decision.behavior === 'allow') {
        this.#options.emit({ ...question, decision: 'allow' });
        respond({ subtype: 'success', response: { behavior: 'allow', updatedInput: decision.input ?? input } });
        return;
      }
      if (callId !== undefined) this.#options.onDenied(callId);
      this.#options.emit({ ...question, decision: 'deny', message: decision.message });
      respond({ subtype: 'success', response: { behavior: 'deny', message: decision.message } });
    } catch (error) {
      // A policy of the test that throws must not let the tool run, nor leave the CLI waiting.
      const message = `the permission policy failed: ${error instanceof Error ? error.message : String(error)}`;
      if (callId !== undefined) this.#options.onDenied(callId);
      this.#options.emit({ type: 'notice', level: 'error', text: message });
      respond({ subtype: 'success', response: { behavior: 'deny', message } });
    }
  }
}
