import { ownProgram } from '../process/own-program.js';
import type { AgentName } from './pinned.js';

/** The stand-in of each agent. */
const BUNDLES: Record<AgentName, string> = {
  claude: 'understudy-claude.cjs',
  opencode: 'understudy-opencode.cjs',
  kiro: 'understudy-kiro.cjs',
  codex: 'understudy-codex.cjs',
  gemini: 'understudy-gemini.cjs',
};

/** How to start the stand-in of an agent: our own bundle, with this Node. */
export function standInCommand(agent: AgentName): string[] {
  return ownProgram(BUNDLES[agent]);
}
