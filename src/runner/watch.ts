import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { builtInWorkflows } from '../conversation/workflow/workflow.js';
import { fromRehearsal, loadRehearsal, REHEARSAL_ENDING, type Rehearsal } from '../rehearsal/load.js';
import { RUN_FOLDER } from './last-run.js';

/** An editor may write several files at once. */
const SETTLE_MS = 150;

/** What runs write themselves, and what changes without changing a rehearsal. */
const IGNORED = [RUN_FOLDER, '__snapshots__', '.git', 'node_modules'];

/** The files and folders that a rehearsal is made of. */
export function partsOf(rehearsal: Pick<Rehearsal, 'file' | 'document'>): string[] {
  const { scenario, plugins = [], workflow, project } = rehearsal.document;
  const own = workflow === undefined || Object.hasOwn(builtInWorkflows, workflow) ? [] : [workflow];
  const named = [
    ...(scenario === undefined ? [] : [scenario]),
    ...plugins,
    ...own,
    ...(project?.path === undefined ? [] : [project.path]),
  ];
  return [resolve(rehearsal.file), ...named.map((path) => fromRehearsal(rehearsal, path))];
}

/** Looks out for changes from the moment it is made, so that one that happens during a run is not lost. */
export class Watch {
  readonly #changed = new Set<string>();
  readonly #watchers: FSWatcher[] = [];
  readonly #parts: ReadonlyMap<string, readonly string[]>;
  #wake: () => void = () => {};

  constructor(files: readonly string[], folders: readonly string[] = []) {
    this.#parts = new Map(files.map((file) => [file, partsOfFile(file)]));
    const places = [...this.#parts.values()].flat().filter((part) => existsSync(part));
    // An editor replaces a file, which ends a watch on it: so its folder is watched.
    const watched = new Map<string, boolean>(folders.map((folder) => [resolve(folder), true]));
    for (const place of places) {
      const isFolder = statSync(place).isDirectory();
      const folder = isFolder ? place : dirname(place);
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

  /** Waits for a change that touches rehearsals, old or new, and gives their files. None when it was aborted. */
  async touched(signal: AbortSignal): Promise<string[]> {
    const wake = () => this.#wake();
    signal.addEventListener('abort', wake);
    try {
      while (!signal.aborted) {
        await this.#settled(signal);
        const files = this.#takeTouched();
        if (files.length > 0 && !signal.aborted) return files;
      }
      return [];
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

  #takeTouched(): string[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    const known = [...this.#parts].filter(([, parts]) => parts.some((part) => touches(changed, part)));
    const isKnown = new Set([...this.#parts.keys()].map((file) => resolve(file)));
    const fresh = changed.filter((path) => path.endsWith(REHEARSAL_ENDING) && !isKnown.has(path));
    return [...known.map(([file]) => file), ...fresh].filter((file) => existsSync(file));
  }
}

/** A file that cannot be loaded now is still looked at: it will be mended. */
function partsOfFile(file: string): string[] {
  try {
    return partsOf(loadRehearsal(file));
  } catch {
    return [resolve(file)];
  }
}

function touches(changed: readonly string[], part: string): boolean {
  return changed.some((path) => path === part || path.startsWith(part + sep));
}
