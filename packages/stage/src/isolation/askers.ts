import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { readIfThere } from '@understudy/kit';
import type { Asker } from '@understudy/model';
import type { KnownProcess, RoleOf } from './records.js';
import { readReport } from './report.js';

/** Finds out who asks, by what a forwarder says: its token, and five fields for each process that holds the connection. */
export type FindAsker = (said: readonly string[]) => Asker | undefined;

/** Who is a process inside, by what the kernel says of it. Each command inside has a first process with a report of its own. */
export class Askers {
  readonly #reports = new Set<string>();
  readonly #byToken = new Map<string, string>();
  readonly #isAgent: (process: KnownProcess) => boolean;
  readonly #mainIsAgent: boolean;

  /** The commands that agents are, and whether what is started is an agent itself. */
  constructor({ agents = [], runsAgent = false }: { agents?: readonly (readonly string[])[]; runsAgent?: boolean }) {
    const are = agents.map(recognizer);
    this.#isAgent = (process) => are.some((is) => is(process));
    this.#mainIsAgent = runsAgent;
  }

  /** The report of one more command. */
  expect(report: string): void {
    this.#reports.add(report);
  }

  /** Undefined: whoever says it is not the forwarder. */
  readonly find: FindAsker = ([token = '', ...fields]) => {
    const report = token === '' ? undefined : this.#reportWith(token);
    if (report === undefined) return undefined;
    const holders = Array.from({ length: Math.floor(fields.length / 5) }, (_, index): Asker => {
      const [pid = '', device = '', inode = '', program = '', words = ''] = fields.slice(index * 5, index * 5 + 5);
      const role = this.roleOf({ pid: Number(pid), identity: `${device}:${inode}`, words }, report);
      return { pid: Number(pid), program, words, role };
    });
    // A connection may be handed on: all who hold it could have asked.
    return (
      holders.find(({ role }) => role === 'other') ??
      holders.find(({ role }) => role === 'agent') ??
      holders[0] ??
      NOBODY
    );
  };

  readonly roleOf: RoleOf = ({ pid, ...process }, report) => {
    if (this.#mainIsAgent && pid === readReport(readIfThere(report) ?? '').child) return 'main';
    return this.#isAgent(process) ? 'agent' : 'other';
  };

  #reportWith(token: string): string | undefined {
    const known = this.#byToken.get(token);
    if (known !== undefined) return known;
    const found = [...this.#reports].find((report) => readReport(readIfThere(report) ?? '').token === token);
    if (found !== undefined) this.#byToken.set(token, found);
    return found;
  }
}

/** It had gone when the kernel was asked, or hides itself. */
const NOBODY: Asker = { pid: 0, program: '', words: '', role: 'other' };

/** A CLI that is a script is known by its words alone: what it runs is the interpreter. */
function recognizer([file = '', ...words]: readonly string[]): (process: KnownProcess) => boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  const scripts = found === undefined || isScript(file) ? [file, ...words] : words;
  const identity = scripts.length > words.length ? undefined : `${found?.dev}:${found?.ino}`;
  return (process) =>
    (identity === undefined || process.identity === identity) &&
    scripts.every((word) => process.words.split(' ').includes(word));
}

function isScript(file: string): boolean {
  const opened = openSync(file, 'r');
  try {
    const start = Buffer.alloc(2);
    return readSync(opened, start) === 2 && start.toString('latin1') === '#!';
  } finally {
    closeSync(opened);
  }
}
