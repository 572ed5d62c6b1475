import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { RUN_FOLDER } from './last-run.js';

/** An editor may write several files at once. */
const SETTLE_MS = 150;

/** What runs write themselves, and what changes without changing a result. */
const IGNORED = [RUN_FOLDER, '__snapshots__', '.git', 'node_modules'];

/** What is watched, and what a change means. */
export interface Watched {
  /** Each thing that can be run again, with the files and folders that it is made of. */
  parts: ReadonlyMap<string, readonly string[]>;
  /** Folders in which new things may appear. */
  folders?: readonly string[];
  /** Whether a new file in such a folder is one. */
  isNew?(path: string): boolean;
}

/** Watches from the moment it is made, so that a change during a run is not lost. */
export class Watch {
  readonly #changed = new Set<string>();
  readonly #watchers: FSWatcher[] = [];
  readonly #parts: ReadonlyMap<string, readonly string[]>;
  readonly #isNew: (path: string) => boolean;
  #wake: () => void = () => {};

  constructor({ parts, folders = [], isNew = () => false }: Watched) {
    this.#parts = parts;
    this.#isNew = isNew;
    const paths = [...this.#parts.values()].flat().filter((part) => existsSync(part));
    // An editor replaces a file, which ends a watch on it: so its folder is watched.
    const watched = new Map<string, boolean>(folders.map((folder) => [resolve(folder), true]));
    for (const path of paths) {
      const isFolder = statSync(path).isDirectory();
      const folder = isFolder ? path : dirname(path);
      watched.set(folder, isFolder || watched.get(folder) === true);
    }
    for (const [folder, recursive] of watched) {
      const watcher = watch(folder, { recursive }, (_event, name) => {
        if (name !== null && !IGNORED.some((ignored) => name.split(sep).includes(ignored))) {
          this.#changed.add(join(folder, name));
          this.#wake();
        }
      });
      // A folder that goes away is a change like any other, and no reason to end.
      watcher.on('error', () => watcher.close());
      this.#watchers.push(watcher);
    }
  }

  /** Waits for a change, and gives the names of what it touches, old or new. Nothing when it was aborted. */
  async touched(signal: AbortSignal): Promise<{ names: string[]; changed: string[] } | undefined> {
    const wake = () => this.#wake();
    signal.addEventListener('abort', wake);
    try {
      while (!signal.aborted) {
        await this.#settled(signal);
        const touched = this.#takeTouched();
        if (touched.names.length > 0 && !signal.aborted) return touched;
      }
      return undefined;
    } finally {
      signal.removeEventListener('abort', wake);
    }
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }

  /** Resolves when something has changed and nothing more does. */
  async #settled(signal: AbortSignal): Promise<void> {
    if (this.#changed.size === 0) await this.#nextChange(signal);
    for (let before = -1; before !== this.#changed.size && !signal.aborted; ) {
      before = this.#changed.size;
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    }
  }

  #nextChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (signal.aborted) resolve();
    });
  }

  #takeTouched(): { names: string[]; changed: string[] } {
    const changed = [...this.#changed];
    this.#changed.clear();
    const known = new Set([...this.#parts.keys()].map((file) => resolve(file)));
    const fresh = changed.filter((path) => this.#isNew(path) && !known.has(path));
    const names = [...touchedNames(changed, { parts: this.#parts, isNew: this.#isNew }), ...fresh];
    return { names: names.filter((file) => existsSync(file)), changed: changed.sort() };
  }
}

/**
 * The names of what a change touches. A folder that is a part may hold things of their own, as a plugin holds its
 * rehearsals: these are no parts of another, unless it names them.
 */
export function touchedNames(changed: readonly string[], { parts, isNew = () => false }: Watched): string[] {
  const known = new Set([...parts.keys()].map((file) => resolve(file)));
  const shared = changed.filter((path) => !known.has(path) && !isNew(path));
  const touches = (part: string) => changed.includes(part) || shared.some((path) => path.startsWith(part + sep));
  return [...parts].flatMap(([name, own]) => (changed.includes(resolve(name)) || own.some(touches) ? [name] : []));
}
