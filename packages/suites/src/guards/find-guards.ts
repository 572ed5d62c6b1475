import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { configPaths, loadSettings, type PermissionRules } from '@understudy/agents';
import { defined, GUARD_FILE, makeFolder } from '@understudy/kit';
import { prepareProject } from '@understudy/runner';
import { type DeclaredHook, readHooksOf, readPlugin } from '@understudy/stage';
import type { Guard, GuardedFolder, Setting } from './guard.js';
import { readGuardFile } from './guard-file.js';
import { hookAttacks } from './hook-attack.js';
import { copyMine, NOT_COPIED } from './mine.js';
import { ruleAttack } from './rule-attack.js';
import { rulesOf, rulesSay } from './rules-say.js';
import { serverGuards } from './server-guards.js';
import {
  hasSettings,
  isPluginFolder,
  lineOfHook,
  PROJECT,
  projectSetting,
  refuseNoFolder,
  type SettingOptions,
  type SettingsPlace,
  settingsPlaces,
  writtenRules,
} from './setting.js';
import { withWritten } from './written-guards.js';

export interface FindOptions extends SettingOptions {
  isolation?: string | undefined;
  /** Called with what is looked at. */
  say?: (what: string) => void;
}

/** Finds every guard of a folder, with an attack and a harmless twin for each. */
export async function findGuards(path: string, options: FindOptions): Promise<GuardedFolder[]> {
  refuseNoFolder(path);
  const root = resolve(path);
  const again = [path, ...(options.managed === undefined ? [] : ['--managed', options.managed])];
  const file = join(root, GUARD_FILE);
  const written = existsSync(file) ? readGuardFile(file) : [];
  const folders: GuardedFolder[] = [];
  if (isPluginFolder(root)) folders.push(await pluginGuards({ root, again }, root, options));
  if (hasSettings(root) || options.managed !== undefined)
    folders.push(await projectGuards({ root, again }, root, options));
  if (folders.length === 0 && written.length > 0) {
    folders.push({ setting: { root, again, project: PROJECT, plugins: [] }, guards: [] });
  }
  const deny = folders.flatMap(({ guards }) =>
    guards.flatMap(({ list, rule }) => (list === 'deny' && rule !== undefined ? [rule] : [])),
  );
  return withWritten(numbered(folders), written, (attempt) => rulesSay(attempt, rulesOf({ deny })));
}

/** Finds the guards that a user has for all projects, in copies: the settings of the home, and the enabled plugins. */
export async function findOwnGuards(options: FindOptions): Promise<GuardedFolder[]> {
  const { project, plugins, home } = copyMine(options.scratch);
  const again = ['--mine'];
  const folders: GuardedFolder[] = [];
  if (project !== undefined) {
    const { setting, guards } = await projectGuards({ root: home ?? project, again }, project, options);
    folders.push({ setting, guards: guards.map(unlessNotCopied) });
  }
  for (const plugin of plugins) {
    folders.push(await pluginGuards({ root: plugin, again }, plugin, { ...options, scratch: `${plugin}.tried` }));
  }
  return numbered(folders);
}

/** What a hook runs elsewhere in the home is not in the copy, so nobody can say what it would do. */
function unlessNotCopied(guard: Guard): Guard {
  const { attack: _, harmless: __, stopsNothing: ___, ...rest } = guard;
  if (guard.command?.startsWith(NOT_COPIED) !== true) return guard;
  return { ...rest, underived: 'it runs a program of your home that is not in ~/.claude, and nothing else is copied' };
}

/** Two guards of one name are told apart by a number. */
function numbered(folders: readonly GuardedFolder[]): GuardedFolder[] {
  const counts = new Map<string, number>();
  return folders.map(({ setting, guards }) => ({
    setting,
    guards: guards.map((guard) => {
      const count = (counts.get(guard.name) ?? 0) + 1;
      counts.set(guard.name, count);
      return count === 1 ? guard : { ...guard, name: `${guard.name} (${count})` };
    }),
  }));
}

/** Where the files of guards are shown to be, and how they are looked at again. */
type Shown = Pick<Setting, 'root' | 'again'>;

async function pluginGuards(shown: Shown, root: string, options: FindOptions): Promise<GuardedFolder> {
  const setting: Setting = { ...shown, project: PROJECT, plugins: [root] };
  const cwd = join(options.scratch, 'tried-in');
  await prepareProject(PROJECT, cwd, cwd);
  const hooks = readPlugin(root).components.filter((part): part is DeclaredHook => part.kind === 'hook');
  return { setting, guards: await guardsOfHooks(hooks, { root, cwd }, shown.root, options) };
}

async function projectGuards(shown: Shown, root: string, options: FindOptions): Promise<GuardedFolder> {
  const setting = { ...projectSetting(root, options), ...shown };
  const { path } = setting.project;
  const hooks = path === undefined ? [] : readHooksOf(path).hooks;
  const cwd = path ?? makeFolder(join(options.scratch, 'settings'));
  const places = settingsPlaces(shown.root, options.managed);
  return {
    setting,
    guards: [
      ...(await guardsOfHooks(hooks, { root: cwd, cwd }, shown.root, options)),
      ...guardsOfRules(shown.root, places),
      ...serverGuards(places),
    ],
  };
}

async function guardsOfHooks(
  hooks: readonly DeclaredHook[],
  where: { root: string; cwd: string },
  root: string,
  { isolation, say }: FindOptions,
): Promise<Guard[]> {
  const guards: Guard[] = [];
  for (const hook of hooks) {
    say?.(`${hook.event}: ${hook.text}`);
    const line = lineOfHook(root, hook);
    const found = await hookAttacks(hook, { ...where, isolation });
    guards.push(
      ...found.map(
        ({ expects = 'blocked' as const, ...rest }): Guard => ({
          ...{ kind: 'hook', file: hook.file, expects, ...rest },
          ...defined({ line }),
          matcher: hook.matcher,
          command: hook.text,
          ...defined({ path: hook.path }),
        }),
      ),
    );
  }
  return guards;
}

function guardsOfRules(root: string, places: readonly SettingsPlace[]): Guard[] {
  const written = writtenRules(places);
  const ofList = (list: keyof PermissionRules) => written.flatMap((one) => (one.list === list ? [one.text] : []));
  const rules = rulesOf({ deny: ofList('deny'), ask: ofList('ask'), allow: ofList('allow') });
  const paths = configPaths({ HOME: root });
  const { problems, skipped } = loadSettings({ cwd: root, paths, flags: [], sources: ['project', 'local'] });
  const whyNot = (at: string, text: string): string | undefined =>
    [...problems, ...skipped.filter(({ reason }) => reason.includes(`"${text}"`))]
      .find(({ file }) => file === at)
      ?.reason.replace(/^[ :]+/, '');
  return written.map(({ file, at, list, text, line, isManaged }): Guard => {
    const reason = whyNot(at, text);
    return {
      ...{ kind: 'rule', name: `${list} ${text}`, file, list, rule: text },
      expects: list === 'deny' ? 'blocked' : 'asked',
      ...ruleAttack(list, text, rules),
      ...defined({ line, isManaged }),
      ...(reason === undefined ? {} : { defect: `the CLI does not load it: ${reason}` }),
    };
  });
}
