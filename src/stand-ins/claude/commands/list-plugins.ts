import { join } from 'node:path';
import { type ConfigPaths, configPaths } from '../../../claude-code/config-paths.js';
import { HOOKS_FILE, MANIFEST_FILE } from '../../../claude-code/plugins/layout.js';
import { type EnabledPlugin, loadPlugins } from '../../../claude-code/plugins/load.js';
import { isObject, type JsonObject, parseJson, readIfThere } from '../../../document/json.js';
import { NotSupported, parseCommand } from '../cli/arguments.js';
import { none, optional } from '../cli/flags.js';
import { checkEntry } from '../plugins/check-entry.js';
import { marketplaceOf, nameOf } from '../plugins/enabled-plugins.js';
import { type Installation, readInstalled } from '../plugins/installed-file.js';
import { readKnown, readMarketplace } from '../plugins/marketplaces.js';
import { findOffered } from '../plugins/offered-plugin.js';
import { allSettings, chosenPlugins } from '../plugins/scope-settings.js';
import type { Command } from './command.js';
import { JSON_FLAG } from './plugin-answer.js';

/** `claude plugin list` */
export const listPlugins: Command = (words, env) => {
  const { flags } = parseCommand(words, [JSON_FLAG, none('--available'), optional('plugin', '--data-size')]);
  if (flags.has('--data-size'))
    throw new NotSupported("error: the stand-in does not support '--data-size' of plugin list");
  const paths = configPaths(env);
  const installed = [...readInstalled(paths)].sort(([one], [other]) => (one < other ? -1 : 1));
  const listed = installed.flatMap(([id, all]) => all.map((one) => ({ id, one, ...stateOf(id, paths) })));
  if (flags.has('--json')) {
    const all = listed.map(({ id, one, ...state }) => asJson(id, one, state));
    const shown = flags.has('--available') ? { installed: all, available: available(paths) } : all;
    return `${JSON.stringify(shown, null, 2)}\n`;
  }
  if (listed.length === 0) return 'No plugins installed. Use `claude plugin install` to install a plugin.\n';
  return `Installed plugins:\n\n${listed.map(({ id, one, ...state }) => inWords(id, one, state)).join('')}`;
};

interface Problem {
  words: string;
  details: JsonObject;
}

interface PluginState {
  isOn: boolean;
  isOnInProject: boolean;
  /** The folder of the marketplace from which it is read. */
  folder?: string;
  problems: Problem[];
}

function inWords(id: string, { version, scope }: Installation, { isOn, folder, problems }: PluginState): string {
  const status = problems.length > 0 ? '✘ failed to load' : isOn ? '✔ enabled' : '✘ disabled';
  const lines = [
    `Version: ${version}`,
    ...(folder === undefined ? [] : [`Read from: ${folder}`]),
    `Scope: ${scope}`,
    `Status: ${status}`,
    ...problems.map(({ words }) => `Error: ${words}`),
  ];
  return `  ❯ ${id}\n${lines.map((line) => `    ${line}\n`).join('')}\n`;
}

function asJson(id: string, one: Installation, { isOn, isOnInProject, folder, problems }: PluginState): JsonObject {
  const isElsewhere = one.projectPath !== undefined && one.projectPath !== process.cwd();
  const manifest = folder === undefined ? undefined : parseJson(readIfThere(join(folder, MANIFEST_FILE)) ?? '');
  const folderVersion = isObject(manifest) && !isElsewhere ? manifest['version'] : undefined;
  return {
    id,
    version: one.version,
    scope: one.scope,
    enabled: isOn,
    installPath: one.installPath,
    readFromFolder: folder,
    folderVersion,
    installedAt: one.installedAt,
    lastUpdated: one.lastUpdated,
    projectPath: one.projectPath,
    ...(problems.length === 0
      ? {}
      : { errors: problems.map(({ words }) => words), errorDetails: problems.map(({ details }) => details) }),
    projectEnabled: isOnInProject,
  };
}

function stateOf(id: string, paths: ConfigPaths): PluginState {
  const all = allSettings(paths, process.cwd());
  const isOn = chosenPlugins(all)[id] === true;
  const isOnInProject = all.find(({ scope }) => scope === 'project')?.get('enabledPlugins')[id] === true;
  const known = readKnown(paths);
  const from = known.get(marketplaceOf(id));
  if (from === undefined || readMarketplace(from) === undefined) {
    const market = marketplaceOf(id);
    if (from === undefined)
      throw new NotSupported(`error: the stand-in does not list ${id}: its marketplace is not known`);
    const details = { type: 'marketplace-load-failed', marketplace: market };
    return {
      isOn,
      isOnInProject,
      problems: isOn ? [{ words: `Marketplace ${market} failed to load: cache-miss`, details }] : [],
    };
  }
  const offered = findOffered(id, known);
  if (offered === undefined)
    throw new NotSupported(`error: the stand-in does not list ${id}: its marketplace does not offer it`);
  const { path: folder } = offered;
  const problems = isOn ? problemsOf(id, offered.folder, folder, paths) : [];
  return { isOn, isOnInProject, folder, problems };
}

/** Why an enabled plugin cannot be loaded, as far as it was seen. */
function problemsOf(id: string, there: string | undefined, folder: string, paths: ConfigPaths): Problem[] {
  if (there === undefined) {
    const words = `Plugin directory not found at path: ${folder}. Check that the marketplace entry has the correct path.`;
    return [{ words, details: { type: 'generic-error' } }];
  }
  const known = readKnown(paths);
  const chosen = Object.entries(chosenPlugins(allSettings(paths, process.cwd())));
  const plugins = (value: boolean): EnabledPlugin[] =>
    chosen.flatMap(([other, choice]) => {
      const offered = choice === value ? findOffered(other, known) : undefined;
      return offered?.folder === undefined ? [] : [{ id: other, root: offered.folder, entry: offered.entry }];
    });
  const enabled = plugins(true);
  for (const plugin of enabled) checkEntry(plugin);
  const reported: Problem[] = [];
  const loaded = loadPlugins([], process.cwd(), {
    enabled,
    disabled: plugins(false),
    report: (plugin, type, words) => {
      if (plugin !== id) return;
      if (type !== 'hook-load-failed') throw new NotSupported(`error: the stand-in does not list ${id}: ${words}`);
      const details = { type, plugin: nameOf(id), path: join(folder, HOOKS_FILE) };
      reported.push({ words, details });
    },
  });
  const needs = loaded.problems.filter(({ plugin }) => plugin === id);
  if (reported.length === 0 && needs.length === 0 && !loaded.plugins.some((plugin) => plugin.id === id))
    throw new NotSupported(`error: the stand-in does not list ${id}: it cannot be loaded`);
  return [
    ...reported,
    ...needs.map(({ type, message }) => ({
      words: message,
      details: { type, plugin: nameOf(id), dependency: /"([^"]*)"/.exec(message)?.[1] },
    })),
  ];
}

/** What marketplaces offer and is not installed. */
function available(paths: ConfigPaths): JsonObject[] {
  const installed = readInstalled(paths);
  return [...readKnown(paths)].flatMap(([market, one]) =>
    (readMarketplace(one)?.plugins ?? [])
      .filter(({ name }) => !installed.has(`${String(name)}@${market}`))
      .map(({ name, description, version, source }) => ({
        pluginId: `${String(name)}@${market}`,
        name,
        description,
        marketplaceName: market,
        version,
        source,
      })),
  );
}
