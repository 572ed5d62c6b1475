import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isObject, type JsonObject, parseJson, readIfThere, withoutComments } from '../../../document/json.js';
import { Refusal, Unsupported } from '../refusal.js';
import { checkAgent, checkSettings } from './check-settings.js';
import { markdownIn } from './markdown.js';
import { isOn, type Places, upwards } from './places.js';

/** All settings of a run. */
export interface Config {
  values: JsonObject;
  /** Where commands, agents and plugins are looked for; the last counts most. */
  folders: readonly string[];
}

/** What the settings of the stage `scripted` say. Nobody is there to ask. */
const BASE: JsonObject = { permission: { external_directory: 'allow', doom_loop: 'allow' } };
const NAMES = ['opencode.json', 'opencode.jsonc'];
const SCHEMA = 'https://opencode.ai/config.json';

/** Reads the settings of the user, the project and the environment; the later ones count more. */
export function readConfig(places: Places, env: NodeJS.ProcessEnv): Config {
  const folders = foldersOf(places, env);
  let values = BASE;
  const add = (more: JsonObject): void => {
    const [before, now] = [values['instructions'], more['instructions']];
    values = merge(values, more);
    if (Array.isArray(before) && Array.isArray(now)) values['instructions'] = [...new Set([...before, ...now])];
  };
  const addFile = (file: string): void => add(settingsIn(file, env));
  for (const name of ['config.json', ...NAMES]) addFile(join(places.user, name));
  const own = env['OPENCODE_CONFIG'];
  if (own !== undefined && own !== '') addFile(resolve(places.cwd, own));
  if (!places.ignoresProject)
    for (const folder of upwards(places.cwd, places.worktree).reverse())
      for (const name of NAMES) addFile(join(folder, name));
  for (const folder of folders) {
    if (folder !== places.user) for (const name of NAMES) addFile(join(folder, name));
    ignoreInGit(folder);
    add(definedIn(folder));
  }
  const given = env['OPENCODE_CONFIG_CONTENT'];
  if (given !== undefined && given !== '') add(parse(given, 'OPENCODE_CONFIG_CONTENT', places.cwd, env));
  const permission = parseJson(env['OPENCODE_PERMISSION'] ?? '');
  if (isObject(permission)) add({ permission });
  const modes = Object.entries(isObject(values['mode']) ? values['mode'] : {});
  add({ agent: Object.fromEntries(modes.map(([name, mode]) => [name, { ...(mode as object), mode: 'primary' }])) });
  return { values: withToolPermissions(values), folders };
}

/** `tools` is the older way to say what is permitted; what `permission` says counts more. */
export function withToolPermissions(values: JsonObject): JsonObject {
  const { tools, permission } = values;
  if (!isObject(tools)) return values;
  const said = Object.entries(tools).map(([tool, isOffered]) => [
    ['write', 'edit', 'patch'].includes(tool) ? 'edit' : tool,
    isOffered === true ? 'allow' : 'deny',
  ]);
  return { ...values, permission: merge(Object.fromEntries(said), isObject(permission) ? permission : {}) };
}

/** Objects are merged, everything else is replaced. */
function merge(before: JsonObject, after: JsonObject): JsonObject {
  const merged = { ...before };
  for (const [key, value] of Object.entries(after)) {
    const old = merged[key];
    merged[key] = isObject(old) && isObject(value) ? merge(old, value) : value;
  }
  return merged;
}

function foldersOf({ cwd, worktree, home, user, ignoresProject }: Places, env: NodeJS.ProcessEnv): string[] {
  const project = ignoresProject ? [] : upwards(cwd, worktree);
  const named = env['OPENCODE_CONFIG_DIR'];
  const folders = [
    user,
    ...[...project, home].map((folder) => join(folder, '.opencode')).filter((folder) => existsSync(folder)),
    ...(named === undefined || named === '' ? [] : [resolve(cwd, named)]),
  ];
  return [...new Set(folders)];
}

/** The agents and commands that are files. */
function definedIn(folder: string): JsonObject {
  const agents = markdownIn(folder, ['agent', 'agents']).map(({ path, name, fields, text }) => {
    const agent = { ...fields, prompt: text };
    checkAgent(agent, path);
    return [typeof fields['name'] === 'string' ? fields['name'] : name, normalizedAgent(agent)];
  });
  const modes = markdownIn(folder, ['mode', 'modes']).map(({ name, fields, text }) => [
    name,
    normalizedAgent({ ...fields, prompt: text, mode: 'primary' }),
  ]);
  const commands = markdownIn(folder, ['command', 'commands']).map(({ name, fields, text }) => [
    name,
    { ...fields, template: text },
  ]);
  return { agent: Object.fromEntries([...agents, ...modes]), command: Object.fromEntries(commands) };
}

function settingsIn(file: string, env: NodeJS.ProcessEnv): JsonObject {
  const text = readIfThere(file);
  if (text === undefined || text.trim() === '') return {};
  const settings = parse(text, file, dirname(file), env);
  // OpenCode names the schema in files that do not.
  if (settings['$schema'] === undefined) writeIfPossible(file, text.replace(/^\s*\{/, `{\n  "$schema": "${SCHEMA}",`));
  return settings;
}

function parse(text: string, source: string, folder: string, env: NodeJS.ProcessEnv): JsonObject {
  const settings = parseJson(withoutComments(withReferences(text, source, folder, env)));
  if (!isObject(settings)) throw new Refusal(`Config file at ${source} is not valid JSON(C)`);
  checkSettings(settings, source);
  const agents = Object.entries(isObject(settings['agent']) ? settings['agent'] : {});
  const agent = Object.fromEntries(agents.map(([name, one]) => [name, normalizedAgent(one as JsonObject)]));
  return { ...normalized(settings), ...(agents.length === 0 ? {} : { agent }) };
}

/** One word for everything is a rule for everything. */
function normalized(settings: JsonObject): JsonObject {
  const { permission } = settings;
  return typeof permission === 'string' ? { ...settings, permission: { '*': permission } } : settings;
}

function normalizedAgent(agent: JsonObject): JsonObject {
  return withToolPermissions(normalized(agent));
}

/** `{env:NAME}` and `{file:path}` */
function withReferences(text: string, source: string, folder: string, env: NodeJS.ProcessEnv): string {
  return text
    .replaceAll(/\{env:([^}]+)\}/g, (_, name: string) => env[name] ?? '')
    .replaceAll(/\{file:([^}]+)\}/g, (_, name: string) => {
      const file = resolve(folder, name.replace(/^~(?=\/)/, env['HOME'] ?? '~'));
      if (!existsSync(file)) throw new Unsupported(`the missing file ${file} in ${source}`);
      return JSON.stringify(readFileSync(file, 'utf8').trim()).slice(1, -1);
    });
}

/** OpenCode puts packages into its folders, which nobody wants in a repository. */
function ignoreInGit(folder: string): void {
  const file = join(folder, '.gitignore');
  if (!existsSync(folder) || existsSync(file)) return;
  writeIfPossible(file, ['node_modules', 'package.json', 'package-lock.json', 'bun.lock', '.gitignore'].join('\n'));
}

function writeIfPossible(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch {
    // A project that cannot be written stays as it is.
  }
}

/** Whether Claude Code's files count as well. */
export function readsClaudeFiles(env: NodeJS.ProcessEnv): boolean {
  return !isOn(env['OPENCODE_DISABLE_CLAUDE_CODE']) && !isOn(env['OPENCODE_DISABLE_CLAUDE_CODE_PROMPT']);
}
