import { UnderstudyError } from '../errors.js';
import { ownProgram } from '../process/own-program.js';
import type { AgentName } from './pinned.js';

/** The stand-ins that we have, by the agent whose place they take. */
const BUNDLES: Partial<Record<AgentName, string>> = {
  claude: 'understudy-claude.cjs',
  opencode: 'understudy-opencode.cjs',
  kiro: 'understudy-kiro.cjs',
};

/** How to start the stand-in of an agent: our own bundle, with this Node. */
export function standInCommand(agent: AgentName): string[] {
  const bundle = BUNDLES[agent];
  if (bundle !== undefined) return ownProgram(bundle);
  throw new UnderstudyError('AGENT_NO_STAND_IN', `there is no stand-in for ${agent}`, {
    fix: 'Use another stage, or one of claude, opencode, kiro.',
  });
}
