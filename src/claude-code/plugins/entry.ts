import { join } from 'node:path';
import { isObject, type JsonObject } from '../../document/json.js';
import { type AgentDefinition, pluginAgents } from '../agent-definitions.js';
import type { Hook } from '../hooks/hook.js';
import { readHooks } from '../hooks/load.js';
import type { PluginOrigin } from '../plugin-origin.js';
import { type CommandDefinition, readCommand } from '../slash-commands.js';
import { commandFiles, skillFiles } from './components.js';
import { pathList, SERVERS_FILE } from './layout.js';
import { kindOf } from './tree.js';

/** Parts of a plugin that its marketplace may name. */
const PARTS = ['commands', 'agents', 'skills', 'hooks', 'outputStyles'];

/** Where a plugin has no manifest, what its marketplace says stands for it, but for what adds to the usual places. */
export function manifestOfEntry({ name, version, dependencies, mcpServers }: JsonObject, root: string): JsonObject {
  const hasServers = kindOf(join(root, SERVERS_FILE)) === 'file';
  return { name, version, dependencies, ...(hasServers ? {} : { mcpServers }) };
}

/** A marketplace that says all of a plugin (`strict: false`) does not allow it a manifest as well. */
export function saysOtherwise(entry: JsonObject): boolean {
  return entry['strict'] === false && PARTS.some((part) => entry[part] !== undefined);
}

interface Parts extends PluginOrigin {
  commands: CommandDefinition[];
  skills: CommandDefinition[];
  agents: AgentDefinition[];
  hooks: Hook[];
}

/** A plugin with what its marketplace adds to it: never in place of the usual folders, as a manifest does. */
export function withEntry<P extends Parts>(
  plugin: P,
  manifest: JsonObject,
  entry: JsonObject,
  hasManifest: boolean,
): P {
  const { name, root, commands, agents } = plugin;
  const from = { source: 'plugin' as const, plugin: { id: plugin.id, name, root } };
  const { commands: moreCommands, agents: moreAgents, skills: moreSkills, source } = entry;
  const skills = [...pathList(manifest['skills']), ...pathList(moreSkills)];
  return {
    ...plugin,
    ...(moreCommands === undefined
      ? {}
      : {
          commands: [
            ...commands,
            ...commandFiles(root, { commands: moreCommands }).flatMap((file) => readCommand(file, from) ?? []),
          ],
        }),
    ...(moreSkills === undefined
      ? {}
      : { skills: skillFiles(root, { name, skills, source }).flatMap((file) => readCommand(file, from) ?? []) }),
    ...(moreAgents === undefined
      ? {}
      : { agents: [...agents, ...pluginAgents(root, { agents: moreAgents }, name)].filter(isFirstOfName) }),
    hooks: hooksWithEntry(plugin.hooks, readHooksOf(entry, from), hasManifest),
  };
}

function readHooksOf({ hooks }: JsonObject, from: { source: 'plugin'; plugin: PluginOrigin }): Hook[] {
  return isObject(hooks) ? readHooks(hooks, from) : [];
}

/** Those of the marketplace replace the others of the same event, and all of them where there is no manifest. */
function hooksWithEntry(own: readonly Hook[], added: readonly Hook[], hasManifest: boolean): Hook[] {
  if (added.length === 0) return [...own];
  const events = new Set(added.map(({ event }) => event));
  return [...own.filter(({ event }) => hasManifest && !events.has(event)), ...added];
}

function isFirstOfName({ name }: AgentDefinition, at: number, all: readonly AgentDefinition[]): boolean {
  return all.findIndex((one) => one.name === name) === at;
}
