import type { Unreadable } from '@understudy/kit';
import { describeTeller, startedForTools, type Teller, type Told, toldAs } from '../record/teller.js';

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
    const announced = [...hooks, ...tellers.filter((teller) => has(teller, 'beside'))];
    const others = [...announced, ...startedForTools(tellers)];
    return hooks.flatMap((hook) => {
      if (
        this.#comesFromCli(
          hook,
          others.filter((one) => one !== hook),
        )
      )
        return [{ id: hook.id, read: (name) => read(hook, name) }];
      const reason = `comes from ${describeTeller(hook)}, which is no hook of the agent`;
      this.#refused.set(hook.id, { path: 'a record of a hook', reason });
      return [];
    });
  }

  /** What said that it is a run of a hook, and is none. */
  get refused(): Unreadable[] {
    return [...this.#refused.values()];
  }

  #comesFromCli({ start, pid, above }: Teller, others: readonly Pick<Teller, 'start' | 'pid'>[]): boolean {
    const main = this.#told.mainPids[start];
    if (main === undefined || !above.includes(main)) return false;
    return !others.some((one) => one.start === start && (one.pid === pid || above.includes(one.pid)));
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
