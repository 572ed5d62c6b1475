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
    const others = (hook: Teller) => announced.flatMap((one) => (one === hook ? [] : one.pid));
    const tools = startedForTools(tellers);
    return hooks.flatMap((hook) => {
      if (this.#comesFromCli(hook, [...others(hook), ...tools])) return [{ id: hook.id, read: (name) => read(hook, name) }];
      const reason = `comes from ${describeTeller(hook)}, which is no hook of the agent`;
      this.#refused.set(hook.id, { path: 'a record of a hook', reason });
      return [];
    });
  }

  /** What said that it is a run of a hook, and is none. */
  get refused(): Unreadable[] {
    return [...this.#refused.values()];
  }

  #comesFromCli({ pid, above }: Teller, others: readonly number[]): boolean {
    const { mainPids } = this.#told;
    return above.some((one) => mainPids.includes(one)) && !others.some((one) => one === pid || above.includes(one));
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
