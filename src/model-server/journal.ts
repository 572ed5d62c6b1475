import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { dirname } from 'node:path';
import type { SlashCommand } from '../scenario/prompt.js';
import type { AuxiliaryKind } from './auxiliary.js';
import type { ClientName } from './clients/client.js';
import type { ProtocolName, WireToolResult } from './wire/protocol.js';

/** What became of a request. */
export type EntryKind = 'answer' | 'auxiliary' | 'failure' | 'unanswered' | 'refused' | 'probe';

/** One request and what it was answered with. */
export interface JournalEntry {
  number: number;
  at: string;
  milliseconds: number;
  kind: EntryKind;
  method: string;
  path: string;
  protocol?: ProtocolName;
  client?: ClientName;
  conversation?: string;
  agent?: string;
  model?: string;
  stream?: boolean;
  /** What the user said; absent when the request brings tool results. */
  prompt?: string;
  command?: SlashCommand;
  results?: WireToolResult[];
  /** The how-manieth attempt at this step it was. */
  attempt?: number;
  /** Which part of the scenario answered. */
  place?: string;
  auxiliary?: AuxiliaryKind | 'token-count';
  failure?: string;
  /** What was wrong, as the client was told. */
  problem?: string;
  status: number;
  /** The client had gone before the answer was complete, or the script cut it off. */
  incomplete?: true;
  answer?: {
    text: string;
    thinking?: string;
    tools: { id: string; tool: string; name: string; input: unknown }[];
    stop: string;
  };
  headers: Record<string, string>;
  /** The request as it came; text where it was no JSON. */
  body?: unknown;
}

/** Bodies are large: this many entries are kept in memory, the file has them all. */
const KEPT_ENTRIES = 500;

const SECRET = /^(?:authorization|proxy-authorization|cookie|x-api-key|x-goog-api-key|api-key)$/;

/** Every request and its answer, in order; written to a file as JSON lines where one is given. */
export class Journal {
  readonly #kept: JournalEntry[] = [];
  readonly #keep: number;
  readonly #listeners = new Set<(entry: JournalEntry) => void>();
  #file: number | undefined;
  #count = 0;

  constructor({ file, keep = KEPT_ENTRIES }: { file?: string; keep?: number } = {}) {
    this.#keep = keep;
    if (file !== undefined) {
      mkdirSync(dirname(file), { recursive: true });
      this.#file = openSync(file, 'w');
    }
  }

  /** How many requests there were. */
  get count(): number {
    return this.#count;
  }

  /** The entries in memory, oldest first; with a condition, those that meet it. */
  entries(
    condition: Partial<Pick<JournalEntry, 'kind' | 'conversation' | 'agent' | 'client' | 'protocol' | 'place'>> = {},
  ): JournalEntry[] {
    const wanted = Object.entries(condition);
    return this.#kept.filter((entry) => wanted.every(([key, value]) => entry[key as keyof JournalEntry] === value));
  }

  /** Calls back for each entry from now on; the result ends it. */
  onEntry(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  nextNumber(): number {
    return ++this.#count;
  }

  add(entry: JournalEntry): void {
    this.#kept.push(entry);
    if (this.#kept.length > this.#keep) this.#kept.shift();
    if (this.#file !== undefined) writeSync(this.#file, `${JSON.stringify(entry)}\n`);
    for (const listener of this.#listeners) listener(entry);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/** Headers as they may be written down: what could be a key is not in them. */
export function redacted(headers: IncomingHttpHeaders): Record<string, string> {
  const safe: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) safe[name] = SECRET.test(name) ? '[redacted]' : String(value);
  }
  return safe;
}

/** A path as it may be written down: Google's clients put the key into it. */
export function redactedPath(url: string): string {
  return url.replace(/([?&]key=)[^&]*/g, '$1[redacted]');
}
