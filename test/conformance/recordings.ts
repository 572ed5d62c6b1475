import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import versions from '../../packages/agents/src/versions.json' with { type: 'json' };
import { joinParts, type Parts, shareParts } from './shared-parts.js';

/** `npm run record:conformance` sets it: the real CLI runs every case, and what it did is written down. */
export const RECORDING = process.env['UNDERSTUDY_RECORD'] === '1';

const FOLDER = fileURLToPath(new URL('./recorded', import.meta.url));

interface Shared {
  version: string;
  parts: Parts;
  cases: Record<string, Entry>;
}

interface Entry {
  /** A digest of the case: a changed case needs a new recording. */
  input: string;
  observed: unknown;
}

/**
 * What Claude Code said to many questions of one kind, and which version of it. They are thousands: each run asks the
 * pinned one some of them again.
 */
export class RecordedAnswers<Said> {
  readonly #file: string;
  readonly said: Said;

  constructor(kind: string) {
    this.#file = join(FOLDER, `claude-${kind}.json`);
    this.said = (JSON.parse(readFileSync(this.#file, 'utf8')) as { said: Said }).said;
  }

  save(said: Said): void {
    writeFileSync(this.#file, `${JSON.stringify({ version: versions.claude, said }, null, 1)}\n`);
  }
}

/** What the pinned version of a real CLI did in each case: one JSON file, one line for each case and for each part that they share. */
export class Recordings<Observed> {
  readonly #file: string;
  readonly #version: string;
  readonly #entries: Map<string, Entry>;
  readonly #parts: Parts;

  constructor(agent: keyof typeof versions, folder = FOLDER) {
    this.#file = join(folder, `${agent}.json`);
    this.#version = versions[agent];
    const { version, parts, cases } = JSON.parse(readFileSync(this.#file, 'utf8')) as Shared;
    if (version !== this.#version && !RECORDING)
      throw new Error(
        `${this.#file} is of ${version}, not ${this.#version}: re-record with npm run record:conformance`,
      );
    this.#parts = parts;
    this.#entries = new Map(Object.entries(cases));
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  /** What the real CLI did in this case. Throws when the case was not recorded, or differently. */
  read(name: string, input: unknown): Observed {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new Error(`"${name}" has no recording: re-record with npm run record:conformance`);
    if (entry.input !== digest(input))
      throw new Error(`"${name}" has changed since it was recorded: re-record with npm run record:conformance`);
    return joinParts(entry.observed, this.#parts) as Observed;
  }

  write(name: string, input: unknown, observed: Observed): void {
    this.#entries.set(name, { input: digest(input), observed });
  }

  /** Writes the file; cases that no longer exist are left out. */
  save(names: readonly string[]): void {
    const kept = names.flatMap((name) => {
      const entry = this.#entries.get(name);
      return entry === undefined ? [] : [{ name, ...entry, observed: joinParts(entry.observed, this.#parts) }];
    });
    const { parts, values } = shareParts(kept.map(({ observed }) => observed));
    const lineOf = (key: string, value: unknown) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    const shared = Object.keys(parts)
      .sort()
      .map((key) => lineOf(key, parts[key]));
    const cases = kept.map(({ name, input }, at) => lineOf(name, { input, observed: values[at] }));
    writeFileSync(
      this.#file,
      `{"version": ${JSON.stringify(this.#version)}, "parts": {\n${shared.join(',\n')}\n}, "cases": {\n${cases.join(',\n')}\n}}\n`,
    );
  }
}

function digest(input: unknown): string {
  return createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 16);
}
