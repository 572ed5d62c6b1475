import { isObject, type JsonObject } from '../../../document/json.js';
import { Refusal, Unsupported } from '../refusal.js';

/** What the real one does with a setting and the stand-in does not. */
const REFUSED = new Set(['plugin', 'shell', 'skills', 'reference', 'references', 'formatter', 'lsp', 'tool_output']);
const REFUSED_EXPERIMENTS = new Set(['batch_tool', 'primary_tools', 'continue_loop_on_deny', 'policies', 'hook']);

const ACTIONS = ['allow', 'ask', 'deny'];
const MODES = ['subagent', 'primary', 'all'];

/** Says in OpenCode's words what is wrong with settings, and refuses by name what the stand-in does not do. */
export function checkSettings(settings: JsonObject, source: string): void {
  const refuse = (name: string): never => {
    throw new Unsupported(`the setting \`${name}\` of ${source}`);
  };
  const { instructions, agent, experimental, permission } = settings;
  if (instructions !== undefined && !Array.isArray(instructions))
    throw invalid(source, `Expected array | undefined, got ${JSON.stringify(instructions)} instructions`);
  checkPermission(permission, source, 'permission');
  for (const [name, value] of Object.entries(settings)) if (REFUSED.has(name) && isSet(value)) refuse(name);
  for (const name of Object.keys(isObject(experimental) ? experimental : {}))
    if (REFUSED_EXPERIMENTS.has(name)) refuse(`experimental.${name}`);
  if (settings['share'] === 'auto' || settings['autoshare'] === true) refuse('share');
  for (const name of ['model', 'default_agent'])
    if (settings[name] !== undefined && typeof settings[name] !== 'string') refuse(name);
  for (const name of ['agent', 'mode', 'command', 'mcp', 'tools']) {
    const value = settings[name];
    if (value !== undefined && !isObject(value)) refuse(name);
    if (name !== 'tools' && isObject(value))
      for (const [key, one] of Object.entries(value)) if (!isObject(one)) refuse(`${name}.${key}`);
  }
  for (const [name, one] of Object.entries(isObject(agent) ? agent : {}))
    checkAgent(one as JsonObject, source, `agent.${name}.`);
}

/** An agent of the settings, or of a file. */
export function checkAgent(agent: JsonObject, source: string, before = ''): void {
  const { mode, permission } = agent;
  if (mode !== undefined && !MODES.includes(String(mode))) {
    const choices = MODES.map((one) => `"${one}"`).join(' | ');
    throw invalid(source, `Expected ${choices}, got ${JSON.stringify(mode)} ${before}mode`);
  }
  checkPermission(permission, source, `${before}permission`);
  const limit = ['steps', 'maxSteps'].find((name) => agent[name] !== undefined);
  if (limit !== undefined) throw new Unsupported(`the setting \`${before}${limit}\` of ${source}`);
}

/** Only what file tools and commands ask for is known. */
function checkPermission(permission: unknown, source: string, path: string): void {
  if (!isObject(permission)) {
    if (permission !== undefined && !ACTIONS.includes(String(permission)))
      throw new Unsupported(`the setting \`${path}\` of ${source}`);
    return;
  }
  for (const [name, rule] of Object.entries(permission)) {
    const actions = isObject(rule) ? Object.values(rule) : [rule];
    const wrong = actions.find((action) => !ACTIONS.includes(String(action)));
    if (wrong !== undefined) {
      const problem = `Expected PermissionActionConfig, got ${JSON.stringify(wrong)} ${path}.${name}`;
      throw invalid(source, problem, problem);
    }
    if (['external_directory', 'doom_loop'].includes(name) && actions.some((action) => action !== 'allow'))
      throw new Unsupported(`the setting \`${path}.${name}\` of ${source}`);
  }
}

function invalid(source: string, ...problems: string[]): Refusal {
  return new Refusal([`Configuration is invalid at ${source}`, ...problems.map((one) => `↳ ${one}`)].join('\n'));
}

function isSet(value: unknown): boolean {
  if (isObject(value)) return Object.keys(value).length > 0;
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}
