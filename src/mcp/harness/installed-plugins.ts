import { findAgent, pluginFolder } from '@understudy/agents';
import { nearestWord, UnderstudyError } from '@understudy/kit';
import {
  addMarketplace,
  type InstalledPlugin,
  installPlugin,
  listPlugins,
  type Marketplace,
  type PluginHome,
  type PluginStatus,
  pluginStatus,
  readMarketplace,
  remoteReason,
  uninstallPlugin,
} from '@understudy/stage';

/** The plugins that a user has installed in a Claude Code of the harness's own. */
export class InstalledPlugins {
  readonly #home: string;
  /** Names of marketplaces by their folder. */
  readonly #marketplaces = new Map<string, string>();
  #pluginHome: Promise<PluginHome> | undefined;
  /** Absent until something is installed: asking the CLI takes a moment. */
  #installed: InstalledPlugin[] = [];
  /** The CLI changes one file for all: two changes at once would lose one. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(home: string) {
    this.#home = home;
  }

  /** Adds the marketplace, installs the plugin, and returns what the CLI then loads of it. */
  install(name: string, marketplace: string | undefined): Promise<PluginStatus> {
    return this.#inTurn(async (home) => {
      const id = await this.#idOf(home, name, marketplace);
      const status = await installPlugin(home, id);
      this.#installed = await listPlugins(home);
      return status;
    });
  }

  uninstall(name: string): Promise<string> {
    return this.#inTurn(async (home) => {
      const { id } = this.#find(name);
      await uninstallPlugin(home, id);
      this.#installed = await listPlugins(home);
      return id;
    });
  }

  get all(): readonly InstalledPlugin[] {
    return this.#installed;
  }

  /** What a session of the CLI really has of it. */
  status(name: string): Promise<PluginStatus> {
    return this.#inTurn(async (home) => pluginStatus(home, this.#find(name).id));
  }

  /** The folders of those that are enabled. */
  async folders(): Promise<string[]> {
    await this.#queue;
    return this.#installed
      .filter(({ enabled }) => enabled)
      .flatMap(({ readFromFolder, installPath }) => readFromFolder ?? installPath ?? []);
  }

  /** Uninstalls all of them; gives how many there were. */
  async clear(): Promise<number> {
    const ids = this.#installed.map(({ id }) => id);
    for (const id of ids) await this.uninstall(id);
    return ids.length;
  }

  #find(name: string): InstalledPlugin {
    const plugin = this.#installed.find(({ id }) => id === name || id.split('@')[0] === name);
    if (plugin !== undefined) return plugin;
    const known = this.#installed.map(({ id }) => id);
    const near = nearestWord(name, known);
    throw new UnderstudyError('PLUGIN_NOT_INSTALLED', `the plugin ${JSON.stringify(name)} is not installed`, {
      fix:
        known.length === 0
          ? 'Install it with install_plugin.'
          : near === undefined
            ? `Installed are ${known.join(', ')}.`
            : `Did you mean ${near}?`,
    });
  }

  async #idOf(home: PluginHome, name: string, marketplace: string | undefined): Promise<string> {
    if (marketplace !== undefined) {
      const folder = pluginFolder(marketplace);
      const offered = readMarketplace(folder);
      assertLocal(folder, offered, findOffered(name, offered, folder));
      let known = this.#marketplaces.get(folder);
      if (known === undefined) {
        known = await addMarketplace(home, folder);
        this.#marketplaces.set(folder, known);
      }
      return `${name}@${known}`;
    }
    for (const [folder, known] of this.#marketplaces) {
      const offered = readMarketplace(folder);
      const entry = offered.plugins.find((plugin) => [plugin.name, `${plugin.name}@${known}`].includes(name));
      if (entry === undefined) continue;
      assertLocal(folder, offered, entry);
      return `${entry.name}@${known}`;
    }
    throw new UnderstudyError('PLUGIN_NOT_OFFERED', `no known marketplace offers ${JSON.stringify(name)}`, {
      fix: 'Give marketplace_path: the folder that holds .claude-plugin/marketplace.json.',
    });
  }

  #inTurn<T>(work: (home: PluginHome) => Promise<T>): Promise<T> {
    const result = this.#queue.then(async () => {
      this.#pluginHome ??= findAgent('claude').then((agent) => ({ agent, home: this.#home }));
      return work(await this.#pluginHome);
    });
    this.#queue = result.catch(() => {});
    return result;
  }
}

function findOffered(name: string, { plugins }: Marketplace, folder: string): Marketplace['plugins'][number] {
  const entry = plugins.find((plugin) => plugin.name === name);
  if (entry !== undefined) return entry;
  const names = plugins.map((plugin) => plugin.name);
  throw new UnderstudyError('PLUGIN_NOT_OFFERED', `${folder} does not offer ${JSON.stringify(name)}`, {
    fix: `It offers ${names.join(', ')}.`,
  });
}

/** Nothing is fetched here, and no foreign hook runs. */
function assertLocal(folder: string, marketplace: Marketplace, entry: Marketplace['plugins'][number]): void {
  const reason = remoteReason(folder, marketplace, entry);
  if (reason === undefined) return;
  throw new UnderstudyError('PLUGIN_SOURCE_REMOTE', `${entry.name} cannot be installed without the network: ${reason}`);
}
