import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { ConfigPaths } from '../../../claude-code/config-paths.js';
import { MARKETPLACE_FILE } from '../../../claude-code/plugins/layout.js';
import { kindOf } from '../../../claude-code/plugins/tree.js';
import { isObject, type JsonObject, parseJson, readIfThere } from '../../../document/json.js';

/** A marketplace that the CLI knows. */
export interface KnownMarketplace {
  source: JsonObject & { source: string };
  /** Where it lies on this machine. */
  installLocation: string;
  lastUpdated: string;
}

export interface Marketplace extends JsonObject {
  name: string;
  plugins: JsonObject[];
}

/** The file with all marketplaces that the CLI knows. */
export function knownFile({ dir }: Pick<ConfigPaths, 'dir'>): string {
  return join(dir, 'plugins', 'known_marketplaces.json');
}

/** The marketplaces that the CLI knows. A file with anything else in it counts for nothing. */
export function readKnown(paths: Pick<ConfigPaths, 'dir'>): Map<string, KnownMarketplace> {
  const document = parseJson(readIfThere(knownFile(paths)) ?? '{}');
  const all = isObject(document) ? Object.entries(document) : [];
  if (!all.every(([, one]) => isKnown(one))) return new Map();
  return new Map(all as [string, KnownMarketplace][]);
}

function isKnown(value: unknown): value is KnownMarketplace {
  if (!isObject(value) || !isObject(value['source'])) return false;
  const texts = [value['source']['source'], value['installLocation'], value['lastUpdated']];
  return texts.every((text) => typeof text === 'string');
}

export function writeKnown(paths: Pick<ConfigPaths, 'dir'>, known: ReadonlyMap<string, KnownMarketplace>): void {
  writeJson(knownFile(paths), Object.fromEntries(known));
}

/** Writes as the CLI does. */
export function writeJson(file: string, value: unknown, end = ''): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}${end}`);
}

/** What is on this machine: a folder, or the file of a marketplace in one. */
export function localFolder({ source, path }: JsonObject, cwd: string): string | undefined {
  if (typeof path !== 'string') return undefined;
  if (source === 'directory') return resolve(cwd, path);
  return source === 'file' ? dirname(dirname(resolve(cwd, path))) : undefined;
}

/** Whether a folder may be named after it: a settings file can declare a marketplace with any name. */
export function isMarketplaceName(name: string): boolean {
  return /^[\w.-]+$/.test(name) && !/^\.+$/.test(name);
}

export function isLocal({ source }: KnownMarketplace): boolean {
  return source.source === 'directory' || source.source === 'file';
}

/** What a marketplace says of itself, where that is sound. */
export function readMarketplace({ source, installLocation }: KnownMarketplace): Marketplace | undefined {
  const file =
    source.source === 'file' && typeof source['path'] === 'string'
      ? source['path']
      : join(installLocation, MARKETPLACE_FILE);
  const document = parseJson(readIfThere(file) ?? '');
  if (!isObject(document)) return undefined;
  const { name, owner, plugins } = document;
  const isSound = typeof name === 'string' && isObject(owner) && typeof owner['name'] === 'string';
  return isSound && Array.isArray(plugins) ? { ...document, name, plugins: plugins.filter(isObject) } : undefined;
}

/** What a marketplace says of a plugin. */
export function entryOf({ plugins }: Marketplace, name: string): JsonObject | undefined {
  return plugins.find((one) => one['name'] === name);
}

/** The folder of a plugin in its marketplace: never outside of it. */
export function folderOf(marketplace: Marketplace, entry: JsonObject, location: string): string | undefined {
  const { source } = entry;
  if (typeof source !== 'string' || isAbsolute(source)) return undefined;
  const root = rootOf(marketplace);
  if (!source.startsWith('./') && root === undefined) return undefined;
  const folder = join(location, source.startsWith('./') ? '.' : (root ?? '.'), source);
  return isInside(folder, location) && kindOf(folder) !== undefined ? folder.replace(/\/$/, '') : undefined;
}

function rootOf({ metadata }: Marketplace): string | undefined {
  const root = isObject(metadata) ? metadata['pluginRoot'] : undefined;
  return typeof root === 'string' ? root : undefined;
}

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
