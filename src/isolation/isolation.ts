import { dirname, sep } from 'node:path';
import { UnderstudyError } from '../errors.js';
import { findOwnFile } from '../process/own-program.js';
import { dockerProblem, imageProblem, openDocker } from './docker.js';
import { hiddenFolders, programFolders } from './folders.js';
import { askedIsolation, type IsolationChoice, type IsolationState } from './level.js';
import { linkedFolders } from './linked-folders.js';
import { ownRepositories } from './own-repository.js';
import { sandboxProblem } from './probe-sandbox.js';
import type { Isolation, IsolationNeeds } from './provider.js';
import { Sandbox } from './sandbox.js';
import type { Attempt } from './watch.js';

export interface ChosenIsolation extends IsolationState {
  image?: string;
}

/** Takes what was asked for, or says why it is not there. `auto` takes the best that works. */
export async function chooseIsolation(asked: IsolationChoice = askedIsolation(undefined)): Promise<ChosenIsolation> {
  switch (asked.level) {
    case 'none':
      return { level: 'none' };
    case 'docker': {
      const problem = (await dockerProblem()) ?? (await imageProblem(asked.image));
      if (problem !== undefined) throw notAvailable('docker', problem);
      return asked;
    }
    default: {
      const reason = await sandboxProblem();
      if (reason === undefined) return { level: 'sandbox' };
      if (asked.level === 'auto') return { level: 'none', reason };
      if (asked.level === 'sandbox') throw notAvailable('sandbox', reason);
      const problem = (await dockerProblem()) ?? (await imageProblem(undefined));
      if (problem === undefined) return { level: 'docker' };
      throw notAvailable('required', `${reason}; ${problem}`);
    }
  }
}

/** The folders of this machine that a command will not see, and those in them that it will: what is on PATH. */
export async function hiddenHere(asked: string | undefined): Promise<{ hidden: string[]; shown: string[] }> {
  const { level } = await chooseIsolation(askedIsolation(asked));
  if (level === 'none') return { hidden: [], shown: [] };
  return { hidden: hiddenFolders(), shown: programFolders(process.env['PATH'] ?? '') };
}

/** Opens what was chosen around the folders and ports that a command needs. */
export async function openIsolation(asked: string | undefined, needs: IsolationNeeds): Promise<Isolation> {
  const chosen = await chooseIsolation(askedIsolation(asked));
  if (chosen.level === 'none') return { ...chosen, hidden: [], look: () => [], close: async () => {} };
  const linked = linkedFolders(needs.writable);
  const all = {
    ...needs,
    writable: [...needs.writable, ...linked.writable],
    readable: [...needs.readable, ...linked.readable, ...ownFolders()],
    repositories: ownRepositories(needs.writable),
  };
  if (chosen.level === 'docker') return openDocker(all, chosen.image);
  const sandbox = await Sandbox.open(all);
  return {
    level: 'sandbox',
    enclosure: sandbox,
    hidden: sandbox.hidden,
    look: (input) => sandbox.look(input),
    close: () => sandbox.close(),
  };
}

/** This package, which has the stand-ins, and what it needs. Where it is bundled into another program, there is none. */
function ownFolders(): string[] {
  const bundle = findOwnFile('bin/understudy-claude.cjs');
  if (bundle === undefined) return [];
  const own = dirname(dirname(bundle));
  const at = own.lastIndexOf(`${sep}node_modules${sep}`);
  return [at < 0 ? own : own.slice(0, at + `${sep}node_modules`.length)];
}

/** What a program tried, where nobody knows which of its agents and tools it was. CLIs themselves list folders. */
export function escapesOfProgram(attempts: readonly Attempt[]): Attempt[] {
  return attempts.filter(({ kind }) => kind !== 'list');
}

/** Host ports in URLs that lead to this machine. */
export function portsOf(urls: readonly (string | undefined)[]): number[] {
  return urls.flatMap((url) => {
    const port = url === undefined || !URL.canParse(url) ? '' : new URL(url).port;
    return port === '' ? [] : [Number(port)];
  });
}

function notAvailable(level: IsolationChoice['level'], problem: string): UnderstudyError {
  return new UnderstudyError('ISOLATION_NOT_AVAILABLE', `there is no isolation "${level}" here: ${problem}`, {
    fix: 'Install what is missing (`understudy doctor` and docs/isolation.md say more), or use `--isolation auto`, which takes the best that works.',
  });
}
