import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlayState } from '@understudy/script';
import type { StepUsage } from './step-usage.js';

/** A saved session of a stand-in, which a later process can continue. */
export interface SavedSession {
  id: string;
  cwd: string;
  /** Milliseconds since 1970. */
  updated: number;
  play: PlayState;
  /** The tokens of all its turns, and the model of the last one (Codex). */
  tokens?: StepUsage;
  model?: string;
}

/** The sessions in a CLI's data folder: one JSON file each. */
export class SessionStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  find(id: string): SavedSession | undefined {
    return this.#all().find((session) => session.id === id);
  }

  /** The last one that was used in a folder, or anywhere. */
  latest(cwd: string | undefined): SavedSession | undefined {
    return this.inFolder(cwd).at(-1);
  }

  /** Those of a folder, or all: the last used one is the last. */
  inFolder(cwd: string | undefined): SavedSession[] {
    return this.#all()
      .filter((session) => cwd === undefined || session.cwd === cwd)
      .sort((a, b) => a.updated - b.updated);
  }

  save(session: SavedSession): void {
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(join(this.#folder, `${session.id}.json`), `${JSON.stringify(session)}\n`);
  }

  #all(): SavedSession[] {
    let names: string[];
    try {
      names = readdirSync(this.#folder);
    } catch {
      return [];
    }
    return names.filter((name) => name.endsWith('.json')).flatMap((name) => this.#read(name) ?? []);
  }

  /** A file that was only half written is ignored. */
  #read(name: string): SavedSession | undefined {
    try {
      const session = JSON.parse(readFileSync(join(this.#folder, name), 'utf8')) as Partial<SavedSession>;
      return typeof session.id === 'string' && session.play !== undefined ? (session as SavedSession) : undefined;
    } catch {
      return undefined;
    }
  }
}
