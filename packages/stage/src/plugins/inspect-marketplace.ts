import { pluginFolder } from '@understudy/agents';
import { createScratch, UnderstudyError } from '@understudy/kit';
import { readPlugin } from './declared/plugin.js';
import { failedComponents, type InspectOptions } from './inspect.js';
import { listPlugins, statusOf } from './installed.js';
import { readLoadedState } from './loaded/loaded-state.js';
import { addMarketplace, type Marketplace, readMarketplace, sourceFolder } from './marketplace.js';
import { changePlugins, type PluginHome } from './plugin-cli.js';
import { remoteReason } from './remote-source.js';
import { countComponents, type PluginReport } from './report.js';

/** Adds a marketplace, installs every plugin of it, and reports each as the CLI then has it. */
export async function inspectMarketplace(path: string, options: InspectOptions): Promise<PluginReport[]> {
  const folder = pluginFolder(path);
  const marketplace = readMarketplace(folder);
  if (marketplace.plugins.length === 0) {
    throw new UnderstudyError('MARKETPLACE_EMPTY', `${path} offers no plugin`, { fix: 'Add a plugin to its list.' });
  }
  const scratch = createScratch('marketplace');
  const { agent, allowNetwork, isolation } = options;
  const home: PluginHome = { agent, home: scratch.path, allowNetwork, isolation };
  const remote = allowNetwork === true ? new Map<string, string>() : remotePlugins(folder, marketplace);
  try {
    const name = await addMarketplace(home, folder);
    const refused = new Map<string, string>();
    for (const plugin of marketplace.plugins) {
      if (remote.has(plugin.name)) continue;
      const why = await tryInstall(home, `${plugin.name}@${name}`);
      if (why !== undefined) refused.set(plugin.name, why);
    }
    const installed = await listPlugins(home);
    const state = await readLoadedState({ ...options, ...home, readable: [folder] });
    return marketplace.plugins.map((entry) => {
      const reason = remote.get(entry.name);
      if (reason !== undefined) return notFetched(folder, entry, options, reason);
      const plugin = installed.find(({ id }) => id === `${entry.name}@${name}`);
      const report = plugin === undefined ? undefined : statusOf(plugin, state, entry).report;
      return report ?? notInstalled(folder, entry, options, refused.get(entry.name) ?? 'the CLI did not install it');
    });
  } finally {
    await scratch.remove();
  }
}

/** The plugins that are not on this machine, each with the reason. */
function remotePlugins(folder: string, marketplace: Marketplace): Map<string, string> {
  return new Map(
    marketplace.plugins.flatMap((entry) => {
      const reason = remoteReason(folder, marketplace, entry);
      return reason === undefined ? [] : [[entry.name, reason] as const];
    }),
  );
}

async function tryInstall(home: PluginHome, id: string): Promise<string | undefined> {
  try {
    await changePlugins(home, ['install', id]);
    return undefined;
  } catch (error) {
    if (error instanceof UnderstudyError && error.code === 'PLUGIN_CLI_FAILED') return error.message;
    throw error;
  }
}

function notFetched(
  folder: string,
  entry: Marketplace['plugins'][number],
  { agent }: InspectOptions,
  reason: string,
): PluginReport {
  return {
    plugin: entry.name,
    path: sourceFolder(folder, entry) ?? JSON.stringify(entry.source),
    agent: `claude@${agent.version}`,
    ok: false,
    loaded: false,
    unjudged: {
      reason,
      fix: 'Check its own folder, or use --allow-network, which fetches it and runs its hooks and servers.',
    },
    problems: [],
    components: [],
    counts: countComponents([]),
    notes: [],
    notCompared: [],
  };
}

function notInstalled(
  folder: string,
  entry: Marketplace['plugins'][number],
  { agent }: InspectOptions,
  reason: string,
): PluginReport {
  const root = sourceFolder(folder, entry);
  const declared = root === undefined ? undefined : readPlugin(root, entry);
  const components = declared === undefined ? [] : failedComponents(declared);
  return {
    plugin: entry.name,
    path: root ?? JSON.stringify(entry.source),
    agent: `claude@${agent.version}`,
    ok: false,
    loaded: false,
    problems: [{ reason, fix: 'Correct what the message names.' }],
    components,
    counts: countComponents(components),
    notes: declared?.notes ?? [],
    notCompared: declared?.notCompared ?? [],
  };
}
