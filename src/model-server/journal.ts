import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { dirname } from 'node:path';
import { redactAll, redactor } from '../process/redact.js';
import type { SlashCommand } from '../scenario/prompt.js';
import type { AuxiliaryKind } from './auxiliary.js';
import type { ClientName } from './clients/client.js';
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
  client?: ClientName;
  conversation?: string;
  /** The `run` step of a rehearsal, and the call in it, that the request comes from. */
  step?: number;
  call?: number;
  /** The program of the step asked the model itself, without an agent. */
  byProgram?: true;
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
  auxiliary?: AuxiliaryKind | 'token-count';
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

/** Bodies are large, so only this many entries stay in memory. The file has all of them. */
const KEPT_ENTRIES = 500;

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
  readonly #kept: JournalEntry[] = [];
  readonly #keep: number;
  /** What is written down has no secret in it. In memory a body is as it was sent: it is what checks judge. */
  readonly #redact = redactor(process.env);
  readonly #listeners = new Set<(entry: JournalEntry) => void>();
  #file: number | undefined;
  #count = 0;

  constructor({ file, keep = KEPT_ENTRIES }: { file?: string; keep?: number } = {}) {
    this.#keep = keep;
    if (file !== undefined) {
      mkdirSync(dirname(file), { recursive: true });
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
    return this.#kept.filter((entry) => wanted.every(([key, value]) => entry[key as keyof JournalEntry] === value));
  }

  /** Calls back for each new entry. The returned function ends that. */
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
    if (this.#file !== undefined) writeSync(this.#file, `${JSON.stringify(redactAll(entry, this.#redact))}\n`);
    for (const listener of this.#listeners) listener(entry);
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
