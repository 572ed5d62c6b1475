import { isAbsolute } from 'node:path';
import type { ConfigPaths } from '../../../claude-code/config-paths.js';
import type { EnabledPlugin } from '../../../claude-code/plugins/load.js';
import { kindOf } from '../../../claude-code/plugins/tree.js';
import type { SettingsFile } from '../../../claude-code/settings.js';
import { isObject, type JsonObject } from '../../../document/json.js';
import { writeOut } from '../../shared/write-out.js';
import { NotSupported } from '../cli/arguments.js';
import { checkEntry } from './check-entry.js';
import { readInstalled } from './installed-file.js';
import {
  entryOf,
  folderOf,
  isLocal,
  type KnownMarketplace,
  localFolder,
  readKnown,
  readMarketplace,
  writeKnown,
} from './marketplaces.js';

interface EnabledRequest {
  files: readonly SettingsFile[];
  /** All of them together. */
  settings: JsonObject;
  paths: ConfigPaths;
  cwd: string;
  isTrusted: boolean;
  now: string;
}

interface EnabledPlugins {
  enabled: EnabledPlugin[];
  disabled: EnabledPlugin[];
}

/** The plugins that the settings turn on and off, where they are. The CLI passes over those that it does not find. */
export function findEnabledPlugins(request: EnabledRequest): EnabledPlugins {
  const { settings, paths, cwd } = request;
  const known = readKnown(paths);
  const late = addDeclared(known, request);
  const found: EnabledPlugins = { enabled: [], disabled: [] };
  const chosen = isObject(settings['enabledPlugins']) ? settings['enabledPlugins'] : {};
  for (const [id, value] of Object.entries(chosen)) {
    if (typeof value !== 'boolean') continue;
    const plugin = findPlugin(id, known, paths, cwd);
    if (plugin === undefined) continue;
    if (value) checkEntry(plugin);
    const isOnlyListed = late.has(marketplaceOf(id));
    (value ? found.enabled : found.disabled).push({ ...plugin, isOnlyListed });
  }
  refuseSameNames(found.enabled);
  return found;
}

export function marketplaceOf(id: string): string {
  return id.slice(id.lastIndexOf('@') + 1);
}

export function nameOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('@')));
}

/**
 * Makes the marketplaces known that the settings declare; those of a project count where it is trusted. Gives the names of
 * those that are known only when the session has begun: of their plugins it has nothing yet.
 */
function addDeclared(known: Map<string, KnownMarketplace>, request: EnabledRequest): Set<string> {
  const { files, paths, cwd, isTrusted, now } = request;
  const late = new Set<string>();
  const declared = files
    .filter(({ source }) => isTrusted || source === 'userSettings' || source === 'flagSettings')
    .flatMap(({ settings: { extraKnownMarketplaces: more } }) => (isObject(more) ? Object.entries(more) : []));
  for (const [name, declaration] of new Map(declared)) {
    const source = isObject(declaration) ? declaration['source'] : undefined;
    if (!isObject(source) || typeof source['source'] !== 'string') continue;
    const folder = localFolder(source, cwd);
    const before = known.get(name);
    if (folder === undefined) {
      if (before === undefined) tellNotFetched(name, source['source']);
      continue;
    }
    if (before !== undefined && isLocal(before) && before.installLocation === folder) continue;
    const isRelative = !isAbsolute(String(source['path']));
    const path = isRelative && source['source'] === 'directory' ? folder : source['path'];
    const added = { source: { ...source, source: source['source'], path }, installLocation: folder, lastUpdated: now };
    if (readMarketplace(added)?.name !== name) continue;
    if (before !== undefined)
      throw new NotSupported(
        `error: the stand-in does not move the marketplace '${name}' to ${folder}: it is known at ${before.installLocation}`,
      );
    if (isRelative && source['source'] === 'file')
      throw new NotSupported(`error: the stand-in does not add the marketplace '${name}' by a relative path of a file`);
    known.set(name, added);
    writeKnown(paths, known);
    if (isRelative) late.add(name);
  }
  return late;
}

/** The CLI would fetch it, and go on without it where it cannot. */
function tellNotFetched(name: string, kind: string): void {
  writeOut(2, `understudy: the marketplace ${name} (${kind}) is not on this machine, and the stand-in fetches none\n`);
}

function findPlugin(
  id: string,
  known: ReadonlyMap<string, KnownMarketplace>,
  paths: ConfigPaths,
  cwd: string,
): EnabledPlugin | undefined {
  const from = known.get(marketplaceOf(id));
  const marketplace = from && readMarketplace(from);
  const entry = marketplace && entryOf(marketplace, nameOf(id));
  if (from === undefined || marketplace === undefined || entry === undefined) return undefined;
  const isCopied = !isLocal(from) || typeof entry['source'] !== 'string';
  const root = isCopied ? copyOf(id, paths, cwd) : folderOf(marketplace, entry, from.installLocation);
  return root === undefined ? undefined : { id, root, entry };
}

/** Where an installed plugin has been copied to, for those that are not read from the folder of their marketplace. */
function copyOf(id: string, paths: ConfigPaths, cwd: string): string | undefined {
  const all = readInstalled(paths).get(id) ?? [];
  const ours = all.filter(({ scope, projectPath }) => scope === 'user' || projectPath === cwd);
  const [first] = ours;
  if (first === undefined) {
    if (all.length > 0) throw new NotSupported(`error: the stand-in does not load ${id}: another project installed it`);
    return undefined;
  }
  return kindOf(first.installPath) === 'folder' ? first.installPath : undefined;
}

/** The CLI lists both, and has the parts of one of them. */
function refuseSameNames(plugins: readonly EnabledPlugin[]): void {
  const names = plugins.map(({ id }) => nameOf(id));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new NotSupported(`error: the stand-in does not load the plugin '${twice}' of two marketplaces at once`);
}
