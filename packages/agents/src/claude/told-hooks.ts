import type { Unreadable } from '@understudy/kit';
import { describeTeller, type Teller, type Told, toldAs } from '../record/teller.js';

/**
 * Runs of hooks that recorders told. A hook comes from the CLI, and from nothing else that it started: the recorder runs
 * before every command of the CLI, and tells of tools and servers, too, before they can do anything.
 */
export class ToldHooks {
  readonly #told: Told;
  readonly #refused = new Map<string, Unreadable>();

  constructor(told: Told) {
    this.#told = told;
  }

  runs(): { id: string; read(name: string): { text: string; mtimeMs: number } | undefined }[] {
    const tellers = this.#told.tellers();
    const hooks = tellers.filter((teller) => has(teller, 'command'));
    const announced = new Set([...hooks, ...tellers.filter((teller) => has(teller, 'beside'))]);
    return hooks.flatMap((hook) => {
      if (this.#comesFromCli(hook, announced)) return [{ id: hook.id, read: (name) => read(hook, name) }];
      const reason = `comes from ${describeTeller(hook)}, which is no hook of the agent`;
      this.#refused.set(hook.id, { path: 'a record of a hook', reason });
      return [];
    });
  }

  /** What said that it is a run of a hook, and is none. */
  get refused(): Unreadable[] {
    return [...this.#refused.values()];
  }

  #comesFromCli(hook: Teller, announced: ReadonlySet<Teller>): boolean {
    const { mainPids } = this.#told;
    if (!hook.above.some((pid) => mainPids.includes(pid))) return false;
    return ![...announced].some((one) => one !== hook && (one.pid === hook.pid || hook.above.includes(one.pid)));
  }
}

function has({ frames }: Teller, name: string): boolean {
  return frames.some((frame) => frame.name === name);
}

function read(teller: Teller, name: string): { text: string; mtimeMs: number } | undefined {
  // What was printed ends with the run, what was run begins it.
  const told = toldAs(teller, name);
  return told && { text: told.bytes.toString('utf8'), mtimeMs: told.mtimeMs };
}
