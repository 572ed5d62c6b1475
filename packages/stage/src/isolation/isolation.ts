import { UnderstudyError } from '@understudy/kit';
import { dockerProblem, imageProblem, openDocker } from './docker.js';
import { hiddenFolders, holdsHome, programFolders } from './folders.js';
import { type IsolationChoice, type IsolationState, requestedIsolation } from './level.js';
import { linkedFolders } from './linked-folders.js';
import { ownPackage } from './own-package.js';
import { ownRepositories, surveyGit } from './own-repository.js';
import { sandboxProblem } from './probe-sandbox.js';
import type { Isolation, IsolationNeeds } from './provider.js';
import { RepositoryWatch, watched } from './repository-watch.js';
import { Sandbox } from './sandbox.js';
import type { Attempt } from './watch.js';

export interface ChosenIsolation extends IsolationState {
  image?: string;
}

/** Takes what was asked for, or says why it is not there. `auto` takes the best that works. */
export async function chooseIsolation(
  asked: IsolationChoice = requestedIsolation(undefined),
): Promise<ChosenIsolation> {
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
  const { level } = await chooseIsolation(requestedIsolation(asked));
  if (level === 'none') return { hidden: [], shown: [] };
  return { hidden: hiddenFolders(), shown: programFolders(process.env['PATH'] ?? '') };
}

/** Opens what was chosen around the folders and ports that a command needs. */
export async function openIsolation(asked: string | undefined, needs: IsolationNeeds): Promise<Isolation> {
  const chosen = await chooseIsolation(requestedIsolation(asked));
  if (chosen.level === 'none')
    return { ...chosen, hidden: [], look: () => [], asker: () => undefined, close: async () => {} };
  assertNoHome(needs);
  const linked = linkedFolders(needs.writable);
  const survey = surveyGit(needs.writable);
  const all = {
    ...needs,
    writable: [...needs.writable, ...linked.writable],
    readable: [...needs.readable, ...[...linked.readable, ...ownPackage()].filter((path) => !holdsHome(path))],
    repositories: ownRepositories(survey),
  };
  const watch = new RepositoryWatch(survey);
  if (chosen.level === 'docker') return watched(await openDocker(all, chosen.image), watch);
  const sandbox = await Sandbox.open(all);
  const isolation: Isolation = {
    level: 'sandbox',
    enclosure: sandbox,
    hidden: sandbox.hidden,
    records: sandbox.records,
    look: (input) => sandbox.look(input),
    asker: (port) => sandbox.asker(port),
    close: () => sandbox.close(),
  };
  return watched(isolation, watch);
}

/** What is shown is shown with all that is in it, and a home has what nobody but its user may see. */
function assertNoHome({ writable, readable }: IsolationNeeds): void {
  const project = writable.find(holdsHome);
  if (project !== undefined) {
    const message = `${project} holds a home, and a sandbox hides homes, so nothing inside can work there`;
    throw new UnderstudyError('ISOLATION_HOME_IS_PROJECT', message, {
      fix: 'Use a project folder of its own, or `--isolation none`.',
    });
  }
  const shown = readable.find(holdsHome);
  if (shown === undefined) return;
  const message = `${shown} holds a home, so a sandbox cannot show it, and something in it is needed`;
  throw new UnderstudyError('ISOLATION_HOME_IS_SHOWN', message, {
    fix: 'Move what is needed, and the file that names it, into a folder of its own, or use `--isolation none`.',
  });
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
