import { join, relative } from 'node:path';
import { defined } from '../../document/defined.js';
import { isObject, type JsonObject } from '../../document/json.js';
import { DEFAULTS, type Rule, rulesOf } from './permissions/rules.js';
import type { Places } from './settings/places.js';

const DEFAULT = 'build';

/** Who can answer. */
export interface Agent {
  name: string;
  /** `primary`, `subagent`, or `all`. */
  mode: string;
  /** In place of OpenCode's own prompt. */
  prompt?: string;
  /** `provider/model` */
  model?: string;
  rules: readonly Rule[];
}

export type Agents = ReadonlyMap<string, Agent>;

/** The agents that OpenCode has of its own, of the user and of the project. */
export function readAgents(values: JsonObject, places: Places): Agents {
  const own = rulesOf(values['permission']);
  const builtIn = (name: string, mode: string, permission: JsonObject = {}): [string, Agent] => [
    name,
    { name, mode, rules: [...DEFAULTS, ...rulesOf(permission), ...own] },
  ];
  const agents = new Map([
    builtIn(DEFAULT, 'primary'),
    builtIn('plan', 'primary', planRules(places)),
    builtIn('general', 'subagent', { todowrite: 'deny' }),
    builtIn('explore', 'subagent'),
  ]);
  for (const [name, settings] of Object.entries(isObject(values['agent']) ? values['agent'] : {})) {
    if (!isObject(settings)) continue;
    if (settings['disable'] === true) {
      agents.delete(name);
      continue;
    }
    const before = agents.get(name) ?? { name, mode: 'all', rules: [...DEFAULTS, ...own] };
    agents.set(name, {
      ...before,
      ...defined({
        mode: textIn(settings, 'mode'),
        prompt: textIn(settings, 'prompt'),
        model: textIn(settings, 'model'),
      }),
      rules: [...before.rules, ...rulesOf(settings['permission'])],
    });
  }
  return agents;
}

/** A plan writes nothing but plans. */
function planRules({ worktree, data }: Places): JsonObject {
  const plans = relative(worktree, join(data, 'plans', '*.md'));
  return {
    task: { general: 'deny' },
    edit: { '*': 'deny', '.opencode/plans/*.md': 'allow', [plans]: 'allow' },
  };
}

/** Who answers, and what OpenCode says where it is not the agent that was asked for. Undefined: there is none. */
export function findAgent(
  asked: string | undefined,
  agents: Agents,
  byDefault: unknown,
): { agent: Agent | undefined; warning?: string } {
  const wanted = typeof byDefault === 'string' ? byDefault : undefined;
  const found = wanted === undefined ? firstPrimary(agents) : agents.get(wanted);
  const agent = found?.mode === 'subagent' ? undefined : found;
  if (asked === undefined) return { agent };
  const named = agents.get(asked);
  if (named === undefined) return { agent, warning: `agent "${asked}" not found. ${FALLING_BACK}` };
  if (named.mode !== 'subagent') return { agent: named };
  return { agent, warning: `agent "${asked}" is a subagent, not a primary agent. ${FALLING_BACK}` };
}

const FALLING_BACK = 'Falling back to default agent';

function firstPrimary(agents: Agents): Agent | undefined {
  return [...agents.values()].find(({ mode }) => mode !== 'subagent');
}

function textIn(settings: JsonObject, key: string): string | undefined {
  const value = settings[key];
  return typeof value === 'string' ? value : undefined;
}
