import { createHash } from 'node:crypto';
import { closeSync, copyFileSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder, UnderstudyError } from '@understudy/kit';
import packageJson from '../../../../package.json' with { type: 'json' };
import { redactedPath } from '../server/journal.js';
import { mapStream, streamTexts } from './channels.js';
import { FolderNames, type Folders } from './folders.js';
import {
  CASSETTE_VERSION,
  type CassetteHeader,
  type CassetteLine,
  type Interaction,
  type ProjectFiles,
  type RecordedAnswer,
} from './format.js';
import { canonical, mapTexts, partId, withoutParts } from './parts.js';
import { readAnswer } from './read-answer.js';
import { secretFinder, secretRemover } from './secrets.js';

export interface WriterOptions {
  file: string;
  header: Omit<CassetteHeader, 'type' | 'version' | 'understudy' | 'recordedAt'> & { recordedAt?: string };
  /** Folders that get names. */
  folders?: Folders;
  /** Whose secrets are taken out. */
  environment?: NodeJS.ProcessEnv;
}

/** While it is written, a cassette has this ending, too: a run that fails does not replace the one that is there. */
export const UNFINISHED = '.part';

/**
 * Writes a cassette, line by line as things happen. Each line is written as a whole and has no secret in it; what is
 * already there after a kill can be read. The file gets its name when it is closed.
 */
export class CassetteWriter {
  readonly file: string;
  readonly #folders: FolderNames;
  readonly #remove: (text: string) => string;
  readonly #find: (texts: readonly string[]) => string | undefined;
  readonly #started = performance.now();
  /** The ids of parts that are written, by a digest of what they were before. */
  readonly #known = new Map<string, string>();
  readonly #written = new Set<string>();
  #descriptor: number | undefined;
  #interactions = 0;
  #isKept = false;

  constructor({ file, header, folders = {}, environment = process.env }: WriterOptions) {
    this.file = file;
    this.#folders = new FolderNames(folders);
    this.#remove = secretRemover(environment);
    this.#find = secretFinder(environment);
    makeFolder(dirname(file));
    this.#descriptor = openSync(`${file}${UNFINISHED}`, 'w', 0o600);
    const { recordedAt = new Date().toISOString(), ...rest } = header;
    this.#write({
      ...{ type: 'cassette', version: CASSETTE_VERSION, understudy: packageJson.version, recordedAt },
      ...(this.#cleanAll(rest) as typeof rest),
    });
  }

  /** Milliseconds since the start of the recording. */
  get elapsed(): number {
    return Math.round(performance.now() - this.#started);
  }

  get interactions(): number {
    return this.#interactions;
  }

  /** A text without secrets and without this machine's folders. */
  clean = (text: string): string => this.#folders.hide(this.#remove(text));

  interaction(interaction: Omit<Interaction, 'type'>): void {
    const { request, answer, ...rest } = interaction;
    const line: Interaction = {
      type: 'interaction',
      ...rest,
      request: {
        ...request,
        path: this.clean(redactedPath(request.path)),
        headers: this.#cleanAll(request.headers) as Record<string, string>,
        body: withoutParts(request.body, (part) => this.#part(part)),
      },
      answer: this.#cleanAnswer(answer),
    };
    // The short rest of the body is not cleaned yet: its long parts are.
    line.request.body = this.#cleanAll(line.request.body);
    const { text } = readAnswer(line.protocol, line.answer);
    this.#write(line, [...streamTexts(line.answer.events ?? []), text]);
    this.#interactions++;
  }

  /** Something that was seen beside the wire. */
  seen(event: { type: string; path?: unknown }): void {
    if (isCassette(event.path)) return;
    this.#write({ type: 'seen', event: this.#cleanAll(event) as { type: string } });
  }

  files({ files, more }: Omit<ProjectFiles, 'type'>): void {
    const others = files.filter(({ path }) => !isCassette(path));
    this.#write({ type: 'files', files: this.#cleanAll(others) as ProjectFiles['files'], more });
  }

  /** Keeps what there is now under the name of the file; what comes later is not kept, unless this is called again. */
  keep(addLast: () => void): void {
    const writing = this.#descriptor;
    if (writing === undefined) return;
    const kept = `${this.file}.kept${UNFINISHED}`;
    copyFileSync(`${this.file}${UNFINISHED}`, kept);
    this.#descriptor = openSync(kept, 'a', 0o600);
    try {
      addLast();
      this.#write({ type: 'end', interactions: this.#interactions, milliseconds: this.elapsed });
      this.#release();
      renameSync(kept, this.file);
      this.#isKept = true;
    } catch (error) {
      this.#release();
      rmSync(kept, { force: true });
      throw error;
    } finally {
      this.#descriptor = writing;
    }
  }

  /** Writes the last line, and gives the file its name. What was kept before stays as it is. */
  close(): void {
    if (this.#isKept) this.discard();
    if (this.#descriptor === undefined) return;
    this.#write({ type: 'end', interactions: this.#interactions, milliseconds: this.elapsed });
    this.#release();
    renameSync(`${this.file}${UNFINISHED}`, this.file);
  }

  /** Leaves nothing behind. */
  discard(): void {
    if (this.#descriptor === undefined) return;
    this.#release();
    rmSync(`${this.file}${UNFINISHED}`, { force: true });
  }

  #release(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #part(value: unknown): string {
    const raw = createHash('sha256').update(JSON.stringify(value)).digest('base64');
    const known = this.#known.get(raw);
    if (known !== undefined) return known;
    const clean = this.#cleanAll(value);
    const id = partId(canonical(clean));
    if (!this.#written.has(id)) this.#write({ type: 'part', id, value: clean });
    this.#known.set(raw, id);
    this.#written.add(id);
    return id;
  }

  #cleanAnswer({ headers, events, body, ...rest }: RecordedAnswer): RecordedAnswer {
    return {
      ...rest,
      headers: this.#cleanAll(headers) as Record<string, string>,
      ...(events === undefined ? {} : { events: mapStream(events, this.clean) }),
      ...(body === undefined ? {} : { body: this.#cleanAll(body) }),
    };
  }

  #cleanAll(value: unknown): unknown {
    return mapTexts(value, this.clean);
  }

  #write(line: CassetteLine, more: readonly string[] = []): void {
    if (this.#descriptor === undefined) return;
    // What is sent again keeps its order; all else has one.
    const text = line.type === 'interaction' ? interactionText(line) : canonicalLine(line);
    const secret = this.#find([text, ...more]);
    if (secret !== undefined) throw secretLeft(this.file, line, secret);
    writeSync(this.#descriptor, `${text}\n`);
  }
}

/** A recording is no part of what it records. */
function isCassette(path: unknown): boolean {
  return typeof path === 'string' && /\.cassette\.jsonl(?:\.part)?$/.test(path);
}

function canonicalLine({ type, ...rest }: CassetteLine): string {
  return `{"type":${JSON.stringify(type)},${canonical(rest).slice(1)}`;
}

function interactionText({ answer, request, type, ...rest }: Interaction): string {
  const head = canonical(rest).slice(1, -1);
  return `{"type":"${type}",${head},"request":${canonical(request)},"answer":${JSON.stringify(answer)}}`;
}

function secretLeft(file: string, line: CassetteLine, secret: string): UnderstudyError {
  const where = line.type === 'interaction' ? `interaction ${line.number}` : `a line of the type "${line.type}"`;
  return new UnderstudyError('CASSETTE_SECRET', `${where} still has a secret in it (${secret}); it is not written`, {
    fix: `Keep the secret out of prompts, files and tool results, then record ${file} again.`,
  });
}
