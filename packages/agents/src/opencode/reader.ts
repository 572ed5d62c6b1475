import type { Exit } from '@understudy/kit';
import * as z from 'zod/mini';
import type { EventBody, TokenUsage } from '../events.js';
import { parseJsonLine, type TurnReader, type TurnVerdict } from '../turn-reader.js';

const toolPart = z.looseObject({
  tool: z.string(),
  callID: z.string(),
  state: z.looseObject({
    status: z.string(),
    input: z.optional(z.record(z.string(), z.unknown())),
    output: z.optional(z.string()),
    error: z.optional(z.string()),
    metadata: z.optional(z.looseObject({ exit: z.nullish(z.number()) })),
  }),
});

const stepPart = z.looseObject({
  reason: z.string(),
  cost: z.optional(z.number()),
  tokens: z.optional(
    z.looseObject({
      input: z.number(),
      output: z.number(),
      cache: z.optional(z.looseObject({ read: z.number(), write: z.number() })),
    }),
  ),
});

const lineSchema = z.looseObject({
  type: z.string(),
  sessionID: z.optional(z.string()),
  part: z.optional(z.unknown()),
});
const textPart = z.looseObject({ text: z.string() });

const errorSchema = z.looseObject({
  error: z.looseObject({
    name: z.string(),
    data: z.optional(z.looseObject({ message: z.optional(z.string()), statusCode: z.optional(z.number()) })),
  }),
});

/**
 * Reads `opencode run --format json`. It exits with 0 when the model gave no answer (the last step's
 * reason is "unknown") and when a tool was rejected (the last step is "tool-calls"): neither is a success.
 */
export class OpenCodeReader implements TurnReader {
  sessionId: string | undefined;
  #lastReason: string | undefined;
  #rejected: string | undefined;
  #error: { name: string; message: string; status?: number } | undefined;
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  #cost = 0;

  read(line: string): EventBody[] {
    const message = lineSchema.safeParse(parseJsonLine(line)).data;
    if (message === undefined) return [{ type: 'unknown', kind: 'text on stdout', data: line }];
    if (message.sessionID !== undefined) this.sessionId = message.sessionID;
    return this.#events(message) ?? [{ type: 'unknown', kind: message.type, data: message }];
  }

  verdict(exit: Exit, stderr: string): TurnVerdict {
    const totals = { usage: this.#usage, costUsd: this.#cost };
    if (this.#error !== undefined) {
      const { name, message, status } = this.#error;
      return { ...totals, outcome: 'failed', reason: status === undefined ? name : 'api_error', message };
    }
    if (this.#lastReason === 'stop') {
      if (exit.code === 0) return { ...totals, outcome: 'completed' };
      return {
        ...totals,
        outcome: 'failed',
        reason: 'exit_code',
        message: `OpenCode ended with exit code ${exit.code}`,
      };
    }
    if (this.#rejected !== undefined) {
      return { ...totals, outcome: 'failed', reason: 'rejected_tool', message: this.#rejected };
    }
    if (this.#lastReason === undefined) {
      const said = stderr.trim().slice(-1000);
      return {
        ...totals,
        outcome: 'failed',
        reason: 'no_answer',
        message: `OpenCode said nothing (exit code ${exit.code}) ${said}`.trim(),
      };
    }
    return {
      ...totals,
      outcome: 'failed',
      reason: this.#lastReason === 'length' ? 'max_tokens' : 'no_answer',
      message: `the last step ended with "${this.#lastReason}"; OpenCode’s exit code was ${exit.code}`,
    };
  }

  #events(message: z.infer<typeof lineSchema>): EventBody[] | undefined {
    switch (message.type) {
      case 'step_start':
        return [];
      case 'text': {
        const part = textPart.safeParse(message.part).data;
        return part && [{ type: 'text', text: part.text }];
      }
      case 'reasoning': {
        const part = textPart.safeParse(message.part).data;
        return part && [{ type: 'thinking', text: part.text }];
      }
      case 'tool_use':
        return this.#tool(message.part);
      case 'step_finish': {
        const part = stepPart.safeParse(message.part).data;
        if (part !== undefined) this.#step(part);
        return part && [];
      }
      case 'error': {
        const error = errorSchema.safeParse(message).data?.error;
        if (error === undefined) return undefined;
        const text = error.data?.message ?? error.name;
        this.#error = {
          name: error.name,
          message: text,
          ...(error.data?.statusCode === undefined ? {} : { status: error.data.statusCode }),
        };
        return [{ type: 'notice', level: 'error', text }];
      }
      default:
        return undefined;
    }
  }

  #step(part: z.infer<typeof stepPart>): void {
    this.#lastReason = part.reason;
    this.#cost += part.cost ?? 0;
    this.#usage.inputTokens += part.tokens?.input ?? 0;
    this.#usage.outputTokens += part.tokens?.output ?? 0;
    this.#usage.cacheReadTokens = (this.#usage.cacheReadTokens ?? 0) + (part.tokens?.cache?.read ?? 0);
    this.#usage.cacheWriteTokens = (this.#usage.cacheWriteTokens ?? 0) + (part.tokens?.cache?.write ?? 0);
  }

  #tool(from: unknown): EventBody[] | undefined {
    const part = toolPart.safeParse(from).data;
    if (part === undefined) return undefined;
    const { tool, callID: id, state } = part;
    const failed = state.status === 'error';
    const text = state.output ?? state.error ?? '';
    const rejected = failed && /rejected permission|permission.*(denied|reject)|prevents you from using/i.test(text);
    if (rejected) this.#rejected = `${tool} was rejected: ${text}`;
    const exitCode = state.metadata?.exit ?? undefined;
    const ran = exitCode !== undefined && exitCode !== 0 ? 'error' : 'ok';
    return [
      { type: 'tool_call', id, tool, input: state.input ?? {} },
      {
        type: 'tool_result',
        id,
        tool,
        text,
        status: rejected ? 'denied' : failed ? 'error' : ran,
        ...(exitCode === undefined ? {} : { exitCode }),
      },
    ];
  }
}
