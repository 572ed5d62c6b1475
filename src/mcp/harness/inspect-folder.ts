import { findAgent } from '../../agents/store/find-agent.js';
import { pluginFolder } from '../../claude-code/plugins/folder.js';
import { inspectPlugin } from '../../plugins/inspect.js';

/** What the real Claude Code makes of a plugin folder. */
export async function inspectFolder(path: string) {
  const {
    plugin,
    path: root,
    ok,
    problems,
    components,
    notes,
  } = await inspectPlugin(pluginFolder(path), {
    agent: await findAgent('claude'),
  });
  return { plugin, path: root, ok, problems, components, notes };
}
