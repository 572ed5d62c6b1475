import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { claudeCode, readQuestion } from '@understudy/agents';
import {
  type AnswerBlock,
  type AuxiliaryKind,
  anthropicMessages,
  deliver,
  deliverFailure,
  type Exchange,
  isCompaction,
  plainAnswer,
  readTranscript,
  recognizeAuxiliary,
  silentAnswer,
  type WireRequest,
} from '@understudy/model';
import { NO_OBJECTION } from '@understudy/script';
import { type ModelStep, tool } from './case.js';
import { type MessagesRequest, ModelScript } from './model-script.js';
import { toldIn } from './told.js';

const TARGET = { path: '/v1/messages', query: new URLSearchParams() };

/** A request for an answer, without the conversation. */
export interface WireSeen {
  headers: Record<string, string>;
  /** Its fields but for the messages. */
  body: Record<string, unknown>;
}

/** A Messages API that sends the answers of a case, one after the other. */
export interface ClaudeModel {
  url: string;
  /** What it was told, request after request. */
  told: string[];
  /** The requests that it answered. */
  wire: WireSeen[];
  /** The user of a living session has said something. */
  prompted(): void;
  close(): Promise<void>;
}

export async function startClaudeModel(
  turns: readonly (readonly ModelStep[])[],
  hookAnswers: readonly string[] = [],
): Promise<ClaudeModel> {
  let asked = 0;
  let judged = 0;
  const told: string[] = [];
  const wire: WireSeen[] = [];
  // A session that was cleared begins anew, as a scenario does.
  const scripts = new Map<unknown, ModelScript>();
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const isMessage = request.method === 'POST' && request.url?.startsWith('/v1/messages?') === true;
    if (!isMessage) return response.writeHead(404).end();
    const parsed = JSON.parse(body) as MessagesRequest;
    // Whether the model exists is no question to it.
    if (parsed['max_tokens'] === 1) return answer({ say: 'ok' }, parsed, response, 'probe');
    const asking = anthropicMessages.read(parsed, TARGET);
    if (await answerAuxiliary(asking, parsed, request, response)) return;
    const { entries } = asking;
    const last = entries.findLast(({ kind }) => kind === 'user');
    const words = last?.kind === 'user' ? last.texts.join('\n') : '';
    const hook = readQuestion(words, () => JSON.stringify(parsed['system']));
    if (hook !== undefined) {
      const verdict = hookAnswers[Math.min(judged++, hookAnswers.length - 1)] ?? NO_OBJECTION;
      const step = hook.kind === 'agent' ? tool('StructuredOutput', JSON.parse(verdict)) : { say: verdict };
      return answer(step, parsed, response, `hook_${judged}`);
    }
    asked++;
    const session = request.headers['x-claude-code-session-id'];
    const script = scripts.get(session) ?? new ModelScript(turns);
    scripts.set(session, script);
    const step = script.next(parsed, request.headers['x-claude-code-agent-id'] !== undefined);
    if (!isCompaction(body)) told.push(...toldIn(entries));
    const { messages: _, ...fields } = parsed;
    wire.push({ headers: request.headers as Record<string, string>, body: fields });
    // An earlier process of the session has had a model of its own, and no id may occur twice.
    await answer(step, parsed, response, `${parsed.messages.length}_${asked}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told,
    wire,
    prompted: () => {
      for (const script of scripts.values()) script.prompted();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const AUXILIARY_KINDS: readonly AuxiliaryKind[] = ['title', 'suggestion', 'progress'];

/** What no case is about: titles and suggestions are answered as the model server of the product does. */
async function answerAuxiliary(
  asking: WireRequest,
  { model, stream }: MessagesRequest,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const asked = readTranscript(asking, claudeCode);
  const identity = claudeCode.identify(headers);
  const auxiliary = recognizeAuxiliary({ request: asking, transcript: asked, client: claudeCode, identity });
  if (auxiliary === undefined || !AUXILIARY_KINDS.includes(auxiliary.kind)) return false;
  const { text } = auxiliary;
  const said = text === undefined ? silentAnswer('beside', model) : plainAnswer('beside', model, text);
  await deliver({ response, protocol: anthropicMessages, stream: stream === true }, said, {});
  return true;
}

/** Answers as the model server of the product does, but with any tool, offered or not. */
async function answer(step: ModelStep, body: MessagesRequest, response: ServerResponse, id: string) {
  const exchange: Exchange = { response, protocol: anthropicMessages, stream: body.stream === true };
  response.setHeader('request-id', `req_${id}`);
  if (step.fail !== undefined) {
    await deliverFailure(exchange, step.fail, plainAnswer(id, body.model, undefined), () => {});
    return;
  }
  const { thinking, say, tools = [], delayMs = step.lagMs } = step;
  const blocks: AnswerBlock[] = [
    ...(thinking === undefined ? [] : [{ type: 'thinking' as const, text: thinking }]),
    ...(say === undefined ? [] : [{ type: 'text' as const, text: say }]),
    ...tools.map(({ tool, input }, at) => ({ type: 'tool_use' as const, id: `toolu_${id}_${at}`, name: tool, input })),
  ];
  const usage = { ...(step.tokens ?? { input: 10, output: 5 }), cacheRead: 0, cacheCreation: 0 };
  const stopReason = tools.length > 0 ? 'tool_use' : 'end_turn';
  await deliver(exchange, { id, model: body.model, blocks, stopReason, usage }, { delayMs });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
