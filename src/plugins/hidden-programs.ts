import { hiddenPath, missedPath, notVisible, VISIBLE_FIX } from '../isolation/not-visible.js';
import { isFetched } from './compare-servers.js';
import type { DeclaredHook, DeclaredPlugin, DeclaredServer } from './declared/component.js';
import { type ComponentReport, type PluginReport, withComponents } from './report.js';

/** What a sandbox hides, and what of it a command may change. */
interface Around {
  hidden: readonly string[];
  writable?: readonly string[];
}

/** A sandbox shows nothing of homes and temporary folders but what is needed: says so where a hook or server failed for that. */
export function namingHidden(
  report: PluginReport,
  { root, components }: Pick<DeclaredPlugin, 'root' | 'components'>,
  isolation: Around | undefined,
): PluginReport {
  if (isolation === undefined || isolation.hidden.length === 0 || !report.components.some(mayBeHidden)) return report;
  const { hidden, writable = [] } = isolation;
  const servers = new Map(
    components.flatMap((component) => (component.kind === 'server' ? [[component.name, component] as const] : [])),
  );
  const explained = (component: ComponentReport): ComponentReport => {
    if (!mayBeHidden(component)) return component;
    const server = component.kind === 'server' ? servers.get(component.name.split(':').at(-1) ?? '') : undefined;
    const command = inFolder(root, server?.how ?? (component.kind === 'hook' ? component.name : ''));
    const { reason = 'it did not start' } = component;
    const path = missedPath(reason, hidden) ?? hiddenPath(command, { hidden, shown: [root, report.path, ...writable] });
    if (path !== undefined) return { ...component, reason: `${reason}; ${notVisible(path)}`, fix: VISIBLE_FIX };
    if (server === undefined || !isFetched(server)) return component;
    return { ...component, reason: `${reason}; ${notVisible('the network, from which it is fetched')}` };
  };
  return withComponents(report, report.components.map(explained));
}

/** A command with the folder that its variables stand for. */
function inFolder(root: string, command: string): string {
  return command.replace(/["']?\$\{?CLAUDE_(?:PLUGIN_ROOT|PROJECT_DIR)\}?["']?/g, root);
}

/** What a sandbox will not show of what hooks and servers run: told before anything is started. */
export function hiddenPrograms(
  { root, components }: DeclaredPlugin,
  { hidden, shown }: { hidden: readonly string[]; shown: readonly string[] },
): { component: DeclaredHook | DeclaredServer; path: string }[] {
  return components.flatMap((component) => {
    const command =
      component.kind === 'hook' ? component.text : component.kind === 'server' ? component.how : undefined;
    if (command === undefined || !('kind' in component) || 'names' in component) return [];
    const path = hiddenPath(inFolder(root, command), { hidden, shown: [root, ...shown] });
    return path === undefined ? [] : [{ component, path }];
  });
}

function mayBeHidden({ kind, status }: ComponentReport): boolean {
  return status === 'failed' && (kind === 'server' || kind === 'hook');
}
