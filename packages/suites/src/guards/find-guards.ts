import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { configPaths, loadSettings, type PermissionRules } from '@understudy/agents';
import { defined, GUARD_FILE, makeFolder } from '@understudy/kit';
import { prepareProject } from '@understudy/runner';
import { type DeclaredHook, readHooksOf, readPlugin } from '@understudy/stage';
import type { Guard, GuardedFolder, Setting } from './guard.js';
import { readGuardFile } from './guard-file.js';
import { hookAttacks } from './hook-attack.js';
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
  const file = join(root, GUARD_FILE);
  const written = existsSync(file) ? readGuardFile(file) : [];
  const folders: GuardedFolder[] = [];
  if (isPluginFolder(root)) folders.push(await pluginGuards(root, options));
  if (hasSettings(root) || options.managed !== undefined) folders.push(await projectGuards(root, options));
  if (folders.length === 0 && written.length > 0)
    folders.push({ setting: { root, project: PROJECT, plugins: [] }, guards: [] });
  const deny = folders.flatMap(({ guards }) =>
    guards.flatMap(({ list, rule }) => (list === 'deny' && rule !== undefined ? [rule] : [])),
  );
  return withWritten(folders, written, (attempt) => rulesSay(attempt, rulesOf({ deny })));
}

async function pluginGuards(root: string, options: FindOptions): Promise<GuardedFolder> {
  const setting: Setting = { root, project: PROJECT, plugins: [root] };
  const cwd = join(options.scratch, 'tried-in');
  await prepareProject(PROJECT, cwd, cwd);
  const hooks = readPlugin(root).components.filter((part): part is DeclaredHook => part.kind === 'hook');
  return { setting, guards: await guardsOfHooks(hooks, { root, cwd }, root, options) };
}

async function projectGuards(root: string, options: FindOptions): Promise<GuardedFolder> {
  const setting = projectSetting(root, options);
  const { path } = setting.project;
  const hooks = path === undefined ? [] : readHooksOf(path).hooks;
  const cwd = path ?? makeFolder(join(options.scratch, 'settings'));
  const places = settingsPlaces(root, options.managed);
  return {
    setting,
    guards: [
      ...(await guardsOfHooks(hooks, { root: cwd, cwd }, root, options)),
      ...guardsOfRules(root, places),
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
  return written.map(({ file, at, list, text, line }): Guard => {
    const reason = whyNot(at, text);
    return {
      ...{ kind: 'rule', name: `${list} ${text}`, file, list, rule: text },
      expects: list === 'deny' ? 'blocked' : 'asked',
      ...ruleAttack(list, text, rules),
      ...defined({ line }),
      ...(reason === undefined ? {} : { defect: `the CLI does not load it: ${reason}` }),
    };
  });
}
