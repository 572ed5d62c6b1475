import { ownProgram, startCompiled } from '@understudy/kit';
import { type AgentName, agents } from './agents.js';

/** Whether the stand-in of an agent can be a compiled program. */
export function isCompilable(agent: AgentName): boolean {
  return agents[agent].runsOnNode !== true;
}

/** How to start the stand-in of an agent: the compiled one, else our own bundle with this Node. */
export function standInCommand(agent: AgentName): string[] {
  const bundled = (): string[] => ownProgram(`understudy-${agent}.cjs`);
  return isCompilable(agent) ? startCompiled(agent, bundled) : bundled();
}
