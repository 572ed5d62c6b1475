import { defined, inWords, nearestWord, UnderstudyError } from '@understudy/kit';
import * as z from 'zod/mini';
import { readPlugin } from './declared/plugin.js';
import { reportPlugin } from './inspect.js';
import { type LoadedState, readLoadedState } from './loaded/loaded-state.js';
import { changePlugins, marketplaceFolders, type PluginHome, runPluginCommand } from './plugin-cli.js';
import type { PluginReport } from './report.js';

const installedSchema = z.looseObject({
  id: z.string(),
  version: z.optional(z.string()),
  scope: z.optional(z.string()),
  enabled: z.boolean(),
  installPath: z.optional(z.string()),
  /** A plugin of a marketplace in a folder is read from there, not from its copy. */
  readFromFolder: z.optional(z.string()),
  errors: z._default(z.array(z.string()), []),
});

/** A plugin in `claude plugin list`. */
export type InstalledPlugin = z.infer<typeof installedSchema>;

/** What became of an installed plugin. `disabled` is not a failure. */
export interface PluginStatus {
  id: string;
  state: 'loaded' | 'failed' | 'disabled' | 'not installed';
  version?: string;
  errors: string[];
  /** What the CLI loaded of it, where it is enabled. */
  report?: PluginReport;
}

/** Installs a plugin (`name@marketplace`), and reports what the CLI then loads of it: its exit code proves nothing. */
export async function installPlugin(home: PluginHome, id: string): Promise<PluginStatus> {
  await changePlugins(home, ['install', id]);
  return pluginStatus(home, id);
}

/** Removes an installed plugin; `id` is NAME@MARKETPLACE. */
export async function uninstallPlugin(home: PluginHome, id: string): Promise<void> {
  await changePlugins(home, ['uninstall', id]);
  if ((await listPlugins(home)).some((plugin) => plugin.id === id)) {
    throw new UnderstudyError('PLUGIN_CLI_FAILED', `${id} is still installed`);
  }
}

/** Turns an installed plugin on, and reports what the CLI then loads of it. */
export async function enablePlugin(home: PluginHome, id: string): Promise<PluginStatus> {
  await changePlugins(home, ['enable', id]);
  return pluginStatus(home, id);
}

/** Turns an installed plugin off, and reports what the CLI then loads of it. */
export async function disablePlugin(home: PluginHome, id: string): Promise<PluginStatus> {
  await changePlugins(home, ['disable', id]);
  return pluginStatus(home, id);
}

/** Brings an installed plugin to the version of its marketplace, and reports what the CLI then loads of it. */
export async function updatePlugin(home: PluginHome, id: string): Promise<PluginStatus> {
  await changePlugins(home, ['update', id]);
  return pluginStatus(home, id);
}

/** The installed plugins, with the errors that the CLI found in them. */
export async function listPlugins(home: PluginHome): Promise<InstalledPlugin[]> {
  return z.array(installedSchema).parse(JSON.parse(await runPluginCommand(home, ['list', '--json'])), inWords);
}

/** Is a plugin really loaded? Reads the CLI's list with its errors, and asks a session what it has. */
export async function pluginStatus(home: PluginHome, id: string): Promise<PluginStatus> {
  const installed = await listPlugins(home);
  const plugin = installed.find((one) => one.id === id || one.id.split('@')[0] === id);
  if (plugin === undefined) {
    const near = nearestWord(
      id,
      installed.map((one) => one.id),
    );
    return { id, state: 'not installed', errors: near === undefined ? [] : [`did you mean ${near}?`] };
  }
  const version = plugin.version === undefined ? {} : { version: plugin.version };
  if (!plugin.enabled) return { id: plugin.id, state: 'disabled', ...version, errors: plugin.errors };
  return statusOf(plugin, await readLoadedState({ ...home, readable: marketplaceFolders(home) }));
}

/** Judges one installed plugin by what was seen. */
export function statusOf(plugin: InstalledPlugin, state: LoadedState, entry?: unknown): PluginStatus {
  const [name = plugin.id] = plugin.id.split('@');
  const root = plugin.readFromFolder ?? plugin.installPath;
  const report =
    root === undefined ? undefined : reportPlugin({ ...readPlugin(root, entry), name }, state, plugin.errors);
  return {
    id: plugin.id,
    state: report?.ok === true ? 'loaded' : 'failed',
    ...defined({ version: plugin.version }),
    errors: report === undefined ? plugin.errors : report.problems.map(({ reason }) => reason),
    ...defined({ report }),
  };
}
