import type { Exit } from '@understudy/kit';
import * as z from 'zod/mini';
import type { EventBody } from '../events.js';
import { parseJsonLine, type TurnReader, type TurnVerdict } from '../turn-reader.js';

const lineSchema = z.looseObject({
  type: z.string(),
  session_id: z.optional(z.string()),
  role: z.optional(z.string()),
  content: z.optional(z.string()),
  delta: z.optional(z.boolean()),
  tool_name: z.optional(z.string()),
  tool_id: z.optional(z.string()),
  parameters: z.optional(z.record(z.string(), z.unknown())),
  status: z.optional(z.string()),
  output: z.optional(z.string()),
  severity: z.optional(z.string()),
  message: z.optional(z.string()),
  error: z.optional(z.looseObject({ type: z.optional(z.string()), message: z.optional(z.string()) })),
  stats: z.optional(z.looseObject({ input_tokens: z.optional(z.number()), output_tokens: z.optional(z.number()) })),
});

type Line = z.infer<typeof lineSchema>;

/** What its own exit codes mean; the others are HTTP statuses, cut to eight bits. */
const EXIT_REASONS: Record<number, string> = {
  41: 'authentication',
  42: 'bad_input',
  44: 'sandbox',
  52: 'bad_configuration',
  53: 'max_turns',
  55: 'untrusted_folder',
};

/** Reads `gemini -o stream-json`. Its `result` decides; the exit code is an HTTP status mod 256, or 0 in spite of an error. */
export class GeminiReader implements TurnReader {
  sessionId: string | undefined;
  readonly #tools = new Map<string, string>();
  #text = '';
  #result: Line | undefined;
  #lastError: string | undefined;

  read(line: string): EventBody[] {
    const message = lineSchema.safeParse(parseJsonLine(line)).data;
    if (message === undefined) return [{ type: 'unknown', kind: 'text on stdout', data: line }];
    const events = this.#events(message) ?? [{ type: 'unknown', kind: message.type, data: message }];
    // Pieces of one text are joined until something else follows.
    return message.type === 'message' && message.role === 'assistant' ? events : [...this.#flush(), ...events];
  }

  verdict(exit: Exit, stderr: string): TurnVerdict {
    const stats = this.#result?.stats;
    const usage = stats && { usage: { inputTokens: stats.input_tokens ?? 0, outputTokens: stats.output_tokens ?? 0 } };
    if (this.#result?.status === 'success') return { outcome: 'completed', ...usage };
    const reason = exit.code === null ? undefined : EXIT_REASONS[exit.code];
    if (this.#result === undefined) {
      const said = stderr.trim().slice(-1000);
      return {
        outcome: 'failed',
        reason: reason ?? 'no_answer',
        message: `Gemini CLI ended with exit code ${exit.code} and no result ${said}`.trim(),
      };
    }
    const message = this.#result.error?.message ?? this.#lastError ?? 'the result is an error without words';
    return {
      outcome: 'failed',
      reason: reason ?? (/API Error/.test(message) ? 'api_error' : 'agent_error'),
      message,
      ...usage,
    };
  }

  #flush(): EventBody[] {
    if (this.#text === '') return [];
    const text = this.#text;
    this.#text = '';
    return [{ type: 'text', text }];
  }

  #events(line: Line): EventBody[] | undefined {
    switch (line.type) {
      case 'init':
        this.sessionId = line.session_id;
        return [];
      case 'message':
        if (line.role === 'assistant') this.#text += line.content ?? '';
        return [];
      case 'tool_use': {
        if (line.tool_id === undefined || line.tool_name === undefined) return undefined;
        this.#tools.set(line.tool_id, line.tool_name);
        return [{ type: 'tool_call', id: line.tool_id, tool: line.tool_name, input: line.parameters ?? {} }];
      }
      case 'tool_result':
        return toolResult(line, this.#tools);
      case 'error':
        this.#lastError = line.message;
        return [
          {
            type: 'notice',
            level: line.severity === 'warning' ? 'warning' : 'error',
            text: line.message ?? 'an error without words',
          },
        ];
      case 'result':
        this.#result = line;
        return [];
      default:
        return undefined;
    }
  }
}

function toolResult(line: Line, tools: ReadonlyMap<string, string>): EventBody[] | undefined {
  if (line.tool_id === undefined) return undefined;
  const denied = /denied|cancel/i.test(line.error?.type ?? '') || /denied by policy/i.test(line.output ?? '');
  return [
    {
      type: 'tool_result',
      id: line.tool_id,
      tool: tools.get(line.tool_id) ?? 'unknown',
      text: line.output ?? line.error?.message ?? '',
      status: line.status === 'success' ? 'ok' : denied ? 'denied' : 'error',
    },
  ];
}
