import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ConfigPaths,
  envFile,
  envFolder,
  inReadingOrder,
  type PluginOrigin,
  pluginVariables,
} from '@understudy/agents';
import { readIfThere } from '@understudy/kit';
import type { Session } from './session.js';

/** The file in which a hook may set variables for the shell, if it is one that may. */
export function envFileFor(session: Session, event: string, at: number): string | undefined {
  const folder = envFolder(session.parts.paths.dir, session.id);
  const file = envFile(folder, event, at);
  if (file === undefined) return undefined;
  try {
    mkdirSync(folder, { recursive: true });
    return file;
  } catch {
    // A home that cannot be written: the hook runs all the same.
    return undefined;
  }
}

/** What stands before each command of the shell: a mistake in it is one of the command. */
export function linesOfEnvFiles({ parts, id }: Session): string {
  const folder = envFolder(parts.paths.dir, id);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // No hook has written any.
    return '';
  }
  return inReadingOrder(names)
    .map((name) => `${(readIfThere(join(folder, name)) ?? '').trimEnd()}\n`)
    .join('');
}

/** What a plugin's own programs find in their environment, and the folder for what they keep. */
export function pluginEnvironment(
  plugin: PluginOrigin,
  { paths, cwd }: { paths: ConfigPaths; cwd: string },
): Record<string, string> {
  const variables = pluginVariables(plugin, paths.dir, cwd);
  try {
    mkdirSync(variables.CLAUDE_PLUGIN_DATA, { recursive: true });
  } catch {
    // A home that cannot be written: who needs the folder will say so.
  }
  return { ...variables };
}
