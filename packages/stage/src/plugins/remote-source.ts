import { readPluginManifest } from '@understudy/agents';
import { isObject } from '@understudy/kit';
import { type Marketplace, sourceFolder } from './marketplace.js';

type ListedPlugin = Marketplace['plugins'][number];

/** Why a plugin of a marketplace cannot be had without the network; nothing when all of it is on this machine. */
export function remoteReason(folder: string, marketplace: Marketplace, entry: ListedPlugin): string | undefined {
  return reasonOf(folder, marketplace, entry, new Set());
}

function reasonOf(
  folder: string,
  marketplace: Marketplace,
  entry: ListedPlugin,
  seen: Set<ListedPlugin>,
): string | undefined {
  if (isRemote(entry.source)) return `its source is outside this machine: ${JSON.stringify(entry.source)}`;
  seen.add(entry);
  for (const name of dependenciesOf(folder, entry)) {
    const needed = marketplace.plugins.find((plugin) =>
      [plugin.name, `${plugin.name}@${marketplace.name}`].includes(name),
    );
    if (needed === undefined || seen.has(needed)) continue;
    const reason = reasonOf(folder, marketplace, needed, seen);
    if (reason !== undefined) return `it depends on ${needed.name}, and ${reason}`;
  }
  return undefined;
}

/** A text is a path in the marketplace. Everything else is fetched, unless it is a repository on this disk. */
function isRemote(source: unknown): boolean {
  if (!isObject(source)) return false;
  const { url } = source;
  return !(typeof url === 'string' && /^(file:|\.{0,2}\/)/.test(url));
}

/** The plugins that the CLI installs together with this one, as `name` or `name@marketplace`. */
function dependenciesOf(folder: string, entry: ListedPlugin): string[] {
  const root = sourceFolder(folder, entry);
  const manifest = root === undefined ? undefined : readPluginManifest(root).value;
  return [entry['dependencies'], isObject(manifest) ? manifest['dependencies'] : undefined]
    .flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
    .flatMap((one) => nameOf(one) ?? []);
}

function nameOf(dependency: unknown): string | undefined {
  if (typeof dependency === 'string') return dependency;
  if (!isObject(dependency) || typeof dependency['name'] !== 'string') return undefined;
  const { name, marketplace } = dependency;
  return typeof marketplace === 'string' ? `${name}@${marketplace}` : name;
}
