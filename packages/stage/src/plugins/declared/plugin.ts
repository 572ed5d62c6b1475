import { basename, join } from 'node:path';
import { COMPONENT_PLACES, kindOf, PLUGIN_FOLDER, readPluginManifest } from '@understudy/agents';
import { withServerName } from './asking-hook.js';
import type { DeclaredPlugin, Issue } from './component.js';
import { declaredHooks } from './hooks.js';
import { manifestOf, missingPaths, nameIssues, otherParts, reservedName, shapeIssues } from './manifest.js';
import { declaredAgents, declaredCommands, declaredSkills, declaredWorkflows, emptySkillFolders } from './markdown.js';
import { declaredServers } from './servers.js';

/** Reads what a plugin's files declare; `entry` is what its marketplace says of it. */
export function readPlugin(root: string, entry?: unknown): DeclaredPlugin {
  const document = readPluginManifest(root);
  const { manifest, issue } = manifestOf(document, entry);
  const misplaced = COMPONENT_PLACES.filter((name) => kindOf(join(root, PLUGIN_FOLDER, name)) !== undefined);
  const issues: Issue[] = misplaced.map((name) => ({
    reason: `${PLUGIN_FOLDER}/${name} is in the wrong place: the CLI looks for ${name} in the plugin's own folder`,
    fix: `Move ${PLUGIN_FOLDER}/${name} one folder up.`,
  }));
  const name = manifest.name ?? basename(root);
  const servers = declaredServers(root, manifest);
  return {
    root,
    name,
    components: [
      ...declaredCommands(root, manifest),
      ...declaredAgents(root, manifest),
      ...declaredSkills(root, manifest),
      ...declaredWorkflows(root, manifest),
      ...declaredHooks(root, manifest).map((hook) => withServerName(hook, name, servers)),
      ...servers,
    ],
    issues: issue === undefined ? issues : [issue, ...issues],
    refusals: [...nameIssues(document), ...shapeIssues(root, document), ...missingPaths(root, manifest)],
    notes: [...emptySkillFolders(root, manifest), ...reservedName(document)],
    notCompared: otherParts(root, manifest),
  };
}
