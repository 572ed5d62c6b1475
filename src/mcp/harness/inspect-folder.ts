import { findAgent, pluginFolder } from '@understudy/agents';
import { defined } from '@understudy/kit';
import { inspectPlugin, type PluginReport } from '@understudy/stage';

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
