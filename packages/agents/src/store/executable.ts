import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentName, agents } from '../agents.js';
import { type Machine, thisMachine } from '../machine.js';
import { nodeIn } from './node-runtime.js';

/**
 * How to start the CLI that is installed in a folder, or nothing when its program is not there.
 * Native programs are started directly: the wrappers of their packages need install scripts. Scripts run with the Node
 * that was fetched with them, else with ours.
 */
export function executableIn(folder: string, agent: AgentName, machine: Machine = thisMachine()): string[] | undefined {
  for (const candidate of agents[agent].npm?.executables(machine) ?? []) {
    const file = join(folder, 'node_modules', candidate);
    if (existsSync(file)) return file.endsWith('.js') ? [nodeIn(folder, machine) ?? process.execPath, file] : [file];
  }
  return undefined;
}
