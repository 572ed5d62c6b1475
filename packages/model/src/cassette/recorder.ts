import { defined, UnderstudyError } from '@understudy/kit';
import { Script, type ScriptUsage } from '@understudy/script';
import type { Answerer, Received } from '../server/answerer.js';
import { recognizeAuxiliary } from '../server/auxiliary.js';
import { withoutPathKey } from '../server/client-keys.js';
import type { ModelConversation } from '../server/conversation.js';
import { ModelConversations, type Question } from '../server/conversations.js';
import { sendError } from '../server/delivery.js';
import { notesOf, readQuestion } from '../server/question.js';
import { parsed } from '../server/request-body.js';
import type { Notes } from '../server/responder.js';
import { subagentIn } from '../server/subagents.js';
import { answerNotes } from './answer-notes.js';
import type { Interaction } from './format.js';
import { forward } from './forward.js';
import { ProgramCalls } from './program-calls.js';
import { type ReadAnswer, readAnswer } from './read-answer.js';
import { forwardedHeaders, type Upstreams, withoutKey } from './upstream.js';
import type { CassetteWriter } from './writer.js';

/** Headers of a request that name the client and its version, and are no secret. */
const KEPT_HEADERS = [
  'user-agent',
  'anthropic-version',
  'anthropic-beta',
  'openai-beta',
  'originator',
  'x-goog-api-client',
];

/** Asks the real API in the place of a client, and writes down what was asked and answered. */
export class Recorder implements Answerer {
  readonly #writer: CassetteWriter;
  readonly #upstreams: Upstreams;
  readonly #conversations = new ModelConversations(new Script({ document: { responses: [] }, warnings: [] }));
  readonly #names = new Map<string, string>();
  readonly #calls = new ProgramCalls();
  readonly #pending = new Set<Promise<unknown>>();
  readonly #keepEmpty: boolean;
  #calledTools = false;
  #count = 0;
  #fault: unknown;

  constructor(writer: CassetteWriter, upstreams: Upstreams, { keepEmpty = false } = {}) {
    this.#writer = writer;
    this.#upstreams = upstreams;
    this.#keepEmpty = keepEmpty;
  }

  answer(received: Received): Promise<Notes> {
    const answering = this.#answer(received);
    this.#pending.add(answering);
    return answering.finally(() => this.#pending.delete(answering));
  }

  /** Whether the last turn has ended: nothing is being answered, and no tool was called last. */
  get isIdle(): boolean {
    return this.#pending.size === 0 && !this.#calledTools;
  }

  usage(): ScriptUsage {
    return { unused: [], unmatched: [] };
  }

  /** Waits for what is still being answered. Throws what kept something from being written. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#pending);
    if (this.#fault !== undefined) {
      this.#writer.discard();
      throw this.#fault;
    }
    if (this.#writer.interactions === 0 && !this.#keepEmpty) this.#writer.discard();
    else this.#writer.close();
  }

  async #answer({ request, response, route, body, clients }: Received): Promise<Notes> {
    const { method = 'GET', url = '/', headers } = request;
    const { protocol, target } = route;
    const number = ++this.#count;
    const at = this.#writer.elapsed;
    const question =
      route.want === 'answer' && method === 'POST'
        ? readQuestion(clients, request, protocol, parsed(body), target)
        : undefined;
    const known = this.#place(question);
    try {
      const { upstream, path } = this.#upstreams.find(withoutPathKey(url), protocol.name, target.cloud);
      const answer = await forward(
        { url: `${upstream.baseUrl}${withoutKey(path)}`, method, headers: forwardedHeaders(headers, upstream), body },
        response,
      );
      const read = readAnswer(protocol.name, answer);
      this.#expectSubagents(known.conversation, read);
      if (known.conversation !== undefined) this.#calledTools = read.tools.length > 0;
      this.#write({
        ...{ number, at, protocol: protocol.name, answer },
        ...{ client: question?.client.name ?? 'library', ...known.line },
        request: {
          ...{ method, path: withoutKey(path) },
          headers: Object.fromEntries(
            KEPT_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
          ),
          ...(body.length === 0 ? {} : { body: JSON.parse(body.toString('utf8')) as unknown }),
        },
      });
      return { ...answerNotes(read, answer.status), ...known.notes };
    } catch (error) {
      const fix = error instanceof UnderstudyError ? ` ${error.fix ?? ''}` : '';
      const problem = `understudy: ${(error as Error).message}.${fix}`;
      const status = sendError({ response, protocol }, 'internal', problem);
      return { ...known.notes, kind: 'refused', problem, status };
    }
  }

  /** The conversation of a request, as its line and the journal name it. */
  #place(question: Question | undefined): {
    line: Pick<Interaction, 'conversation' | 'kind'> & Partial<Interaction>;
    notes: Notes;
    conversation?: ModelConversation;
  } {
    if (question === undefined) return { line: { conversation: '', kind: 'probe' }, notes: { kind: 'probe' } };
    const notes = notesOf(question);
    const auxiliary = recognizeAuxiliary(question);
    if (auxiliary !== undefined)
      return {
        line: { conversation: '', kind: 'auxiliary' },
        notes: { ...notes, kind: 'auxiliary', auxiliary: auxiliary.kind },
      };
    const conversation = this.#conversations.find(question);
    const name = this.#names.get(conversation.id) ?? `c${this.#names.size + 1}`;
    this.#names.set(conversation.id, name);
    const { tag, identity } = question;
    const call = this.#calls.of(conversation, tag, identity.session);
    const agent = conversation.agent === undefined ? {} : { agent: conversation.agent };
    const place = {
      ...agent,
      ...defined({ step: tag?.step, call }),
    };
    return {
      conversation,
      line: { conversation: name, kind: 'answer', ...place },
      notes: {
        ...{ ...notes, conversation: name, ...place },
        ...(tag !== undefined && tag.call === undefined ? { byProgram: true as const } : {}),
      },
    };
  }

  #expectSubagents(parent: ModelConversation | undefined, { tools }: ReadAnswer): void {
    if (parent === undefined) return;
    for (const { name, input } of tools) {
      const subagent = subagentIn(name, input);
      if (subagent !== undefined) this.#conversations.expectSubagent(parent, subagent.prompt, subagent.agent);
    }
  }

  #write(interaction: Omit<Interaction, 'type'>): void {
    try {
      this.#writer.interaction(interaction);
    } catch (error) {
      // The client has its answer. The end of the recording reports that it cannot be kept.
      this.#fault ??= error;
    }
  }
}
