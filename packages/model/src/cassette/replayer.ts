import { createHash } from 'node:crypto';
import { defined, isObject, type JsonObject, UnderstudyError } from '@understudy/kit';
import { Script, type ScriptUsage } from '@understudy/script';
import type { Answerer, Received } from '../server/answerer.js';
import { recognizeAuxiliary } from '../server/auxiliary.js';
import { withoutPathKey } from '../server/client-keys.js';
import type { ServedClient } from '../server/clients/client.js';
import { recognizeClient } from '../server/clients/recognize-client.js';
import type { ModelConversation } from '../server/conversation.js';
import { ModelConversations, type Question } from '../server/conversations.js';
import { sendError } from '../server/delivery.js';
import { notesOf, readQuestion } from '../server/question.js';
import { parsed } from '../server/request-body.js';
import type { Notes } from '../server/responder.js';
import { route } from '../server/router.js';
import { subagentIn } from '../server/subagents.js';
import { answerNotes } from './answer-notes.js';
import { type Comparable, type ComparedPart, comparableOf, firstDifference, type Stable } from './comparable.js';
import { deliverRecorded } from './deliver.js';
import { FolderNames, type Folders } from './folders.js';
import type { Interaction } from './format.js';
import { ProgramCalls } from './program-calls.js';
import { readAnswer } from './read-answer.js';
import type { CassetteFile, IndexedInteraction } from './reader.js';
import { secretRemover } from './secrets.js';
import { StableTexts } from './stable-texts.js';

export interface ReplayOptions {
  /** The CLIs whose requests were recorded. */
  clients?: readonly ServedClient[];
  /** Folders that stand where the cassette has names. */
  folders?: Folders;
  /** 1 keeps the timing of the recording, 2 is twice as fast. Absent: nothing waits. */
  speed?: number | undefined;
  /** From this turn on, somebody else answers. */
  fromTurn?: number | undefined;
}

/** One recorded conversation, and how far it has been played. */
interface Track {
  name: string;
  entries: IndexedInteraction[];
  next: number;
  claimed: boolean;
  /** What the next request must be, read in advance. */
  prepared?: { comparable: Comparable; interaction: Interaction };
}

/** So many openings are compared one by one to find the nearest. */
const COMPARED_OPENINGS = 50;

/** Answers from a cassette: each conversation in its recorded order, and only to the requests that were recorded. */
export class Replayer implements Answerer {
  readonly #cassette: CassetteFile;
  readonly #options: ReplayOptions;
  readonly #tracks: Track[] = [];
  readonly #playing = new Map<string, Track>();
  readonly #unprompted: (IndexedInteraction & { used?: true })[];
  readonly #conversations = new ModelConversations(new Script({ document: { responses: [] }, warnings: [] }));
  readonly #calls = new ProgramCalls();
  readonly #remove = secretRemover(process.env);
  /** A conversation sends its whole history with each request: most texts were seen before. */
  readonly #recorded = new StableTexts();
  readonly #cwds = new Map<string, string>();
  readonly #folders = new Map<string, { names: FolderNames; texts: StableTexts }>();
  readonly #unmatched: { message: string; fix: string }[] = [];
  /** What another tool did not record. */
  readonly #ignored: readonly ComparedPart['label'][];
  #openings: Map<string, Track[]> | undefined;
  /** What was used when the cassette was closed. */
  #atEnd: ScriptUsage | undefined;

  constructor(cassette: CassetteFile, options: ReplayOptions = {}) {
    this.#cassette = cassette;
    this.#options = options;
    this.#ignored = cassette.header.importedFrom === undefined ? [] : ['the model', 'tools'];
    this.#unprompted = cassette.interactions.filter(({ kind }) => kind !== 'answer').map((entry) => ({ ...entry }));
    const byName = new Map<string, Track>();
    for (const entry of cassette.interactions) {
      if (entry.kind !== 'answer') continue;
      const { conversation: name } = entry;
      const track = byName.get(name) ?? { name, entries: [], next: 0, claimed: false };
      track.entries.push(entry);
      byName.set(name, track);
    }
    this.#tracks.push(...byName.values());
  }

  close(): void {
    this.#atEnd = this.usage();
    this.#cassette.close();
  }

  async answer(received: Received): Promise<Notes | undefined> {
    const { request, route, body } = received;
    if (route.want !== 'answer' || request.method !== 'POST') return this.#answerProbe(received);
    const question = readQuestion(received.clients, request, route.protocol, parsed(body), route.target);
    const came = comparableOf(question.request, question.client, this.#stableFor(question));
    const auxiliary = recognizeAuxiliary(question);
    if (auxiliary !== undefined) return this.#answerAuxiliary(received, question, came);
    const conversation = this.#conversations.find(question);
    const { fromTurn } = this.#options;
    if (fromTurn !== undefined && conversation.agent === undefined && came.turn >= fromTurn) return undefined;
    return this.#play(received, question, conversation, came);
  }

  usage(): ScriptUsage {
    if (this.#atEnd !== undefined) return this.#atEnd;
    const { fromTurn } = this.#options;
    const unused = this.#tracks.flatMap(({ name, entries, next }) =>
      entries.slice(next).flatMap((entry) => {
        // What comes after a fork is not this cassette's any more.
        if (fromTurn !== undefined && this.#comparable(this.#cassette.read(entry)).turn >= fromTurn) return [];
        const rulePath = `interaction ${entry.number}`;
        return [
          { kind: 'interaction' as const, rulePath, pattern: `${entry.path}, conversation ${name}`, optional: false },
        ];
      }),
    );
    return { unused, unmatched: this.#unmatched };
  }

  async #play(
    received: Received,
    question: Question,
    conversation: ModelConversation,
    came: Comparable,
  ): Promise<Notes> {
    const track = this.#playing.get(conversation.id) ?? this.#claim(question, conversation, came);
    const before = track?.entries[track.next - 1];
    const call = this.#calls.of(conversation, question.tag, question.identity.session, (before?.status ?? 0) >= 400);
    const notes = this.#notes(question, conversation, call);
    const expected = track === undefined ? undefined : this.#expected(track);
    const difference = expected === undefined ? undefined : firstDifference(expected.comparable, came, this.#ignored);
    if (track === undefined || expected === undefined || difference !== undefined) {
      const where = placeOf(came, question, track);
      const message =
        difference === undefined
          ? `${where}: the cassette has no more answers for this conversation`
          : `${where}: ${difference.what} differs from the recording\n${difference.diff}`;
      return { ...notes, ...this.#refuse(received, message) };
    }
    if (!track.claimed) this.#playing.set(conversation.id, track);
    track.claimed = true;
    track.next++;
    delete track.prepared;
    const { interaction } = expected;
    const { names } = this.#folderOf(question);
    const answer = await deliverRecorded(received.response, interaction.answer, {
      show: (text) => names.show(text),
      speed: this.#options.speed,
    });
    const read = readAnswer(interaction.protocol, answer);
    for (const { name, input } of read.tools) {
      const subagent = subagentIn(name, input);
      if (subagent !== undefined) this.#conversations.expectSubagent(conversation, subagent.prompt, subagent.agent);
    }
    // While the agent works, the next request is prepared.
    setImmediate(() => this.#prepare(track));
    return { ...answerNotes(read, answer.status), ...notes, rulePath: `interaction ${interaction.number}` };
  }

  #notes(question: Question, conversation: ModelConversation, call: number | undefined): Notes {
    const { tag } = question;
    return {
      ...notesOf(question),
      conversation: conversation.id,
      ...defined({ agent: conversation.agent, step: tag?.step, call }),
      ...(tag !== undefined && tag.call === undefined ? { byProgram: true as const } : {}),
    };
  }

  #refuse({ response, route }: Received, message: string): Notes {
    const fix = 'Make the test do what was recorded, or record it again: `--stage live --record`.';
    this.#unmatched.push({ message, fix });
    const problem = `understudy: ${message}. ${fix}`;
    const status = sendError({ response, protocol: route.protocol }, 'unanswered', problem);
    return { kind: 'unanswered', problem, status };
  }

  /** The recorded conversation that begins like this one; without one, the next that is still to come. */
  #claim(question: Question, conversation: ModelConversation, came: Comparable): Track | undefined {
    const free = this.#tracks.filter(({ claimed }) => !claimed);
    const isNear = ({ entries: [first] }: Track) =>
      first?.step === question.tag?.step && first?.call === question.tag?.call;
    const sameOpening = (this.#openingsByDigest().get(digestOf(came)) ?? []).filter(({ claimed }) => !claimed);
    const same = sameOpening.find(isNear) ?? sameOpening[0];
    if (same !== undefined) return same;
    const ofAgent = free.filter(
      ({ entries: [first] }) => (first?.agent === undefined) === (conversation.agent === undefined),
    );
    const equal = ofAgent
      .slice(0, COMPARED_OPENINGS)
      .find((track) => firstDifference(this.#expected(track)?.comparable ?? came, came, this.#ignored) === undefined);
    return equal ?? ofAgent.find(isNear) ?? ofAgent[0];
  }

  #openingsByDigest(): Map<string, Track[]> {
    if (this.#openings === undefined) {
      this.#openings = new Map();
      for (const track of this.#tracks) {
        const [first] = track.entries;
        if (first === undefined) continue;
        const digest = digestOf(this.#comparable(this.#cassette.read(first)));
        this.#openings.set(digest, [...(this.#openings.get(digest) ?? []), track]);
      }
    }
    return this.#openings;
  }

  #expected(track: Track): Track['prepared'] {
    this.#prepare(track);
    return track.prepared;
  }

  #prepare(track: Track): void {
    const entry = track.entries[track.next];
    if (track.prepared !== undefined || entry === undefined || !this.#cassette.isOpen) return;
    const interaction = this.#cassette.read(entry);
    track.prepared = { comparable: this.#comparable(interaction), interaction };
  }

  #comparable({ client, request: { method, path, headers, body } }: Interaction): Comparable {
    const { clients = [] } = this.#options;
    const { protocol, target } = route(method, path, headers);
    if (!isObject(body)) throw unreadable(this.#cassette.file, path);
    const stable: Stable = (text, kind) => this.#recorded.get(text, kind, (same) => same);
    return comparableOf(
      protocol.read(body as JsonObject, target),
      // Only a few headers are kept.
      clients.find(({ name }) => name === client) ?? recognizeClient(clients, headers),
      stable,
    );
  }

  async #answerAuxiliary(received: Received, question: Question, came: Comparable): Promise<Notes | undefined> {
    const recorded = this.#unprompted.find(
      (entry) =>
        entry.kind === 'auxiliary' &&
        entry.used === undefined &&
        firstDifference(this.#comparable(this.#cassette.read(entry)), came) === undefined,
    );
    // One that was not recorded is answered by its shape: whether it comes may depend on the time.
    if (recorded === undefined) return undefined;
    return { ...notesOf(question), ...(await this.#sendUnprompted(received, recorded)), kind: 'auxiliary' };
  }

  /** Model lists, token counts, and whatever else a client asks: in the order in which it was recorded, by its path. */
  async #answerProbe(received: Received): Promise<Notes | undefined> {
    const { request } = received;
    const path = withoutPathKey(request.url ?? '/').replace(/\?.*$/, '');
    const isSame = (entry: IndexedInteraction) =>
      entry.kind === 'probe' && entry.method === request.method && path.endsWith(entry.path.replace(/\?.*$/, ''));
    const recorded =
      this.#unprompted.find((entry) => entry.used === undefined && isSame(entry)) ?? this.#unprompted.findLast(isSame);
    return recorded === undefined ? undefined : { ...(await this.#sendUnprompted(received, recorded)), kind: 'probe' };
  }

  async #sendUnprompted({ response }: Received, entry: IndexedInteraction & { used?: true }): Promise<Notes> {
    entry.used = true;
    const { answer, protocol } = this.#cassette.read(entry);
    await deliverRecorded(response, answer, { show: (text) => text, speed: this.#options.speed });
    return answerNotes(readAnswer(protocol, answer), answer.status);
  }

  #stableFor(question: Question): Stable {
    const { names, texts } = this.#folderOf(question);
    return (text, kind) => texts.get(text, kind, (raw) => names.hide(this.#remove(raw)));
  }

  #folderOf({ client, request, identity }: Question): { names: FolderNames; texts: StableTexts } {
    const { folders = {} } = this.#options;
    // A session stays in its folder, and to look for it in every request takes long.
    const { session } = identity;
    const cwd = this.#cwds.get(session ?? '') ?? client.workingFolder(request) ?? folders.cwd ?? '';
    if (session !== undefined) this.#cwds.set(session, cwd);
    const known = this.#folders.get(cwd) ?? {
      names: new FolderNames({ ...folders, ...(cwd === '' ? {} : { cwd }) }),
      texts: new StableTexts(),
    };
    this.#folders.set(cwd, known);
    return known;
  }
}

function placeOf({ turn }: Comparable, { tag }: Question, track: Track | undefined): string {
  const step =
    tag === undefined
      ? `turn ${turn}`
      : `step ${tag.step}${tag.call === undefined ? '' : `, call ${tag.call}`}, turn ${turn}`;
  return track === undefined ? step : `${step}, request ${track.next + 1} of conversation ${track.name}`;
}

function digestOf({ parts }: Comparable): string {
  return createHash('sha1').update(JSON.stringify(parts)).digest('base64');
}

function unreadable(file: string, path: string): UnderstudyError {
  return new UnderstudyError('CASSETTE_INVALID', `${file}: the request to ${path} has no body that can be read`, {
    fix: 'Record the cassette again.',
  });
}
