import { resolve } from 'node:path';
import { checkStamp, filesOfPart, importStamped, UnderstudyError } from '@understudy/kit';
import { type AgentName, addAgentDefinition, agents, removeAgentDefinition } from '../agents.js';
import { checkAgent } from './check-agent.js';
import type { OwnAgent } from './definition.js';
import { toDefinition } from './to-definition.js';

/** The agents of users, by the module or the object that defines them. */
const used = new Map<string | object, AgentName>();

/** Whether it is the path of a module, not a name: `./my-agent.mjs`. */
export function isModule(spec: string): boolean {
  return /^(?:\.{0,2}[\\/]|[a-z]:[\\/])|\.[cm]?[jt]s$/i.test(spec);
}

/** Makes the agent of a module known, once. */
export async function useAgentModule(file: string): Promise<AgentName> {
  const path = resolve(file);
  return used.get(path) ?? register(path, checkAgent(await importStamped(path, 'agent'), file), path);
}

/** The same with a definition that a program has at hand. */
export function useAgent(agent: OwnAgent): AgentName {
  const place = `"${agent.name}"`;
  return used.get(agent) ?? register(agent, checkAgent(checkStamp(agent, 'agent', place), place), resolve('agent.mjs'));
}

/** Makes an agent unknown again: tests share a process. */
export function forgetAgent(name: AgentName): void {
  for (const [key, known] of used) if (known === name) used.delete(key);
  removeAgentDefinition(name);
}

/** The files of the modules that define agents here. */
export function agentModuleFiles(): string[] {
  return [...used.keys()].flatMap((key) => (typeof key === 'string' ? filesOfPart(key) : []));
}

/** The name of the agent that a module defines, once it is known; a name as it is. */
export function agentNamed(spec: string): string {
  return isModule(spec) ? (used.get(resolve(spec)) ?? spec) : spec;
}

function register(key: string | object, agent: OwnAgent, place: string): AgentName {
  const definition = toDefinition(agent, place);
  const other = Object.values(agents).find(
    ({ name, program }) => name === definition.name || program === definition.program,
  );
  if (other !== undefined) throw collides(definition, other, place);
  const name = addAgentDefinition(definition);
  used.set(key, name);
  return name;
}

function collides(own: { name: string; program: string }, other: { name: string }, place: string): UnderstudyError {
  const what = own.name === other.name ? `name is "${own.name}"` : `program is "${own.program}"`;
  return new UnderstudyError(
    'PART_UNUSABLE',
    `the agent ${place} cannot be used: its ${what}, as that of ${other.name} that is there already`,
    { fix: 'Give it a name and a program of its own.', location: { file: place } },
  );
}
