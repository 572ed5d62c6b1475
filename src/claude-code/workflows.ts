import { readIfThere } from '../document/json.js';
import { workflowFiles } from './plugins/components.js';
import { type WorkflowMeta, workflowMeta } from './plugins/workflow-meta.js';
import type { CommandDefinition, CommandsOrigin } from './slash-commands.js';

/** The workflows of a plugin, or of a folder that holds `workflows/`: each is a skill that asks for its run. */
export function loadWorkflows(
  root: string,
  manifest: { workflows?: unknown },
  origin: CommandsOrigin,
): CommandDefinition[] {
  // Folders below are not looked into.
  const files = workflowFiles(root, manifest).filter(({ prefix }) => prefix === '');
  return files.flatMap(({ file }) => {
    const meta = workflowMeta(readIfThere(file) ?? '');
    return meta === undefined ? [] : [define(meta, origin)];
  });
}

function define(meta: WorkflowMeta, { source, plugin }: CommandsOrigin): CommandDefinition {
  const { name, description, whenToUse } = meta;
  return {
    name: plugin === undefined ? name : `${plugin.name}:${name}`,
    kind: 'skill',
    source,
    description,
    advertised: whenToUse === undefined ? description : `${description} - ${whenToUse}`,
    argumentHint: '',
    body: '',
    workflow: meta,
    allowedTools: [],
    ...(plugin === undefined ? {} : { plugin }),
  };
}
