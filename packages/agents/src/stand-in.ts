import { ownProgram, startCompiled } from '@understudy/kit';
import type { AgentName } from './pinned.js';

/** The stand-in of each agent. */
const BUNDLES: Record<AgentName, string> = {
  claude: 'understudy-claude.cjs',
  opencode: 'understudy-opencode.cjs',
  kiro: 'understudy-kiro.cjs',
  codex: 'understudy-codex.cjs',
  gemini: 'understudy-gemini.cjs',
};

/** Gemini CLI runs on Node, and so does its stand-in: both tell errors in the words of Node's engine. */
const ON_NODE: readonly AgentName[] = ['gemini'];

/** Whether the stand-in of an agent can be a compiled program. */
export function isCompilable(agent: AgentName): boolean {
  return !ON_NODE.includes(agent);
}

/** How to start the stand-in of an agent: the compiled one, else our own bundle with this Node. */
export function standInCommand(agent: AgentName): string[] {
  const bundled = (): string[] => ownProgram(BUNDLES[agent]);
  return isCompilable(agent) ? startCompiled(agent, bundled) : bundled();
}
