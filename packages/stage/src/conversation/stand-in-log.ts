import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { defined, redactAll, redactor, type Unreadable, UntrustedFolder } from '@understudy/kit';
import { type ScenarioDocument, type ScriptUsage, Usage } from '@understudy/script';
import * as z from 'zod/mini';
import type { Records } from '../isolation/records.js';
import type { Told } from './told.js';

const refusalSchema = z.object({ unsupported: z.string() });

const entrySchema = z.looseObject({
  pid: z.optional(z.int()),
  prompt: z.optional(z.string()),
  outcome: z.optional(z.string()),
  failure: z.optional(z.string()),
  result: z.optional(z.string()),
  tools: z.optional(z.array(z.object({ name: z.string(), input: z.unknown(), is_error: z.boolean() }))),
  matched: z.array(z.string()),
  told: z.optional(
    z.array(
      z.object({
        agent: z.optional(z.string()),
        system: z.array(z.string()),
        messages: z.array(z.string()),
        tools: z.optional(z.array(z.string())),
      }),
    ),
  ),
  unanswered: z.optional(z.array(z.object({ message: z.string(), fix: z.string() }))),
});

/** What happened with one prompt. */
export type StandInEntry = z.infer<typeof entrySchema>;

/** The log in which a stand-in writes what it answered. Only what is added after this is made counts. */
export class StandInLog {
  readonly file: string;
  readonly #folder: UntrustedFolder;
  readonly #read: StandInEntry[] = [];
  /** What the stand-in refused although the real CLI does it. */
  readonly #refused: string[] = [];
  /** The end of the last whole line that was read. */
  #end: number;
  #isOver = false;
  #records: Records | undefined;
  /** So many entries of each stand-in were read. */
  readonly #told = new Map<string, number>();

  constructor(file: string) {
    this.file = file;
    this.#folder = new UntrustedFolder(realFolder(dirname(file)));
    this.#end = this.#folder.piece(basename(file), { longest: 0 })?.size ?? 0;
  }

  /** From now on, what stand-ins tell there counts, and no file. */
  readFrom(records: Records): void {
    this.#records = records;
  }

  /** That the log could not be read, and why: then nobody knows what the stand-in answered. */
  get unreadable(): Unreadable[] {
    return this.#folder.unreadable;
  }

  /** What the stand-in used of its script, and what it had no answer for. */
  usage({ responses = [] }: ScenarioDocument): ScriptUsage {
    const usage = new Usage(responses);
    const unmatched: ScriptUsage['unmatched'][number][] = [];
    for (const { matched, unanswered = [] } of this.#entries()) {
      for (const rulePath of matched) countUse(usage, rulePath);
      unmatched.push(...unanswered);
    }
    for (const message of this.#refused) unmatched.push({ message, fix: PLAY_REAL, unsupported: true });
    return { unused: usage.unused(), unmatched };
  }

  /** What the stand-in would have told a model in a turn. Undefined where it does not say, or there was no such turn. */
  told(turn: number): Told | undefined {
    return toldIn(this.#entries().slice(turn - 1, turn));
  }

  /** What a process wrote: one entry for each prompt. */
  entriesOf(pid: number): StandInEntry[] {
    return this.#entries().filter((entry) => entry.pid === pid);
  }

  /** The stand-in has ended: its log may go. Where a copy is wanted, it has no secrets. */
  keep(copy?: string): void {
    const redact = redactor(process.env);
    const entries = this.#entries();
    this.#isOver = true;
    if (copy === undefined || entries.length === 0) return;
    const lines = entries.map((entry) => `${JSON.stringify(redactAll(entry, redact))}\n`);
    new UntrustedFolder(dirname(copy)).write(basename(copy), lines.join(''), 0o600);
  }

  /** A line that was cut off when the stand-in was killed is left out. */
  #entries(): StandInEntry[] {
    if (this.#records === undefined) this.#readFile();
    else if (!this.#isOver) this.#readTold(this.#records);
    return this.#read;
  }

  #readTold(records: Records): void {
    for (const { id, frames } of records.tellersThat('log')) {
      const lines = frames.filter(({ name }) => name === 'log');
      for (const { bytes } of lines.slice(this.#told.get(id) ?? 0)) this.#take(linesOf(bytes.toString('utf8')));
      this.#told.set(id, lines.length);
    }
  }

  #readFile(): void {
    for (let isMore = !this.#isOver; isMore; ) {
      const { bytes, size } = this.#folder.piece(basename(this.file), { from: this.#end }) ?? NOTHING;
      const length = bytes.lastIndexOf('\n') + 1;
      this.#take(linesOf(bytes.toString('utf8', 0, length)));
      this.#end += length;
      isMore = length > 0 && this.#end - length + bytes.length < size;
    }
  }

  #take(lines: readonly unknown[]): void {
    for (const line of lines) {
      const refused = refusalSchema.safeParse(line).data;
      const entry = entrySchema.safeParse(line).data;
      if (refused !== undefined) this.#refused.push(refused.unsupported);
      else if (entry !== undefined) this.#read.push(entry);
    }
  }
}

/** The way out of everything that a stand-in refuses. */
export const PLAY_REAL = 'Play it with the real agent: `--stage scripted`.';
const NOTHING = { bytes: Buffer.alloc(0), size: 0 };

function linesOf(text: string): unknown[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/** A user may have named a folder that is reached through a link. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** What a model would have been told in these entries. Undefined where a stand-in does not say. */
export function toldIn(entries: readonly StandInEntry[]): Told | undefined {
  const told = entries.flatMap((entry) => entry.told ?? []);
  if (told.length === 0) return undefined;
  const requests = told.map(({ agent, tools, ...texts }) => ({
    ...texts,
    ...defined({ agent }),
    ...defined({ tools: tools?.map((name) => ({ name })) }),
  }));
  return { requests, standIn: true };
}

function countUse(usage: Usage, rulePath: string): void {
  const [, rule, turn] = /^responses\[(\d+)\](?:\.turns\[(\d+)\])?/.exec(rulePath) ?? [];
  if (rule === undefined) return;
  if (turn === undefined) usage.entered(Number(rule));
  else usage.reachedTurn(Number(rule), Number(turn));
}
