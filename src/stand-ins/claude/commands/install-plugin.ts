import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError } from '../../../claude-code/cli-error.js';
import { type ConfigPaths, configPaths } from '../../../claude-code/config-paths.js';
import { kindOf, specialFileBelow } from '../../../claude-code/plugins/tree.js';
import { NotSupported, parseCommand } from '../cli/arguments.js';
import { one } from '../cli/flags.js';
import { marketplaceOf } from '../plugins/enabled-plugins.js';
import { type Installation, readInstalled, SCOPES, type Scope, writeInstalled } from '../plugins/installed-file.js';
import { entryOf, type KnownMarketplace, readKnown, readMarketplace } from '../plugins/marketplaces.js';
import { factsOf, findOffered, type OfferedPlugin } from '../plugins/offered-plugin.js';
import { allSettings, chosenPlugins, ScopeSettings } from '../plugins/scope-settings.js';
import type { Command, Told } from './command.js';
import { failed, JSON_FLAG, lastOf, SCOPE_FLAG, succeeded } from './plugin-answer.js';

const OTHERS = ['--config', '--marketplace', '--accept-command'];

/** `claude plugin install NAME@MARKETPLACE` */
export const installPlugin: Command = (words, env) => {
  const more = OTHERS.map((name) => one('value', name));
  const { positional, flags } = parseCommand(words, [
    SCOPE_FLAG,
    JSON_FLAG,
    { names: ['--yes', '-y'], kind: 'none' },
    ...more,
  ]);
  for (const flag of OTHERS)
    if (flags.has(flag)) throw new NotSupported(`error: the stand-in does not support '${flag}' of plugin install`);
  const [given] = positional;
  if (given === undefined) throw new CliError("error: missing required argument 'plugin'");
  const asJson = flags.has('--json');
  const scope = readScope(lastOf(flags, '--scope') ?? 'user');
  const paths = configPaths(env);
  const known = readKnown(paths);
  const id = given.includes('@') ? given : searchedFor(given, known);
  const begin = `Installing plugin "${given}"...`;
  const refuse = (message: string, failureCode: string): Told =>
    failed({
      ...{ asJson, begin, message: `Failed to install plugin "${given}": ${message}` },
      fields: { command: 'install', outcome: 'failed', plugin: given, scope, message, failureCode },
    });
  const offered = findOffered(id, known);
  if (offered === undefined) {
    const [name, market] = [id.slice(0, id.lastIndexOf('@')), marketplaceOf(id)];
    return refuse(
      `Plugin "${name}" not found in marketplace "${market}". Your local copy may be out of date — try \`claude plugin marketplace update ${market}\`.`,
      'not_found',
    );
  }
  if (offered.folder === undefined) return refuse(`Source path does not exist: ${offered.path}`, 'error_not_found');
  const home = { paths, scope, settings: new ScopeSettings(scope, paths, process.cwd()) };
  const { version, needs } = factsOf(offered);
  const { wanted, missing } = withNeeds(offered, known, home);
  const isThere = installationIn(id, home) !== undefined && home.settings.get('enabledPlugins')[id] === true;
  const told = { asJson, begin };
  const fields = { command: 'install', outcome: 'ok', plugin: given, pluginId: id, scope };
  if (isThere) {
    if (wanted.length > 0 || (missing.length === 0 && needs.length > 0 && lacksNeeds(offered, known, paths)))
      throw new NotSupported(`error: the stand-in does not install what ${id} needs afterwards`);
    const open = missing.length === 0 ? '' : ` — ${missing.length} dependency still unresolved: ${missing.join(', ')}.`;
    const message = `Plugin "${id}" is already installed (scope: ${scope}) — it loads in place from ${offered.folder}, so edits there take effect at the next session start or /reload-plugins${open}`;
    return succeeded({
      ...{ ...told, message },
      fields: { ...fields, message, installedVersion: installationIn(id, home)?.version, availableVersion: version },
    });
  }
  install(offered, home, false);
  for (const plugin of wanted) install(plugin, home, true);
  const names = wanted.map(({ name }) => name).join(', ');
  const count = wanted.length === 1 ? '1 dependency' : `${wanted.length} dependencies`;
  const added = wanted.length === 0 ? '' : ` (+ ${count}: ${names})`;
  const warning = missing
    .map(
      (need) =>
        `. Warning: dependency "${need}" was not installed (no marketplace you have added lists it). "${offered.name}" will not load without it`,
    )
    .join('');
  const message = `Successfully installed plugin: ${id} (scope: ${scope})${added}${warning}`;
  return succeeded({ ...told, message, fields: { ...fields, message } });
};

interface Home {
  paths: ConfigPaths;
  scope: Scope;
  settings: ScopeSettings;
}

/** A name alone is looked for in all marketplaces, and then in one that is elsewhere. */
function searchedFor(name: string, known: ReadonlyMap<string, KnownMarketplace>): string {
  const found = [...known].find(([, one]) => entryOf(readMarketplace(one) ?? { name: '', plugins: [] }, name));
  if (found !== undefined) return `${name}@${found[0]}`;
  throw new NotSupported(`error: the stand-in does not look for the plugin '${name}' in the directory of Anthropic`);
}

function installationIn(id: string, { paths, scope }: Home): Installation | undefined {
  // Without its copy it counts for nothing.
  return readInstalled(paths)
    .get(id)
    ?.filter(({ installPath }) => kindOf(installPath) === 'folder')
    .find((one) => one.scope === scope && (scope === 'user' || one.projectPath === process.cwd()));
}

/** The plugins that come along: those that it needs and that are not enabled in the same scope; and those that nobody has. */
function withNeeds(
  plugin: OfferedPlugin,
  known: ReadonlyMap<string, KnownMarketplace>,
  home: Home,
): { wanted: OfferedPlugin[]; missing: string[] } {
  const wanted: OfferedPlugin[] = [];
  const missing: string[] = [];
  const market = marketplaceOf(plugin.id);
  for (const need of factsOf(plugin).needs) {
    if ((need.marketplace ?? market) !== market || need.version !== undefined)
      throw new NotSupported(
        `error: the stand-in does not install ${plugin.id}: it needs ${need.name} of elsewhere, or in a version`,
      );
    const id = `${need.name}@${market}`;
    const offered = findOffered(id, known);
    if (offered === undefined) {
      missing.push(id);
      continue;
    }
    if (factsOf(offered).needs.length > 0)
      throw new NotSupported(`error: the stand-in does not install ${plugin.id}: what it needs has needs of its own`);
    const isThere = installationIn(id, home) !== undefined && home.settings.get('enabledPlugins')[id] === true;
    if (!isThere) wanted.push(offered);
  }
  if (missing.length > 1)
    throw new NotSupported(`error: the stand-in does not install ${plugin.id}: several of its needs are nowhere`);
  return { wanted, missing };
}

/** Whether something that it needs is not enabled. */
function lacksNeeds(plugin: OfferedPlugin, known: ReadonlyMap<string, KnownMarketplace>, paths: ConfigPaths): boolean {
  const chosen = chosenPlugins(allSettings(paths, process.cwd()));
  const ids = factsOf(plugin).needs.map(({ name }) => `${name}@${marketplaceOf(plugin.id)}`);
  return ids.some((id) => chosen[id] !== true || findOffered(id, known) === undefined);
}

function install(plugin: OfferedPlugin, { paths, scope, settings }: Home, isAuto: boolean): void {
  const { version } = factsOf(plugin);
  const installed = readInstalled(paths);
  const cwd = process.cwd();
  const isSame = (one: Installation): boolean => one.scope === scope && (scope === 'user' || one.projectPath === cwd);
  const all = installed.get(plugin.id) ?? [];
  const now = new Date().toISOString();
  const next: Installation = {
    scope,
    ...(scope === 'user' ? {} : { projectPath: cwd }),
    installPath: copy(plugin, version, paths),
    version,
    installedAt: all.find(isSame)?.installedAt ?? now,
    lastUpdated: now,
    ...(isAuto ? { auto: true } : {}),
  };
  installed.set(plugin.id, [...all.filter((one) => !isSame(one)), next]);
  writeInstalled(paths, installed);
  settings.set('enabledPlugins', plugin.id, true);
}

/** Copies a plugin to where installed ones are kept. Those of a marketplace on this machine are not read from there. */
export function copy({ id, name, folder = '' }: OfferedPlugin, version: string, paths: ConfigPaths): string {
  const special = specialFileBelow(folder);
  if (special !== undefined)
    throw new NotSupported(`error: the stand-in does not install ${id}: ${special} is no file`);
  const target = join(paths.dir, 'plugins', 'cache', marketplaceOf(id), name, version);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(dirname(target), { recursive: true });
  cpSync(folder, target, { recursive: true, verbatimSymlinks: true });
  return target;
}

export function readScope(given: string): Scope {
  const scope = SCOPES.find((one) => one === given);
  if (scope !== undefined) return scope;
  throw new CliError(`Invalid scope: ${given}. Must be one of: user, project, local.`);
}
