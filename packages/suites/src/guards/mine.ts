import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { configPaths, kindOf } from '@understudy/agents';
import { isInside, isObject, type JsonObject, makeFolder, parseJson, readIfThere } from '@understudy/kit';
import { copyFolder } from '@understudy/stage';

/** What of the settings of a user is about guards. Everything else, such as keys in `env`, stays where it is. */
const KEPT = ['hooks', 'permissions', 'deniedMcpServers'];
/** What is never copied, whatever a hook names. */
const SECRET = /credential|secret|token|\.claude\.json|^projects$|^history|\.(?:pem|key)$/i;

/** What a command becomes that runs a program elsewhere in the home. */
export const NOT_COPIED = 'true # not copied: ';

/** Copies of what a user has for all projects: the settings as those of a project, and the enabled plugins. */
export interface Mine {
  project?: string;
  plugins: string[];
  /** The home, by which the lines of the settings are found. */
  home?: string;
}

/** Copies the guards of a user into a folder, read only, and without secrets. */
export function copyMine(scratch: string, environment: NodeJS.ProcessEnv = process.env): Mine {
  const { dir, userSettings } = configPaths(environment);
  const text = readIfThere(userSettings);
  const settings = text === undefined ? undefined : parseJson(text);
  const plugins = pluginsOf(dir, isObject(settings) ? settings : {}).map(({ name, path }) => {
    const to = join(scratch, 'plugins', name);
    copyFolder(path, to, { leaveOut: ['.git', 'node_modules/.cache', '.env'] });
    return to;
  });
  if (!isObject(settings)) return { plugins };
  const kept = Object.fromEntries(KEPT.flatMap((key) => (settings[key] === undefined ? [] : [[key, settings[key]]])));
  const home = dirname(dir);
  const project = join(scratch, 'mine');
  const inProject = '$CLAUDE_PROJECT_DIR/.claude';
  const own = [dir, ...(basename(dir) === '.claude' ? ['~/.claude', '$HOME/.claude', '${HOME}/.claude'] : [])];
  const named = new Set<string>();
  const hooks = replaceTexts(kept['hooks'], (command) => {
    const copied = own.reduce((line, folder) => {
      for (const [, part = ''] of line.matchAll(new RegExp(`${quoted(folder)}/([\\w.-]+)`, 'g'))) named.add(part);
      return line.replaceAll(`${folder}/`, `${inProject}/`);
    }, command);
    // What it runs is not in the copy: there it would block everything, or nothing.
    return [`${homedir()}/`, '~/', '$HOME/', '${HOME}/'].some((start) => copied.includes(start))
      ? `${NOT_COPIED}${command}`
      : copied;
  });
  const folder = makeFolder(join(project, '.claude'));
  for (const part of named) copyPart(join(dir, part), join(folder, part));
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ ...kept, ...(hooks === undefined ? {} : { hooks }) }));
  return { project, plugins, ...(basename(dir) === '.claude' ? { home } : {}) };
}

function copyPart(from: string, to: string): void {
  if (SECRET.test(basename(from)) || kindOf(from) === undefined) return;
  mkdirSync(dirname(to), { recursive: true });
  // What links lead to elsewhere is not followed.
  cpSync(from, to, { recursive: true, dereference: false, filter: (path) => !SECRET.test(basename(path)) });
}

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A copy of a value in which each text is another one. */
function replaceTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((one) => replaceTexts(one, replace));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaceTexts(one, replace)]));
}

/** The folders of the plugins that are enabled for all projects. */
function pluginsOf(dir: string, { enabledPlugins }: JsonObject): { name: string; path: string }[] {
  const installed = parseJson(readIfThere(join(dir, 'plugins', 'installed_plugins.json')) ?? '');
  const all = isObject(installed) && isObject(installed['plugins']) ? installed['plugins'] : {};
  if (!isObject(enabledPlugins)) return [];
  return Object.entries(enabledPlugins).flatMap(([id, enabled]) => {
    const places = [all[id] ?? []].flat().flatMap((entry) => (isObject(entry) ? [entry['installPath']] : []));
    const path = places.find((one): one is string => typeof one === 'string' && kindOf(one) === 'folder');
    const isOwn = path !== undefined && isInside(dir, path);
    return enabled === true && isOwn ? [{ name: id.replace(/[^\w.-]/g, '-'), path }] : [];
  });
}
