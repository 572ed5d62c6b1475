import { isObject, type JsonObject } from '../document/json.js';
import { EFFORTS } from './built-in.js';

/** What is wrong with a value, if anything. An entry of a list is named after its place. */
type Check = (value: unknown) => string | undefined | { at: string; problem: string }[];

/** What Claude Code 2.1.325 checks about an agent, in its order. Only a text without which there is no agent must be there. */
const CHECKS: readonly (readonly [field: string, check: Check])[] = [
  ['description', text('Description cannot be empty')],
  ['tools', list],
  ['disallowedTools', list],
  ['prompt', kind('string')],
  ['model', text('Model cannot be empty')],
  ['effort', (value) => (isEffort(value) ? undefined : 'Invalid input')],
  ['permissionMode', option('acceptEdits', 'auto', 'bypassPermissions', 'default', 'dontAsk', 'plan')],
  ['mcpServers', kind('array')],
  ['hooks', (value) => (isObject(value) ? undefined : expected('record', value))],
  ['maxTurns', count],
  ['skills', list],
  ['initialPrompt', kind('string')],
  ['memory', option('user', 'project', 'local')],
  ['background', kind('boolean')],
  ['isolation', option('worktree', 'remote')],
];
const NEEDED: ReadonlySet<string> = new Set(['description', 'prompt']);

/** What the real CLI finds wrong with agents that were handed over as JSON. */
export function agentProblems(agents: unknown): string[] {
  if (!isObject(agents)) return [expected('record', agents)];
  return Object.entries(agents).flatMap(([name, agent]) =>
    isObject(agent) ? fieldProblems(name, agent) : [`${name}: ${expected('object', agent)}`],
  );
}

function fieldProblems(name: string, agent: JsonObject): string[] {
  return CHECKS.flatMap(([field, check]) => {
    if (agent[field] === undefined && !NEEDED.has(field)) return [];
    const found = check(agent[field]) ?? [];
    return typeof found === 'string'
      ? [`${name}.${field}: ${found}`]
      : found.map(({ at, problem }) => `${name}.${field}.${at}: ${problem}`);
  });
}

function expected(what: string, value: unknown): string {
  return `Invalid input: expected ${what}, received ${kindOf(value)}`;
}

function kind(what: string): Check {
  return (value) => (kindOf(value) === what ? undefined : expected(what, value));
}

function text(ifEmpty: string): Check {
  return (value) => kind('string')(value) ?? (value === '' ? ifEmpty : undefined);
}

function option(...known: string[]): Check {
  const names = known.map((name) => `"${name}"`).join('|');
  return (value) => (known.includes(String(value)) ? undefined : `Invalid option: expected one of ${names}`);
}

function list(value: unknown): ReturnType<Check> {
  if (!Array.isArray(value)) return expected('array', value);
  return value.flatMap((item, at) =>
    typeof item === 'string' ? [] : [{ at: String(at), problem: expected('string', item) }],
  );
}

function count(value: unknown): string | undefined {
  if (typeof value !== 'number') return expected('number', value);
  if (!Number.isInteger(value)) return expected('int', value);
  return value > 0 ? undefined : 'Too small: expected number to be >0';
}

function isEffort(value: unknown): boolean {
  return Number.isInteger(value) || EFFORTS.includes(String(value));
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
