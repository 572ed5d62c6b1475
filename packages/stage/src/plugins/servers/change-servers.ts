import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument, readPluginManifest, SERVERS_FILE, serverDocuments, serversOfDocument } from '@understudy/agents';
import { isObject, type JsonObject } from '@understudy/kit';
import { type LocalServer, type ServerConfig, serverConfigSchema, withVariables } from './server-config.js';

/** What becomes of a server: another entry in its place, nothing in its place, or (undefined) no change. */
export type ChangeServer = (name: string, config: ServerConfig | undefined) => LocalServer | 'absent' | undefined;

/** The names of the MCP servers that a plugin declares. */
export function pluginServerNames(root: string): string[] {
  return pluginDocuments(root).flatMap(({ document }) => Object.keys(serversOfDocument(document) ?? {}));
}

/** The MCP servers that a plugin declares, by name; without those whose configuration the CLI would not take. */
export function pluginServers(root: string): Map<string, ServerConfig> {
  const entries = pluginDocuments(root).flatMap(({ document }) => Object.entries(serversOfDocument(document) ?? {}));
  return new Map(
    entries.flatMap(([name, entry]) => {
      const config = serverConfigSchema.safeParse(entry).data;
      return config === undefined ? [] : [[name, config]];
    }),
  );
}

/** Changes the servers of a plugin, which must be a copy. */
export function changePluginServers(root: string, change: ChangeServer): void {
  for (const { path, document, whole } of pluginDocuments(root)) {
    changeIn(document, change, { CLAUDE_PLUGIN_ROOT: root });
    writeFileSync(path, JSON.stringify(whole, null, 2));
  }
}

/** Changes the servers of a project's `.mcp.json`. */
export function changeProjectServers(folder: string, change: ChangeServer): void {
  const path = join(folder, SERVERS_FILE);
  const { value: document } = readDocument(path);
  if (!isObject(document)) return;
  changeIn(document, change, {});
  writeFileSync(path, JSON.stringify(document, null, 2));
}

interface ServerDocument {
  path: string;
  /** The part that declares servers. */
  document: JsonObject;
  /** The file that it is a part of. */
  whole: JsonObject;
}

/** The files that declare servers. The CLI reports what is wrong with one that cannot be read. */
function pluginDocuments(root: string): ServerDocument[] {
  const { file: path, value } = readPluginManifest(root);
  const manifest = isObject(value) ? value : {};
  return serverDocuments(root, manifest).flatMap(({ file, value: document }): ServerDocument[] => {
    if (!isObject(document)) return [];
    if (file === undefined) return [{ path, document, whole: manifest }];
    return file.endsWith('.json') ? [{ path: file, document, whole: document }] : [];
  });
}

function changeIn(document: JsonObject, change: ChangeServer, variables: Readonly<Record<string, string>>): void {
  const servers = serversOfDocument(document) ?? {};
  for (const [name, entry] of Object.entries(servers)) {
    const config = serverConfigSchema.safeParse(entry).data;
    const changed = change(name, config === undefined ? undefined : withVariables(config, variables));
    if (changed === 'absent') delete servers[name];
    else if (changed !== undefined) servers[name] = changed;
  }
}
