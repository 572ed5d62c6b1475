import { statSync } from 'node:fs';
import { readIfThere } from '@understudy/kit';

/** What the model knows of a file. */
interface Sight {
  content: string;
  mtimeMs: number;
  /** It has been shown all of it. */
  whole: boolean;
  /** The CLI reports to the model when the file changes: so it does with what tools wrote and commands printed. */
  watched: boolean;
}

/** The files that an agent has seen, each as it was then. */
export class SeenFiles {
  readonly #sights = new Map<string, Sight>();

  see(path: string, how: Pick<Sight, 'whole' | 'watched'>): void {
    const now = current(path);
    if (now !== undefined) this.#sights.set(path, { ...now, ...how });
  }

  /** An earlier process has seen this content at that time. */
  restore(path: string, content: string, mtimeMs: number, whole: boolean): void {
    this.#sights.set(path, { content, mtimeMs, whole, watched: false });
  }

  has(path: string): boolean {
    return this.#sights.has(path);
  }

  knows(path: string): boolean {
    return this.#upToDate(path)?.whole === true && !this.isStale(path);
  }

  isStale(path: string): boolean {
    const sight = this.#upToDate(path);
    return sight !== undefined && hasChanged(sight, current(path));
  }

  #upToDate(path: string): Sight | undefined {
    const sight = this.#sights.get(path);
    if (sight?.watched !== true || !hasChanged(sight, current(path))) return sight;
    this.see(path, { whole: true, watched: true });
    return this.#sights.get(path);
  }
}

function current(path: string): Pick<Sight, 'content' | 'mtimeMs'> | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) return undefined;
  return { content: readIfThere(path) ?? '', mtimeMs: stat.mtimeMs };
}

/** A file that was only touched is the same. */
function hasChanged(sight: Sight, now: Pick<Sight, 'content' | 'mtimeMs'> | undefined): boolean {
  return now !== undefined && now.mtimeMs > sight.mtimeMs && now.content !== sight.content;
}
