import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isObject, type JsonObject } from '@understudy/kit';
import { HOOKS_FILE, MANIFEST_FILE, pathList, SERVERS_FILE } from './layout.js';

/** A JSON document of a plugin as it was found. What of it the CLI takes, and what an author should know, is judged by others. */
export interface PluginDocument {
  /** None where it stands in the manifest. */
  file?: string;
  /** None where it could not be read. */
  text?: string;
  value?: unknown;
  /** Why it has no value: there is no such file, a folder has its name, or its JSON is broken. */
  problem?: 'missing' | 'folder' | { json: string };
}

export function readDocument(file: string): PluginDocument & { file: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return { file, problem: (error as NodeJS.ErrnoException).code === 'EISDIR' ? 'folder' : 'missing' };
  }
  try {
    return { file, text, value: JSON.parse(text) };
  } catch (error) {
    return { file, text, problem: { json: (error as Error).message } };
  }
}

/** The manifest of a plugin. Without one, the CLI takes the name of the folder. */
export function readPluginManifest(root: string): PluginDocument & { file: string } {
  const document = readDocument(join(root, MANIFEST_FILE));
  return document.text === undefined ? { ...document, value: { name: basename(root) } } : document;
}

/** The hooks of a plugin: hooks/hooks.json, and the files and objects that the manifest adds. */
export function hookDocuments(root: string, { hooks }: JsonObject): PluginDocument[] {
  const added = Array.isArray(hooks) ? hooks : [hooks];
  return [...filesOf(root, [HOOKS_FILE, ...added.flatMap(pathList)]), ...added.filter(isObject).map(inManifest)];
}

/** The MCP servers of a plugin. Of two with one name the last one counts. */
export function serverDocuments(root: string, { mcpServers }: JsonObject): PluginDocument[] {
  const files = filesOf(root, [SERVERS_FILE, ...pathList(mcpServers)]);
  return isObject(mcpServers) ? [...files, inManifest(mcpServers)] : files;
}

function filesOf(root: string, paths: readonly string[]): PluginDocument[] {
  return [...new Set(paths.map((path) => join(root, path)))].map(readDocument);
}

function inManifest(value: JsonObject): PluginDocument {
  return { value };
}
