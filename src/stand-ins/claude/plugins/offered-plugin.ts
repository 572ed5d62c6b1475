import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MANIFEST_FILE } from '../../../claude-code/plugins/layout.js';
import { type Dependency, dependenciesOf, isPluginName } from '../../../claude-code/plugins/manifest-problems.js';
import { refuseManifest } from '../../../claude-code/plugins/refusals.js';
import { isObject, type JsonObject, parseJson, readIfThere } from '../../../document/json.js';
import { NotSupported } from '../cli/arguments.js';
import { marketplaceOf, nameOf } from './enabled-plugins.js';
import {
  entryOf,
  folderOf,
  isLocal,
  isMarketplaceName,
  type KnownMarketplace,
  readMarketplace,
} from './marketplaces.js';

/** A plugin that a marketplace on this machine offers. */
export interface OfferedPlugin {
  id: string;
  name: string;
  /** Where it should be. */
  path: string;
  /** Where it is. */
  folder: string | undefined;
  entry: JsonObject;
}

/** What a marketplace offers under an id. */
export function findOffered(id: string, known: ReadonlyMap<string, KnownMarketplace>): OfferedPlugin | undefined {
  const from = known.get(marketplaceOf(id));
  const marketplace = from && readMarketplace(from);
  const name = nameOf(id);
  const entry = marketplace && entryOf(marketplace, name);
  if (from === undefined || marketplace === undefined || entry === undefined) return undefined;
  const { source } = entry;
  if (!isLocal(from) || typeof source !== 'string')
    throw new NotSupported(`error: the stand-in does not install ${id}: it fetches nothing`);
  if (!isPluginName(name) || /^\.*$/.test(name) || !isMarketplaceName(marketplaceOf(id)))
    throw new NotSupported(`error: the stand-in does not install ${id}: its name is wrong`);
  const folder = folderOf(marketplace, entry, from.installLocation);
  return { id, name, path: folder ?? join(from.installLocation, source), folder, entry };
}

/** What is read of a plugin before it is installed. */
export interface PluginFacts {
  version: string;
  /** That of the manifest. */
  ownVersion?: string;
  needs: Dependency[];
}

export function factsOf({ id, folder, entry }: OfferedPlugin): PluginFacts {
  const refuse = (what: string) => new NotSupported(`error: the stand-in does not install ${id}: ${what}`);
  if (folder === undefined) throw refuse('its folder is not there');
  const file = join(folder, MANIFEST_FILE);
  const text = readIfThere(file);
  const manifest = text === undefined ? undefined : parseJson(text);
  if (text !== undefined && (refuseManifest(manifest, text, file, id) !== undefined || !isObject(manifest)))
    throw refuse('its manifest is wrong');
  const own = isObject(manifest) ? manifest['version'] : undefined;
  const version = own ?? entry['version'];
  if (version === undefined && isInRepository(folder)) throw refuse('it has no version, and is in a git repository');
  const shown = version === undefined ? 'unknown' : String(version);
  if (!/^[\w.+-]+$/.test(shown) || /^\.+$/.test(shown)) throw refuse(`its version is ${JSON.stringify(version)}`);
  return {
    version: shown,
    ...(typeof own === 'string' ? { ownVersion: own } : {}),
    needs: dependenciesOf(isObject(manifest) ? manifest : entry),
  };
}

/** Where the CLI takes the commit for a version. */
function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true;
    if (at === dirname(at)) return false;
  }
}
