import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UnderstudyError } from '../errors.js';
import type { AgentName } from './pinned.js';

/** The stand-ins that we have, by the agent whose place they take. */
const BUNDLES: Partial<Record<AgentName, string>> = {
  claude: 'understudy-claude.cjs',
  opencode: 'understudy-opencode.cjs',
  kiro: 'understudy-kiro.cjs',
};

/** How to start the stand-in of an agent: our own bundle, with this Node. */
export function standInCommand(agent: AgentName, from?: string): string[] {
  const bundle = BUNDLES[agent];
  if (bundle !== undefined) return ownProgram(bundle, from);
  throw new UnderstudyError('AGENT_NO_STAND_IN', `there is no stand-in for ${agent}`, {
    fix: 'Use another stage, or one of claude, opencode, kiro.',
  });
}

/** How to start a program that comes with us, wherever this code is: in the sources or in a bundle. */
export function ownProgram(bundle: string, from: string = dirname(fileURLToPath(import.meta.url))): string[] {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    for (const file of [join(folder, 'bin', bundle), join(folder, 'dist', 'bin', bundle)]) {
      if (existsSync(file)) return [process.execPath, file];
    }
  }
  throw new UnderstudyError('PROGRAM_NOT_BUILT', `${bundle} is not there`, { fix: 'Build it first: npm run build.' });
}
