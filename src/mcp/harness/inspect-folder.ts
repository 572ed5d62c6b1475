import { findAgent } from '../../agents/store/find-agent.js';
import { pluginFolder } from '../../claude-code/plugins/folder.js';
import { defined } from '../../document/defined.js';
import { inspectPlugin } from '../../plugins/inspect.js';
import type { PluginReport } from '../../plugins/report.js';

type FolderReport = Pick<PluginReport, 'plugin' | 'path' | 'ok' | 'problems' | 'components' | 'notes'> & {
  isolation?: string;
};

/** What the real Claude Code makes of a plugin folder. */
export async function inspectFolder(path: string, level: string | undefined): Promise<FolderReport> {
  const {
    plugin,
    path: root,
    ok,
    problems,
    components,
    notes,
    isolation,
  } = await inspectPlugin(pluginFolder(path), {
    agent: await findAgent('claude'),
    isolation: level,
  });
  return { plugin, path: root, ok, problems, components, notes, ...defined({ isolation: isolation?.level }) };
}
