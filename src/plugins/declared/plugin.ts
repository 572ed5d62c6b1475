import { basename, join } from 'node:path';
import type { DeclaredPlugin, Trouble } from './component.js';
import { declaredHooks } from './hooks.js';
import { otherParts, readManifest } from './manifest.js';
import { declaredAgents, declaredCommands, declaredSkills } from './markdown.js';
import { declaredServers } from './servers.js';
import { kindOf } from './tree.js';

/** Folders that belong beside .claude-plugin; inside it nobody looks. */
const MISPLACED = ['commands', 'agents', 'skills', 'hooks', '.mcp.json'];

/** Reads what a plugin's files declare; `entry` is what its marketplace says of it. */
export function readPlugin(root: string, entry?: unknown): DeclaredPlugin {
  const { manifest, trouble } = readManifest(root, entry);
  const misplaced = MISPLACED.filter((name) => kindOf(join(root, '.claude-plugin', name)) !== undefined);
  const troubles: Trouble[] = misplaced.map((name) => ({
    reason: `.claude-plugin/${name} is in the wrong place: the CLI looks for ${name} in the plugin's own folder`,
    fix: `Move .claude-plugin/${name} one folder up.`,
  }));
  return {
    root,
    name: manifest.name ?? basename(root),
    components: [
      ...declaredCommands(root, manifest),
      ...declaredAgents(root, manifest),
      ...declaredSkills(root, manifest),
      ...declaredHooks(root, manifest),
      ...declaredServers(root, manifest),
    ],
    troubles: trouble === undefined ? troubles : [trouble, ...troubles],
    notLookedAt: otherParts(manifest),
  };
}
