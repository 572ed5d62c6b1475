import { closeSync, openSync, writeSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { dirname } from 'node:path';
import { makeFolder, redactAll, redactor } from '@understudy/kit';
import type { SlashCommand } from '@understudy/script';
import type { Asker } from './asker.js';
import type { AuxiliaryKind } from './auxiliary.js';
import type { HookQuestion } from './clients/client.js';
import type { ProtocolName, WireToolResult } from './wire/protocol.js';

/** How a request was handled. */
export type EntryKind = 'answer' | 'auxiliary' | 'failure' | 'unanswered' | 'refused' | 'probe';

/** One request and its answer. */
export interface JournalEntry {
  number: number;
  at: string;
  milliseconds: number;
  kind: EntryKind;
  method: string;
  path: string;
  protocol?: ProtocolName;
  client?: string;
  conversation?: string;
  /** The `run` step of a rehearsal, and the call in it, that the request comes from. */
  step?: number;
  call?: number;
  /** The program of the step asked the model itself, without an agent. */
  byProgram?: true;
  /** The process that asked, where it is known. */
  asker?: Asker;
  agent?: string;
  model?: string;
  stream?: boolean;
  /** What the user said. Absent if the request has tool results. */
  prompt?: string;
  command?: SlashCommand;
  results?: WireToolResult[];
  /** Attempt number at this step, from 1. */
  attempt?: number;
  /** The part of the scenario that answered. */
  rulePath?: string;
  auxiliary?: AuxiliaryKind | 'hook' | 'token-count' | 'embeddings';
  /** The hook that asked. */
  hook?: Pick<HookQuestion, 'name' | 'event' | 'kind'>;
  failure?: string;
  /** The error message that the client got. */
  problem?: string;
  status: number;
  /** The answer was not complete: the client left, or the script cut it off. */
  incomplete?: true;
  answer?: {
    text: string;
    thinking?: string;
    tools: { id: string; tool: string; name: string; input: unknown }[];
    stop: string;
  };
  headers: Record<string, string>;
  /** The body of the request. A text if it was not JSON. */
  body?: unknown;
}

/** A request, and the size of its body and of the answer. */
interface Kept {
  entry: JournalEntry;
  bytes: number;
}

/** What is kept of requests: so many stay in memory, and so many bytes of their bodies; the file has more of them. */
export interface JournalOptions {
  file?: string;
  keep?: number;
  keepBytes?: number;
  fileBytes?: number;
  /** The file is full: it has no further request. */
  onFileCut?: (limitBytes: number) => void;
}

const MB = 1024 * 1024;
const KEPT_ENTRIES = 500;
const KEPT_BYTES = 64 * MB;
const FILE_BYTES = 512 * MB;

/** Headers that cannot be a key. Any other may be one, under whatever name a gateway gives it. */
const HARMLESS_HEADER =
  /^(?:accept(?:-encoding|-language)?|anthropic-(?:beta|version|dangerous-direct-browser-access)|connection|content-(?:encoding|length|type)|host|openai-beta|originator|transfer-encoding|user-agent|x-app|x-claude-code-session-id|x-goog-api-client|x-stainless-[a-z-]+)$/;

const HARMLESS_PARAMETERS: readonly string[] = [
  'after_id',
  'alt',
  'api-version',
  'before_id',
  'beta',
  'client_version',
  'limit',
];

const HIDDEN = '[redacted]';

/** Every request and its answer, in order. Also written as JSON lines if a file is given. */
export class Journal {
  readonly #kept: Kept[] = [];
  readonly #options: Required<Omit<JournalOptions, 'file'>>;
  /** What is written down has no secret in it. In memory a body is as it was sent: it is what checks judge. */
  readonly #redact = redactor(process.env);
  readonly #listeners = new Set<(entry: JournalEntry) => void>();
  #file: number | undefined;
  #count = 0;
  #keptBytes = 0;
  #written = 0;
  #forgottenUntil: string | undefined;

  constructor({ file, ...options }: JournalOptions = {}) {
    const { keep = KEPT_ENTRIES, keepBytes = KEPT_BYTES, fileBytes = FILE_BYTES, onFileCut = () => {} } = options;
    this.#options = { keep, keepBytes, fileBytes, onFileCut };
    if (file !== undefined) {
      makeFolder(dirname(file));
      this.#file = openSync(file, 'w', 0o600);
    }
  }

  /** Number of requests. */
  get count(): number {
    return this.#count;
  }

  /** The entries in memory that meet the condition, oldest first. */
  entries(
    condition: Partial<Pick<JournalEntry, 'kind' | 'conversation' | 'agent' | 'client' | 'protocol' | 'rulePath'>> = {},
  ): JournalEntry[] {
    const wanted = Object.entries(condition);
    return this.#kept
      .map(({ entry }) => entry)
      .filter((entry) => wanted.every(([key, value]) => entry[key as keyof JournalEntry] === value));
  }

  /** The time of the last request that is no longer in memory. */
  get forgottenUntil(): string | undefined {
    return this.#forgottenUntil;
  }

  /** Calls back for each new entry. The returned function ends that. */
  onEntry(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets what is in memory. The file keeps what it has. */
  clear(): void {
    this.#kept.length = 0;
    this.#keptBytes = 0;
    this.#count = 0;
  }

  nextNumber(): number {
    return ++this.#count;
  }

  /** Adds an entry; `bytes` is the size of its body and of the answer. */
  add(entry: JournalEntry, bytes = 0): void {
    this.#kept.push({ entry, bytes });
    this.#keptBytes += bytes;
    this.#forget();
    this.#write(entry);
    for (const listener of this.#listeners) listener(entry);
  }

  #forget(): void {
    const { keep, keepBytes } = this.#options;
    while (this.#kept.length > keep || this.#keptBytes > keepBytes) {
      const oldest = this.#kept.shift();
      if (oldest === undefined) return;
      this.#keptBytes -= oldest.bytes;
      this.#forgottenUntil = oldest.entry.at;
    }
  }

  #write(entry: JournalEntry): void {
    if (this.#file === undefined) return;
    const { fileBytes, onFileCut } = this.#options;
    const line = Buffer.from(`${JSON.stringify(redactAll(entry, this.#redact))}\n`);
    this.#written += line.length;
    if (this.#written <= fileBytes) {
      writeSync(this.#file, line);
      return;
    }
    this.close();
    onFileCut(fileBytes);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/** Headers without anything that could be a key. */
export function redactedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const safe: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) safe[name] = HARMLESS_HEADER.test(name) ? String(value) : HIDDEN;
  }
  return safe;
}

/** A path without anything that could be a key: Google's clients put it there. */
export function redactedPath(url: string): string {
  return url.replace(/([?&])([^=&]*)=[^&]*/g, (whole, mark: string, name: string) =>
    HARMLESS_PARAMETERS.includes(name) ? whole : `${mark}${name}=${HIDDEN}`,
  );
}
