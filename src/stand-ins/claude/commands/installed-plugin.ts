import { CliError } from '../../../claude-code/cli-error.js';
import { type ConfigPaths, configPaths } from '../../../claude-code/config-paths.js';
import { defined } from '../../../document/defined.js';
import type { JsonObject } from '../../../document/json.js';
import { NotSupported, parseCommand } from '../cli/arguments.js';
import { none } from '../cli/flags.js';
import { nameOf } from '../plugins/enabled-plugins.js';
import { type Installation, readInstalled, SCOPES, writeInstalled } from '../plugins/installed-file.js';
import { readKnown } from '../plugins/marketplaces.js';
import { factsOf, findOffered } from '../plugins/offered-plugin.js';
import { allSettings, chosenPlugins, ScopeSettings } from '../plugins/scope-settings.js';
import type { Command, Told } from './command.js';
import { copy, readScope } from './install-plugin.js';
import { failed, JSON_FLAG, lastOf, SCOPE_FLAG, succeeded } from './plugin-answer.js';
import { forget } from './remove-plugin.js';

const YES = none('--yes', '-y');

/** `claude plugin uninstall NAME` */
export const uninstallPlugin: Command = (words, env) => {
  const { positional, flags } = parseCommand(words, [SCOPE_FLAG, JSON_FLAG, YES, none('--keep-data'), none('--prune')]);
  if (flags.has('--prune'))
    throw new NotSupported("error: the stand-in does not support '--prune' of plugin uninstall");
  const given = needsName(positional);
  const asJson = flags.has('--json');
  const scope = readScope(lastOf(flags, '--scope') ?? 'user');
  const paths = configPaths(env);
  const installed = readInstalled(paths);
  const id = idOf(given, [...installed.keys()]) ?? given;
  const all = installed.get(id) ?? [];
  const message = (why: string): string => `Failed to uninstall plugin "${given}": ${why}`;
  if (all.length === 0) {
    const why = `Plugin "${given}" not found in installed plugins`;
    return failed({
      ...{ asJson, message: message(why) },
      fields: {
        command: 'uninstall',
        outcome: 'failed',
        plugin: given,
        scope,
        message: why,
        failureCode: 'not_installed',
      },
    });
  }
  const found = all.find((one) => one.scope === scope && isHere(one));
  if (found === undefined) {
    const other = narrowest(all).scope;
    const why = `Plugin "${given}" is installed in ${other} scope, not ${scope}. Use --scope ${other} to uninstall.`;
    if (asJson) throw new NotSupported(`error: the stand-in does not say with --json that ${id} is of another scope`);
    return failed({ asJson, message: message(why), fields: {} });
  }
  const kept = all.filter((one) => one !== found);
  if (kept.length > 0) installed.set(id, kept);
  else {
    installed.delete(id);
    forget(id, found, paths, flags.has('--keep-data'));
  }
  writeInstalled(paths, installed);
  new ScopeSettings(scope, paths, process.cwd()).remove('enabledPlugins', (key) => key === id);
  const needing = namesThatNeed(id, paths);
  const warning = needing.length === 0 ? '' : ` — warning: required by ${needing.join(', ')}`;
  const idle = noLongerNeeded(id, scope, paths);
  const prune = scope === 'user' ? 'claude plugin prune' : `claude plugin prune --scope ${scope}`;
  const count = idle.length === 1 ? '1 auto-installed dependency' : `${idle.length} auto-installed dependencies`;
  const left = idle.length === 0 ? '' : `\n${count} no longer needed: ${idle.join(', ')}. Run \`${prune}\` to remove.`;
  const told = `Successfully uninstalled plugin: ${nameOf(id)} (scope: ${scope})${warning}${left}`;
  return succeeded({
    ...{ asJson, message: told },
    fields: {
      ...{ command: 'uninstall', outcome: 'ok', plugin: given, pluginId: id, scope },
      ...{ keptData: flags.has('--keep-data'), message: told },
    },
  });
};

/** `claude plugin update NAME` */
export const updatePlugin: Command = (words, env) => {
  const { positional, flags } = parseCommand(words, [SCOPE_FLAG, JSON_FLAG, YES]);
  const given = needsName(positional);
  const asJson = flags.has('--json');
  const paths = configPaths(env);
  const installed = readInstalled(paths);
  const id = idOf(given, [...installed.keys()]) ?? given;
  const all = (installed.get(id) ?? []).filter(isHere);
  const begin = `Checking for updates for plugin "${given}"…\n`;
  const refuse = (why: string, failureCode: string, more: JsonObject = {}): Told =>
    failed({
      ...{ asJson, begin: begin.trimEnd(), message: `Failed to update plugin "${given}": ${why}` },
      fields: { command: 'update', outcome: 'failed', plugin: given, ...more, message: why, failureCode },
    });
  const [found] = all;
  if (found === undefined) return refuse(`Plugin "${nameOf(id) || given}" is not installed`, 'not_installed');
  const scope = lastOf(flags, '--scope');
  if (all.length > 1 || (scope !== undefined && scope !== found.scope))
    throw new NotSupported(`error: the stand-in does not update ${id} in one scope of several`);
  const offered = findOffered(id, readKnown(paths));
  if (offered === undefined) throw new NotSupported(`error: the stand-in does not update ${id}: nobody offers it`);
  if (offered.folder === undefined)
    return refuse(`Plugin source not found at ${offered.path}`, 'source_missing', { pluginId: id });
  const { version } = factsOf(offered);
  const isNew = version !== found.version;
  const isRefreshed = !isNew && version === 'unknown';
  if (isNew || isRefreshed) {
    const installPath = copy(offered, version, paths);
    if (isNew) forget(id, found, paths, true);
    installed.set(id, [{ ...found, installPath, version, lastUpdated: new Date().toISOString() }]);
    writeInstalled(paths, installed);
  }
  const { name } = offered;
  const message = isNew
    ? `Plugin "${name}" updated from ${found.version} to ${version} for scope ${found.scope}. Restart to apply changes.`
    : isRefreshed
      ? `Plugin "${name}" refreshed from source for scope ${found.scope}. Restart to apply changes.`
      : `${name} is already at the latest version (${version}).`;
  const inPlace =
    isNew || isRefreshed
      ? ''
      : `${name} is read from its folder, ${offered.folder}: nothing to update. Edits there take effect at the next session start or /reload-plugins.\n`;
  return succeeded({
    ...{ asJson, begin: `${begin}${inPlace}`, message },
    fields: {
      ...{ command: 'update', outcome: 'ok', plugin: given, pluginId: id, scope: found.scope, message },
      ...{
        updateOutcome: isNew || isRefreshed ? 'updated' : 'up_to_date',
        oldVersion: found.version,
        newVersion: version,
      },
    },
  });
};

/** `claude plugin enable NAME`, and `disable NAME`. */
const choosePlugin =
  (command: 'enable' | 'disable'): Command =>
  (words, env) => {
    const { positional, flags } = parseCommand(words, [SCOPE_FLAG, JSON_FLAG, none('--all', '-a')]);
    if (flags.has('--all')) throw new NotSupported("error: the stand-in does not support '--all' of plugin disable");
    const isOn = command === 'enable';
    const [given] = positional;
    if (given === undefined && !isOn)
      throw new CliError('Please specify a plugin name or use --all to disable all plugins');
    const name = needsName(positional);
    const asked = lastOf(flags, '--scope');
    if (asked !== undefined && !SCOPES.some((one) => one === asked))
      throw new CliError(`Invalid scope "${asked}". Valid scopes: user, project, local`);
    const asJson = flags.has('--json');
    const paths = configPaths(env);
    const all = allSettings(paths, process.cwd());
    const refuse = (why: string, failureCode: string, more: JsonObject = {}): Told =>
      failed({
        ...{ asJson, message: `Failed to ${command} plugin "${name}": ${why}` },
        fields: {
          ...{ command, outcome: 'failed', plugin: name, ...defined({ scope: asked }), message: why, failureCode },
          ...more,
        },
      });
    const chosen = chosenPlugins(all);
    const id = name.includes('@') ? name : idOf(name, Object.keys(chosen));
    if (id === undefined)
      return refuse(
        `Plugin "${name}" not found in any editable settings scope. Use plugin@marketplace format.`,
        'ambiguous_marketplace',
      );
    const own = all.filter((one) => Object.hasOwn(one.get('enabledPlugins'), id)).at(-1)?.scope;
    const isWider = own !== undefined && asked !== undefined && SCOPES.indexOf(readScope(asked)) < SCOPES.indexOf(own);
    if (isWider)
      return refuse(
        `Plugin "${name}" is installed at ${own} scope, not ${asked}. Use --scope ${own} or omit --scope to auto-detect.`,
        'not_installed_at_scope',
        { installedScope: own },
      );
    if ((chosen[id] === true) === isOn)
      return refuse(`Plugin "${name}" is already ${command}d`, 'already_in_goal_state', { alreadyInGoalState: true });
    if (!isOn) {
      const needing = idsThatNeed(id, paths);
      const names = needing.map(nameOf);
      if (needing.length > 1)
        throw new NotSupported(`error: the stand-in does not disable ${id}: several plugins need it`);
      if (needing.length === 1)
        return refuse(
          `${nameOf(id)} is still required by ${names[0]}. Disable that plugin first, or disable everything together: claude plugin disable ${needing[0]} && claude plugin disable ${id}`,
          'required_by_dependents',
          { reverseDependents: names, disableFirst: needing },
        );
    }
    const scope = asked === undefined ? (own ?? 'user') : readScope(asked);
    const settings = new ScopeSettings(scope, paths, process.cwd());
    if (isOn && needsOf(id, paths).some((need) => settings.get('enabledPlugins')[need] !== true))
      throw new NotSupported(`error: the stand-in does not enable ${id}: it needs others that are not enabled there`);
    settings.set('enabledPlugins', id, isOn);
    const message = `Successfully ${command}d plugin: ${nameOf(id)} (scope: ${scope})`;
    return succeeded({
      ...{ asJson, message },
      fields: { command, outcome: 'ok', plugin: name, pluginId: id, scope, message },
    });
  };

export const enablePlugin = choosePlugin('enable');
export const disablePlugin = choosePlugin('disable');

function needsName([given]: readonly string[]): string {
  if (given !== undefined) return given;
  throw new CliError("error: missing required argument 'plugin'");
}

/** The id that a name stands for. */
function idOf(given: string, ids: readonly string[]): string | undefined {
  return ids.find((id) => id === given || nameOf(id) === given);
}

function isHere({ scope, projectPath }: Installation): boolean {
  return scope === 'user' || projectPath === process.cwd();
}

function narrowest(all: readonly Installation[]): Installation {
  return [...all].sort((a, b) => SCOPES.indexOf(b.scope) - SCOPES.indexOf(a.scope))[0] as Installation;
}

/** The ids of the plugins that one needs. */
function needsOf(id: string, paths: ConfigPaths): string[] {
  const offered = findOffered(id, readKnown(paths));
  if (offered?.folder === undefined) return [];
  return factsOf(offered).needs.map(
    ({ name, marketplace }) => `${name}@${marketplace ?? id.slice(id.lastIndexOf('@') + 1)}`,
  );
}

/** The enabled plugins that need one. */
function idsThatNeed(id: string, paths: ConfigPaths): string[] {
  const chosen = Object.entries(chosenPlugins(allSettings(paths, process.cwd())));
  return chosen.flatMap(([other, value]) => (value === true && needsOf(other, paths).includes(id) ? [other] : []));
}

function namesThatNeed(id: string, paths: ConfigPaths): string[] {
  return idsThatNeed(id, paths).map(nameOf);
}

/** What came along with a plugin that is gone, and nobody else needs. */
function noLongerNeeded(id: string, scope: string, paths: ConfigPaths): string[] {
  const mine = needsOf(id, paths);
  const installed = readInstalled(paths);
  return mine
    .filter((need) => installed.get(need)?.some((one) => one.scope === scope && one.auto === true))
    .filter((need) => ![...installed.keys()].some((other) => needsOf(other, paths).includes(need)))
    .map(nameOf);
}
