import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AgentName, distributions } from '../../src/agents/pinned.js';
import { joinParts, type Parts, shareParts } from './shared-parts.js';

/** `npm run record:conformance` sets it: the real CLI runs every case, and what it did is written down. */
export const RECORDING = process.env['UNDERSTUDY_RECORD'] === '1';

interface Shared {
  parts: Parts;
  cases: Record<string, Entry>;
}

interface Entry {
  /** A digest of the case: a changed case needs a new recording. */
  input: string;
  observed: unknown;
}

/** The version of the CLI that we test against, and that the recording is of. */
export function pinnedVersion(agent: AgentName): string {
  const { npm } = distributions[agent];
  if (npm === undefined) throw new Error(`${agent} has no pinned version`);
  return npm.pinned;
}

/** What one version of a real CLI did in each case: one JSON file, one line for each case and for each part that they share. */
export class Recordings<Observed> {
  readonly #file: string;
  readonly #entries: Map<string, Entry>;
  readonly #parts: Parts;

  /** @param name such as `claude-2.1.325` */
  constructor(name: string, folder = fileURLToPath(new URL('./recorded', import.meta.url))) {
    this.#file = join(folder, `${name}.json`);
    const text = existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : '{ "parts": {}, "cases": {} }';
    const { parts, cases } = JSON.parse(text) as Shared;
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
    writeFileSync(this.#file, `{"parts": {\n${shared.join(',\n')}\n}, "cases": {\n${cases.join(',\n')}\n}}\n`);
  }
}

function digest(input: unknown): string {
  return createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 16);
}
