import { defined, isObject, type JsonObject } from '@understudy/kit';
import { textField, toolListField } from './front-matter.js';
import { SESSION_MODES } from './modes.js';

/** Where an agent was written. Less counts of what a plugin says, or a project that nobody has said to trust. */
export type AgentOrigin = 'plugin' | 'untrusted' | 'own';

/** The modes that an agent can work in; the one that asks nothing is not given to it. */
const MODES = SESSION_MODES.filter((mode) => mode !== 'bypassPermissions');

/** How an agent works, beside its tools and its model. */
export interface AgentSettings {
  /** Skills whose text it reads before it begins, by the names that it has for them. */
  skills?: string[];
  permissionMode?: (typeof MODES)[number];
  /** How often it may ask the model. */
  maxTurns?: number;
  /** Nobody waits for it, whatever the call says. */
  background?: true;
  effort?: string;
  /** What comes before the first prompt, where it is the agent of the session. */
  initialPrompt?: string;
  /** Its own hooks, in the form of the settings. */
  hooks?: JsonObject;
  /** It works in a worktree of its own. */
  isolation?: 'worktree';
}

/** Reads how an agent works. What makes no sense is as if it were absent. */
export function readAgentSettings(fields: JsonObject, origin: AgentOrigin): AgentSettings {
  const { permissionMode, isolation, hooks } = fields;
  const skills = skillNames(fields['skills']);
  const ofPlugin = origin === 'plugin';
  return defined({
    skills: skills.length > 0 ? skills : undefined,
    permissionMode: ofPlugin ? undefined : MODES.find((mode) => mode === permissionMode),
    maxTurns: positiveNumber(textField({ fields }, 'maxTurns')),
    background: textField({ fields }, 'background') === 'true' ? (true as const) : undefined,
    effort: textField({ fields }, 'effort'),
    initialPrompt: ofPlugin ? undefined : textField({ fields }, 'initialPrompt'),
    hooks: origin === 'own' && isObject(hooks) ? hooks : undefined,
    isolation: isolation === 'worktree' ? ('worktree' as const) : undefined,
  });
}

/** The tools with which an agent keeps a memory: it has them, whatever its list says. */
export function withMemoryTools(tools: string[] | undefined, { memory }: JsonObject): string[] | undefined {
  if (tools === undefined || !['user', 'project', 'local'].includes(String(memory))) return tools;
  return [...new Set([...tools, 'Write', 'Edit', 'Read'])];
}

/** Each name once. An entry of a list may hold several. */
function skillNames(value: unknown): string[] {
  const entries = Array.isArray(value) ? value : [value];
  return [...new Set(entries.flatMap((entry) => toolListField({ fields: { entry } }, 'entry')))];
}

function positiveNumber(text: string | undefined): number | undefined {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : undefined;
}
