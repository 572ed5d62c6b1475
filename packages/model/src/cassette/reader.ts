import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { defined, inWords, isObject, parseJson, UnderstudyError } from '@understudy/kit';
import {
  CASSETTE_VERSION,
  type CassetteHeader,
  type CassetteLine,
  headerSchema,
  type Interaction,
  lineSchema,
} from './format.js';
import { withParts } from './parts.js';
import { UNFINISHED } from './writer.js';

/** Where a line stands in the file. */
interface Place {
  offset: number;
  length: number;
}

/** What is kept in memory of an interaction. */
export interface IndexedInteraction
  extends Pick<
      Interaction,
      'number' | 'conversation' | 'kind' | 'protocol' | 'client' | 'agent' | 'step' | 'call' | 'at'
    >,
    Place {
  method: string;
  path: string;
  status: number;
}

const CHUNK = 1024 * 1024;
const RECENT_BYTES = 4 * 1024 * 1024;

/** A cassette on disk. Only an index is in memory; lines are read when they are needed. */
export class CassetteFile {
  readonly file: string;
  readonly header: CassetteHeader;
  /** In the order in which the requests came. */
  readonly interactions: readonly IndexedInteraction[];
  /** The recorder was killed: what came last may be missing. */
  readonly isCut: boolean;
  readonly #parts: ReadonlyMap<string, Place>;
  readonly #descriptor: number;
  /** Parts that many requests have, such as tools: those that were used last. */
  readonly #recent = new Map<string, { value: unknown; length: number }>();
  #recentLength = 0;
  #isOpen = true;

  private constructor(file: string, descriptor: number) {
    this.file = file;
    this.#descriptor = descriptor;
    const interactions: IndexedInteraction[] = [];
    const parts = new Map<string, Place>();
    let header: CassetteHeader | undefined;
    let ended = false;
    let number = 0;
    for (const { text, whole, ...place } of linesOf(descriptor)) {
      number++;
      const line = whole ? parseJson(text) : undefined;
      if (line === undefined && !whole) break;
      if (!isObject(line)) throw badLine(file, number, 'it is not JSON');
      header ??= readHeader(file, line);
      if (line['type'] === 'part') parts.set(String(line['id']), place);
      else if (line['type'] === 'interaction') interactions.push({ ...indexed(file, number, line), ...place });
      else if (line['type'] === 'end') ended = true;
    }
    if (header === undefined) throw notCassette(file, 'it is empty');
    this.header = header;
    this.isCut = !ended;
    this.interactions = interactions.sort((a, b) => a.number - b.number);
    this.#parts = parts;
  }

  /** Opens a cassette, or what a killed recorder left of it. */
  static open(file: string): CassetteFile {
    const there = existsSync(file) ? file : `${file}${UNFINISHED}`;
    if (!existsSync(there)) throw missing(file);
    const descriptor = openSync(there, 'r');
    try {
      return new CassetteFile(file, descriptor);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  static isThere(file: string): boolean {
    return existsSync(file);
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }

  /** A whole interaction, with all parts of its request. */
  read(place: Place): Interaction {
    const interaction = JSON.parse(this.#text(place)) as Interaction;
    const { request } = interaction;
    return { ...interaction, request: { ...request, body: withParts(request.body, (id) => this.#part(id)) } };
  }

  /** Every line, in the order of the file, as it is written. */
  *lines(): Generator<CassetteLine> {
    let number = 0;
    for (const { text, whole } of linesOf(this.#descriptor)) {
      number++;
      if (!whole) return;
      const line = lineSchema.safeParse(parseJson(text), inWords);
      if (!line.success) {
        const [issue] = line.error.issues;
        throw badLine(this.file, number, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
      }
      yield line.data;
    }
  }

  #part(id: string): unknown {
    const recent = this.#recent.get(id);
    if (recent !== undefined) {
      this.#recent.delete(id);
      this.#recent.set(id, recent);
      return recent.value;
    }
    const place = this.#parts.get(id);
    if (place === undefined) throw badLine(this.file, 0, `the part ${id} is missing`);
    const { value } = JSON.parse(this.#text(place)) as { value: unknown };
    this.#remember(id, value, place.length);
    return value;
  }

  #remember(id: string, value: unknown, length: number): void {
    this.#recent.set(id, { value, length });
    this.#recentLength += length;
    for (const [oldest, kept] of this.#recent) {
      if (this.#recentLength <= RECENT_BYTES) return;
      this.#recent.delete(oldest);
      this.#recentLength -= kept.length;
    }
  }

  #text({ offset, length }: Place): string {
    const bytes = Buffer.allocUnsafe(length);
    readSync(this.#descriptor, bytes, 0, length, offset);
    return bytes.toString('utf8');
  }
}

/** The lines of a file. A last line without an end is not whole. */
function* linesOf(descriptor: number): Generator<Place & { text: string; whole: boolean }> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  let pieces: Buffer[] = [];
  let offset = 0;
  let length = 0;
  let at = 0;
  for (
    let read = readSync(descriptor, chunk, 0, CHUNK, at);
    read > 0;
    read = readSync(descriptor, chunk, 0, CHUNK, at)
  ) {
    let from = 0;
    for (let end = chunk.indexOf(10, from); end !== -1 && end < read; end = chunk.indexOf(10, from)) {
      const text = Buffer.concat([...pieces, chunk.subarray(from, end)]).toString('utf8');
      length += end - from;
      if (text.trim() !== '') yield { text, offset, length, whole: true };
      offset += length + 1;
      length = 0;
      pieces = [];
      from = end + 1;
    }
    pieces.push(Buffer.from(chunk.subarray(from, read)));
    length += read - from;
    at += read;
  }
  if (length > 0) yield { text: '', offset, length, whole: false };
}

function readHeader(file: string, line: Record<string, unknown>): CassetteHeader {
  if (line['type'] !== 'cassette') throw notCassette(file, 'its first line is not the header of a cassette');
  if (Number(line['version']) > CASSETTE_VERSION) {
    throw new UnderstudyError('CASSETTE_NEWER', `${file} has version ${line['version']} of the format`, {
      fix: 'Update Understudy, or record the cassette again.',
    });
  }
  const header = headerSchema.safeParse(line, inWords);
  if (!header.success) throw badLine(file, 1, header.error.issues[0]?.message ?? 'it is not valid');
  return header.data;
}

function indexed(file: string, number: number, line: Record<string, unknown>): Omit<IndexedInteraction, keyof Place> {
  const { request, answer } = line;
  if (typeof line['number'] !== 'number' || !isObject(request) || !isObject(answer)) {
    throw badLine(file, number, 'it is not a whole interaction');
  }
  const { conversation, kind, protocol, client, agent, step, call, at } = line as unknown as Interaction;
  return {
    ...{ number: line['number'], conversation, kind, protocol, client, at },
    ...defined({ agent, step, call }),
    ...{ method: String(request['method']), path: String(request['path']), status: Number(answer['status']) },
  };
}

function missing(file: string): UnderstudyError {
  return new UnderstudyError('CASSETTE_MISSING', `there is no cassette ${file}`, {
    fix: 'Record it: `understudy run --stage live --record`, or `understudy record -o FILE -- COMMAND`.',
  });
}

function notCassette(file: string, reason: string): UnderstudyError {
  return new UnderstudyError('CASSETTE_INVALID', `${file} is not a cassette: ${reason}`, {
    fix: 'Give a file that `understudy record` wrote, or import another format with `understudy cassette import`.',
  });
}

function badLine(file: string, line: number, problem: string): UnderstudyError {
  return new UnderstudyError('CASSETTE_INVALID', `${file}:${line}: ${problem}`, {
    location: { file, line, column: 1 },
    fix: 'Record the cassette again, or repair the line.',
  });
}
