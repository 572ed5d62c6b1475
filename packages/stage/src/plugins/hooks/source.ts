import { basename, join } from 'node:path';
import { kindOf, PLUGIN_FOLDER, pluginFolder, readPluginManifest } from '@understudy/agents';
import type { DeclaredHook } from '../declared/component.js';
import { declaredHooks, settingsHooks } from '../declared/hooks.js';
import { manifestOf } from '../declared/manifest.js';

export interface HookSource {
  root: string;
  hooks: DeclaredHook[];
  /** The plugin's name; absent for the settings of a project. */
  plugin?: string;
}

/** The hooks of a folder: a plugin's, or else those in the settings of a project. */
export function readHooksOf(path: string): HookSource {
  const root = pluginFolder(path);
  const { manifest } = manifestOf(readPluginManifest(root));
  const hooks = declaredHooks(root, manifest);
  const isPlugin = hooks.length > 0 || kindOf(join(root, PLUGIN_FOLDER)) === 'folder';
  if (isPlugin) return { root, hooks, plugin: manifest.name ?? basename(root) };
  return { root, hooks: settingsHooks(root) };
}
