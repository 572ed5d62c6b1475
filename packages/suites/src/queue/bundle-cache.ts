import { createScratch, type Scratch } from '@understudy/kit';
import { linkOwnPackage } from '@understudy/runner';
import { unpackBundle } from './bundle-store.js';
import type { Database } from './database.js';

/** So many bundles stay on disk while nobody uses them. */
const KEPT = 3;

interface Unpacked {
  scratch: Scratch;
  ready: Promise<void>;
  users: number;
}

/** The bundles that a worker has unpacked, each once. */
export class BundleCache {
  readonly #database: Database;
  /** The one that was used last comes last. */
  readonly #bundles = new Map<string, Unpacked>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Gives the folder of a bundle to `work`; it stays until the work has ended. */
  async use<T>(hash: string, work: (folder: string) => Promise<T>): Promise<T> {
    const bundle = this.#bundles.get(hash) ?? this.#unpack(hash);
    this.#bundles.delete(hash);
    this.#bundles.set(hash, bundle);
    bundle.users++;
    try {
      await bundle.ready;
      return await work(bundle.scratch.path);
    } catch (error) {
      // One that could not be unpacked is tried again next time.
      if (bundle.users === 1 && this.#bundles.get(hash) === bundle) await this.#remove(hash, bundle);
      throw error;
    } finally {
      bundle.users--;
      await this.#removeOld();
    }
  }

  #unpack(hash: string): Unpacked {
    const scratch = createScratch('bundle');
    const ready = unpackBundle(this.#database, hash, scratch.path).then(() => linkOwnPackage(scratch.path));
    return { scratch, ready, users: 0 };
  }

  async #removeOld(): Promise<void> {
    const idle = [...this.#bundles].filter(([, { users }]) => users === 0);
    for (const [hash, bundle] of idle.slice(0, -KEPT)) await this.#remove(hash, bundle);
  }

  async #remove(hash: string, { scratch }: Unpacked): Promise<void> {
    this.#bundles.delete(hash);
    await scratch.remove();
  }

  async close(): Promise<void> {
    for (const [hash, bundle] of this.#bundles) await this.#remove(hash, bundle);
  }
}
