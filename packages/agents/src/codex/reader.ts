import { defined, type Exit } from '@understudy/kit';
import * as z from 'zod/mini';
import type { EventBody, TokenUsage } from '../events.js';
import { parseJsonLine, type TurnReader, type TurnVerdict } from '../turn-reader.js';

const lineSchema = z.looseObject({
  type: z.string(),
  thread_id: z.optional(z.string()),
  message: z.optional(z.string()),
  error: z.optional(z.looseObject({ message: z.string() })),
  item: z.optional(z.unknown()),
  usage: z.optional(
    z.looseObject({ input_tokens: z.number(), output_tokens: z.number(), cached_input_tokens: z.optional(z.number()) }),
  ),
});

const itemSchema = z.looseObject({ id: z.string(), type: z.string() });
const commandItem = z.looseObject({
  command: z.string(),
  aggregated_output: z.optional(z.string()),
  exit_code: z.nullish(z.number()),
  status: z.string(),
});
const textItem = z.looseObject({ text: z.string() });
const errorItem = z.looseObject({ message: z.string() });
const fileItem = z.looseObject({
  changes: z.array(z.looseObject({ path: z.string(), kind: z.optional(z.unknown()) })),
  status: z.string(),
});
const mcpItem = z.looseObject({
  server: z.string(),
  tool: z.string(),
  arguments: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
  status: z.string(),
});

/** What each thread has used so far. `turn.completed` has that, and not what the turn used. */
export type ThreadTotals = Map<string, TokenUsage>;

/** Reads `codex exec --json`. A turn is good when `turn.completed` was seen, and not before. */
export class CodexReader implements TurnReader {
  sessionId: string | undefined;
  #completed: { usage?: TokenUsage } | undefined;
  #failure: string | undefined;
  readonly #totals: ThreadTotals;
  readonly #resumed: boolean;

  /** The usage of the next turn is not known in a resumed thread whose earlier turns were not read. */
  constructor({ totals = new Map(), resumed = false }: { totals?: ThreadTotals; resumed?: boolean } = {}) {
    this.#totals = totals;
    this.#resumed = resumed;
  }

  read(line: string): EventBody[] {
    const message = lineSchema.safeParse(parseJsonLine(line)).data;
    if (message === undefined) return [{ type: 'unknown', kind: 'text on stdout', data: line }];
    return this.#events(message) ?? [{ type: 'unknown', kind: message.type, data: message }];
  }

  verdict(exit: Exit, stderr: string): TurnVerdict {
    if (this.#failure !== undefined) {
      const status = /status (\d{3})/.exec(this.#failure)?.[1];
      return { outcome: 'failed', reason: status === undefined ? 'agent_error' : 'api_error', message: this.#failure };
    }
    if (this.#completed === undefined) {
      const said = stderr.trim().slice(-1000);
      return {
        outcome: 'failed',
        reason: 'no_answer',
        message: `Codex ended with exit code ${exit.code} and no completed turn ${said}`.trim(),
      };
    }
    return { outcome: 'completed', ...this.#completed };
  }

  #turnUsage(told: z.infer<typeof lineSchema>['usage']): TokenUsage | undefined {
    if (told === undefined) return undefined;
    const thread = this.sessionId ?? '';
    const before = this.#totals.get(thread);
    const total = {
      inputTokens: told.input_tokens,
      outputTokens: told.output_tokens,
      cacheReadTokens: told.cached_input_tokens ?? 0,
    };
    this.#totals.set(thread, total);
    if (before === undefined) return this.#resumed ? undefined : total;
    return {
      inputTokens: total.inputTokens - before.inputTokens,
      outputTokens: total.outputTokens - before.outputTokens,
      cacheReadTokens: total.cacheReadTokens - (before.cacheReadTokens ?? 0),
    };
  }

  #events(message: z.infer<typeof lineSchema>): EventBody[] | undefined {
    switch (message.type) {
      case 'thread.started':
        this.sessionId = message.thread_id;
        return [];
      case 'turn.started':
        return [];
      case 'turn.completed':
        this.#completed = defined({ usage: this.#turnUsage(message.usage) });
        return [];
      case 'turn.failed':
        this.#failure = message.error?.message ?? 'the turn failed';
        return [];
      case 'error':
        return [{ type: 'notice', level: 'error', text: message.message ?? 'an error without words' }];
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        return itemEvents(message.type, message.item);
      default:
        return undefined;
    }
  }
}

function itemEvents(stage: string, from: unknown): EventBody[] | undefined {
  const item = itemSchema.safeParse(from).data;
  if (item === undefined) return undefined;
  const started = stage === 'item.started';
  if (stage === 'item.updated') return [];
  switch (item.type) {
    case 'command_execution': {
      const command = commandItem.safeParse(item).data;
      return command && (started ? [commandCall(item.id, command)] : [commandResult(item.id, command)]);
    }
    case 'agent_message': {
      const text = textItem.safeParse(item).data;
      return text && [{ type: 'text', text: text.text }];
    }
    case 'reasoning': {
      const text = textItem.safeParse(item).data;
      return text && [{ type: 'thinking', text: text.text }];
    }
    // One about unknown model metadata is always there, and harmless; none of them ends a turn.
    case 'error': {
      const error = errorItem.safeParse(item).data;
      return error && [{ type: 'notice', level: 'warning', text: error.message }];
    }
    case 'file_change':
      return fileEvents(item.id, started, fileItem.safeParse(item).data);
    case 'mcp_tool_call':
      return mcpEvents(item.id, started, mcpItem.safeParse(item).data);
    default:
      return undefined;
  }
}

const SHELL_TOOL = 'exec_command';

/** Codex wraps what the model asked for in a login shell; the tests speak of what was asked. */
function requestedCommand(command: string): string {
  const word = /^\S*\b(?:ba|z|da)?sh -l?c ([\s\S]+)$/.exec(command)?.[1];
  return word === undefined ? command : withoutQuotes(word);
}

/** A shell's word, which may consist of pieces in different quotes. */
function withoutQuotes(word: string): string {
  return word.replace(
    /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  );
}

function commandCall(id: string, { command }: z.infer<typeof commandItem>): EventBody {
  return { type: 'tool_call', id, tool: SHELL_TOOL, input: { command: requestedCommand(command) } };
}

function commandResult(id: string, command: z.infer<typeof commandItem>): EventBody {
  const denied = command.status === 'declined';
  return {
    type: 'tool_result',
    id,
    tool: SHELL_TOOL,
    text: command.aggregated_output ?? '',
    status: denied ? 'denied' : command.status === 'completed' ? 'ok' : 'error',
    ...(typeof command.exit_code === 'number' ? { exitCode: command.exit_code } : {}),
  };
}

function fileEvents(id: string, started: boolean, item: z.infer<typeof fileItem> | undefined): EventBody[] | undefined {
  if (item === undefined) return undefined;
  const paths = item.changes.map(({ path }) => path);
  const call: EventBody = { type: 'tool_call', id, tool: 'apply_patch', input: { paths } };
  if (started) return [call];
  return [
    {
      type: 'tool_result',
      id,
      tool: 'apply_patch',
      text: paths.join('\n'),
      status: item.status === 'completed' ? 'ok' : 'error',
    },
  ];
}

function mcpEvents(id: string, started: boolean, item: z.infer<typeof mcpItem> | undefined): EventBody[] | undefined {
  if (item === undefined) return undefined;
  const tool = `mcp__${item.server}__${item.tool}`;
  const input = z.record(z.string(), z.unknown()).safeParse(item.arguments).data ?? {};
  if (started) return [{ type: 'tool_call', id, tool, input }];
  const text = JSON.stringify(item.error ?? item.result ?? null);
  return [{ type: 'tool_result', id, tool, text, status: item.status === 'completed' ? 'ok' : 'error' }];
}
