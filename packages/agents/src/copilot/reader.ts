import { defined, type Exit } from '@understudy/kit';
import * as z from 'zod/mini';
import type { EventBody, EventBodyOf } from '../events.js';
import { parseJsonLine, type TurnReader, type TurnVerdict } from '../turn-reader.js';

/** What one kind of event has under a name, another may have in another form. */
function field<T extends z.ZodMiniType>(schema: T) {
  return z.catch(z.optional(schema), undefined);
}

const text = field(z.string());

const lineSchema = z.looseObject({
  type: z.string(),
  /** It passes: what it contains comes again as a whole. */
  ephemeral: field(z.boolean()),
  agentId: text,
  sessionId: text,
  exitCode: field(z.number()),
  data: z._default(
    z.looseObject({
      content: text,
      reason: text,
      message: text,
      statusCode: field(z.number()),
      toolCallId: text,
      parentToolCallId: text,
      toolName: text,
      toolRequests: field(z.array(z.unknown())),
      arguments: field(z.record(z.string(), z.unknown())),
      success: field(z.boolean()),
      result: field(z.looseObject({ content: text })),
      error: field(z.looseObject({ message: text, code: text })),
      shellExecution: field(z.looseObject({ exitCode: field(z.number()) })),
      agentName: text,
      executionMode: text,
    }),
    {},
  ),
});

type Line = z.infer<typeof lineSchema>;
type Data = Line['data'];

/** Events with nothing that other events do not have. */
const SILENT = /^(?:user\.message|assistant\.turn_(?:start|end)|session\.skills_loaded|subagent\.configured)$/;

/** Reads `copilot --output-format json`. Its `result` and its errors decide. */
export class CopilotReader implements TurnReader {
  sessionId: string | undefined;
  readonly #tools = new Map<string, string>();
  readonly #agents = new Map<string, string>();
  #retries = 0;
  #error: Data | undefined;
  #exitCode: number | undefined;
  #answered = false;

  constructor(session?: string) {
    this.sessionId = session;
  }

  read(line: string): EventBody[] {
    const message = lineSchema.safeParse(parseJsonLine(line)).data;
    if (message === undefined) return [{ type: 'unknown', kind: 'text on stdout', data: line }];
    return this.#events(message) ?? [{ type: 'unknown', kind: message.type, data: message }];
  }

  verdict(exit: Exit, stderr: string): TurnVerdict {
    if (this.#error !== undefined) {
      const { message = 'an error without words', statusCode } = this.#error;
      return { outcome: 'failed', reason: statusCode === undefined ? 'agent_error' : 'api_error', message };
    }
    // When it is ended in the middle of a turn, its result is a success all the same.
    if (this.#exitCode === 0 && this.#answered) return { outcome: 'completed' };
    const said = stderr.trim().slice(-1000);
    const end = this.#exitCode === undefined ? 'no result' : 'no answer';
    return {
      outcome: 'failed',
      reason: 'no_answer',
      message: `Copilot ended with exit code ${exit.code} and ${end} ${said}`.trim(),
    };
  }

  #events({ type, ephemeral, agentId = '', sessionId, exitCode, data }: Line): EventBody[] | undefined {
    const by = defined({ parent: data.parentToolCallId, agent: this.#agents.get(agentId) });
    const id = data.toolCallId ?? '';
    switch (type) {
      case 'assistant.message':
        if (data.parentToolCallId === undefined) this.#answered = data.toolRequests?.length === 0;
        return data.content ? [{ type: 'text', text: data.content, ...by }] : [];
      case 'assistant.reasoning':
        return data.content ? [{ type: 'thinking', text: data.content, ...by }] : [];
      case 'assistant.turn_retry':
        return [{ type: 'retry', attempt: ++this.#retries, message: data.reason ?? '' }];
      case 'tool.execution_start': {
        const { toolName: tool = 'unknown', arguments: input = {} } = data;
        this.#tools.set(id, tool);
        return [{ type: 'tool_call', id, tool, input, ...by }];
      }
      case 'tool.execution_complete':
        return [{ ...toolResult(id, this.#tools.get(id) ?? 'unknown', data), ...by }];
      case 'subagent.started': {
        const agent = data.agentName ?? 'unknown';
        this.#agents.set(agentId, agent);
        const background = data.executionMode !== undefined && data.executionMode !== 'sync';
        return [{ type: 'subagent_started', id: agentId, agent, background, ...defined({ callId: data.toolCallId }) }];
      }
      case 'subagent.completed':
      case 'subagent.failed':
        return [{ type: 'subagent_finished', id: agentId, status: type.slice('subagent.'.length) }];
      case 'session.error':
        this.#error = data;
        return [{ type: 'notice', level: 'error', text: data.message ?? 'an error without words' }];
      case 'result':
        this.sessionId = sessionId ?? this.sessionId;
        this.#exitCode = exitCode;
        return [];
      default:
        return ephemeral === true || SILENT.test(type) ? [] : undefined;
    }
  }
}

function toolResult(
  id: string,
  tool: string,
  { success, result, error, shellExecution }: Data,
): EventBodyOf<'tool_result'> {
  const exitCode = shellExecution?.exitCode;
  const ok = success === true && (exitCode ?? 0) === 0;
  return {
    type: 'tool_result',
    ...{ id, tool },
    text: result?.content ?? error?.message ?? '',
    status: ok ? 'ok' : error?.code === 'denied' ? 'denied' : 'error',
    ...defined({ exitCode }),
  };
}
