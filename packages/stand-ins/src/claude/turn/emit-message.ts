import { defined, type JsonObject } from '@understudy/kit';
import { estimateTokens, piecesOfBlock } from '@understudy/model';
import { type Block, type Message, pacing } from '@understudy/script';
import { milliseconds } from '../../shared/stopwatch.js';
import { fire } from '../hooks/fire-if-any.js';
import { assistantEvent, type SpokenMessage, streamEvent } from '../output/events.js';
import { apiId, uuid } from '../output/ids.js';
import { endingUsage, fullUsage, startingUsage, type Tokens } from '../output/usage.js';
import { sleep } from '../session/clock.js';
import { lacksTool } from '../session/own-tools.js';
import type { Session } from '../session/session.js';
import { messageTokens } from '../session/tally.js';
import type { TurnRecord } from '../session/turn-record.js';
import type { RequestedTool } from '../tool-use/requested-tool.js';

export interface EmitOptions {
  signal: AbortSignal;
  /** The tool use that started the subagent; null for the main agent. */
  parentToolUseId: string | null;
  inputLength: number;
  /** The message has no end: the connection broke. */
  cutOff?: true;
  /** It begins. */
  onBegin?: (() => void) | undefined;
}

/** Says that the model is asked, to a host that wants partial messages. Attempts to ask again are not said. */
export function announceRequest(session: Session, parentToolUseId: string | null): void {
  if (streamsTo(session, parentToolUseId)) session.out.system('status', { status: 'requesting' });
}

/** Whether the host gets the parts of a message: those of subagents are not sent. */
function streamsTo({ parts }: Session, parentToolUseId: string | null): boolean {
  return parts.options.includePartialMessages && parentToolUseId === null;
}

/** Emits one message: a line for each block, and its parts too when the host wants partial messages. */
export async function emitMessage(
  session: Session,
  turn: TurnRecord,
  said: Message,
  options: EmitOptions,
): Promise<RequestedTool[]> {
  const message = await translateCalls(said, session.parts.cwd);
  const { signal, parentToolUseId, inputLength } = options;
  const started = milliseconds();
  const tokens = messageTokens(message, inputLength);
  const spoken: SpokenMessage = {
    id: apiId('msg'),
    requestId: apiId('req'),
    model: session.usedModel,
    usage: startingUsage(tokens),
  };
  const stream = streamsTo(session, parentToolUseId) ? new PartialStream(session, spoken.id) : undefined;
  const waitFor = pacing(message.pace);
  const delay = message.delayMs ?? session.parts.script.scenario.document.timeouts?.response_delay_ms ?? 0;
  if (delay > 0 || message.pace !== undefined) session.out.writing.flush();
  await sleep(delay, signal);
  signal.throwIfAborted();
  options.onBegin?.();
  stream?.begin(spoken, turn.firstToken());
  turn.firstToken();
  turn.isSilent = message.blocks.length === 0 && turn.isSilent !== false;
  turn.count(session, spoken.model, tokens);
  const requested: RequestedTool[] = [];
  for (const [index, block] of message.blocks.entries()) {
    const body = wireBlock(block);
    stream?.open(index, body);
    if (block.type === 'thinking' && parentToolUseId === null) emitThinking(session, block.text);
    for (const piece of piecesOfBlock(block)) {
      if (message.pace !== undefined) await sleep(waitFor(estimateTokens(piece.length)), signal);
      stream?.part(index, block, piece);
    }
    stream?.sign(index, block);
    const lineId = uuid();
    // The host sees a subagent's tools; the text of one that is waited for only with --forward-subagent-text.
    const isWaitedFor = session.subagent?.inBackground === false;
    const shown = block.type === 'tool_use' || !isWaitedFor || session.parts.options.forwardSubagentText;
    const tellProgress = (): void => {
      if (block.type === 'tool_use') session.subagent?.progress(block.tool, block.input);
    };
    if (isWaitedFor) tellProgress();
    const displayed =
      block.type === 'text' && parentToolUseId === null ? await display(session, turn, block.text, signal) : undefined;
    if (shown)
      session.out.emit({
        ...assistantEvent(
          session.out.at(parentToolUseId),
          spoken,
          { ...body, ...defined({ text: displayed }) },
          {
            ...blockExtra(session, block, body),
            ...session.out.signature(),
          },
        ),
        uuid: lineId,
      });
    if (!isWaitedFor) tellProgress();
    stream?.close(index);
    recordLine(session, { spoken, body, tokens, message, lineId, cutOff: options.cutOff === true });
    if (block.type === 'text') {
      turn.text = block.text;
      turn.shown = displayed ?? block.text;
    }
    if (block.type === 'tool_use') {
      requested.push(request(block, body));
    }
  }
  if (options.cutOff === true) stream?.abandon(message.blocks.length);
  else stream?.end(message.stopReason, tokens);
  turn.stopReason = message.stopReason;
  if (parentToolUseId === null) session.conversation.answered++;
  session.spending.apiMs += milliseconds() - started;
  return requested;
}

/** Lets hooks see what the agent says before anybody else does. Gives what one of them wants to be shown instead. */
export async function display(
  session: Session,
  turn: TurnRecord,
  text: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const about = { turn_id: turn.id, message_id: uuid(), index: 0, final: true, delta: text };
  const { displayContent } = await fire(session, 'MessageDisplay', about, signal);
  return displayContent;
}

/** The beginning of a message of which nothing else comes in. */
export function emitBegun(session: Session, turn: TurnRecord, tokens: Tokens): void {
  if (!streamsTo(session, null)) return;
  const spoken = { id: apiId('msg'), requestId: apiId('req'), model: session.usedModel, usage: startingUsage(tokens) };
  const stream = new PartialStream(session, spoken.id);
  stream.begin(spoken, turn.firstToken());
  stream.abandon(0);
}

/** Translates generic tool names. The code for it is loaded only for messages with tool calls. */
async function translateCalls(message: Message, cwd: string): Promise<Message> {
  if (!message.blocks.some(({ type }) => type === 'tool_use')) return message;
  const calls = await import('../tools/translate-calls.js');
  return calls.translateCalls(message, cwd);
}

function request(block: Block & { type: 'tool_use' }, body: JsonObject): RequestedTool {
  const requested: RequestedTool = {
    id: String(body['id']),
    name: block.tool,
    input: body['input'] as JsonObject,
  };
  if (block.result !== undefined) requested.result = block.result;
  if (block.error !== undefined) requested.error = block.error;
  return requested;
}

function wireBlock(block: Block): JsonObject {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', thinking: block.text, signature: 'understudy' };
    case 'tool_use': {
      // The CLI fills in this default before anybody sees the input.
      const input =
        block.tool === 'Edit' ? { ...block.input, replace_all: block.input['replace_all'] ?? false } : block.input;
      return { type: 'tool_use', id: apiId('toolu'), name: block.tool, input };
    }
  }
}

function blockExtra(session: Session, block: Block, body: JsonObject): JsonObject {
  if (block.type === 'thinking') return { thinking_duration_ms: 1, thinking_display: 'updates' };
  if (block.type !== 'tool_use' || !block.tool.startsWith('mcp__')) return {};
  return {
    tool_use_meta: [
      {
        id: body['id'],
        ...(session.mcp?.displayNames(block.tool, lacksTool(session, block.tool)) ?? { display_name: block.tool }),
      },
    ],
  };
}

function emitThinking(session: Session, text: string): void {
  const estimate = Math.max(1, Math.ceil(text.length / 4));
  session.out.system('thinking_tokens', { estimated_tokens: estimate, estimated_tokens_delta: estimate });
}

interface SpokenLine {
  spoken: SpokenMessage;
  body: JsonObject;
  tokens: Tokens;
  message: Message;
  lineId: string;
  cutOff: boolean;
}

function recordLine(session: Session, { spoken, body, tokens, message, lineId, cutOff }: SpokenLine): void {
  session.out.writing.addMessages([
    {
      message: {
        id: spoken.id,
        type: 'message',
        role: 'assistant',
        model: spoken.model,
        content: [body],
        stop_reason: message.stopReason,
        stop_sequence: null,
        usage: fullUsage(tokens),
        ...(cutOff ? {} : { stop_details: null }),
      },
      requestId: spoken.requestId,
      type: 'assistant',
      uuid: lineId,
      timestamp: session.parts.clock.timestamp(),
    },
  ]);
}

/** The events of the model's own stream. */
class PartialStream {
  readonly #session: Session;
  readonly #id: string;

  constructor(session: Session, id: string) {
    this.#session = session;
    this.#id = id;
  }

  begin(spoken: SpokenMessage, firstTokenMs: number): void {
    const { id, model, usage } = spoken;
    const message = {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    this.#emit({ type: 'message_start', message }, { ttft_ms: firstTokenMs, thinking_display: 'updates' });
  }

  open(index: number, body: JsonObject): void {
    const empty =
      body['type'] === 'text'
        ? { type: 'text', text: '' }
        : body['type'] === 'thinking'
          ? { type: 'thinking', thinking: '', signature: '' }
          : { ...body, input: {} };
    const extra = body['type'] === 'thinking' ? { thinking_display: 'updates' } : {};
    this.#emit({ type: 'content_block_start', index, content_block: empty }, extra);
  }

  part(index: number, { type }: Block, piece: string): void {
    if (type === 'text') this.#delta(index, { type: 'text_delta', text: piece });
    else if (type === 'tool_use') this.#delta(index, { type: 'input_json_delta', partial_json: piece });
    else this.#delta(index, { type: 'thinking_delta', thinking: piece }, { thinking_display: 'updates' });
  }

  sign(index: number, { type }: Block): void {
    if (type === 'thinking') this.#delta(index, { type: 'signature_delta', signature: 'understudy' });
  }

  close(index: number): void {
    this.#emit({ type: 'content_block_stop', index });
  }

  /** A message that was cut off: what would have come next is given up. */
  abandon(from: number): void {
    const abandoned = { api_message_id: this.#id, from_block_index: from };
    this.#emit({ type: 'message_stop' }, { abandoned_blocks: abandoned });
  }

  end(stopReason: string, tokens: Tokens): void {
    const delta = { stop_reason: stopReason, stop_sequence: null };
    this.#emit({ type: 'message_delta', delta, usage: endingUsage(tokens) });
    this.#emit({ type: 'message_stop' });
  }

  #delta(index: number, delta: JsonObject, extra: JsonObject = {}): void {
    this.#emit({ type: 'content_block_delta', index, delta }, extra);
  }

  #emit(event: JsonObject, extra: JsonObject = {}): void {
    this.#session.out.emit(streamEvent(this.#session.id, this.#id, event, extra));
  }
}
