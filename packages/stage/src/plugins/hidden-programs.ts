import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { executablesOnPath } from '@understudy/kit';
import { hiddenPath, missedPath, notVisible, VISIBLE_FIX } from '../isolation/not-visible.js';
import { isFetched, isForNetwork } from './compare-servers.js';
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
    if (server !== undefined && isFetched(server.how))
      return { ...component, reason: `${reason}; ${notVisible(NETWORK)}` };
    if (component.kind !== 'hook' || !isFetched(component.name) || !isForNetwork(reason)) return component;
    return { ...component, reason: `${reason}; ${notVisible(NETWORK)}`, fix: FETCHED_FIX };
  };
  return withComponents(report, report.components.map(explained));
}

/** A command with the folder that its variables stand for. */
function inFolder(root: string, command: string): string {
  return command.replace(/["']?\$\{?CLAUDE_(?:PLUGIN_ROOT|PROJECT_DIR)\}?["']?/g, root);
}

/** A hook or server that runs what a sandbox does not show, and what that is. */
export interface HiddenProgram {
  component: DeclaredHook | DeclaredServer;
  what: string;
}

/** What a sandbox will not show of what hooks and servers run: reported before anything is started. */
export function hiddenPrograms(
  { root, components }: DeclaredPlugin,
  { hidden, shown }: { hidden: readonly string[]; shown: readonly string[] },
): HiddenProgram[] {
  if (hidden.length === 0) return [];
  return components.flatMap((component) => {
    const command =
      component.kind === 'hook' ? component.text : component.kind === 'server' ? component.how : undefined;
    if (command === undefined || 'names' in component) return [];
    const path = hiddenPath(inFolder(root, command), { hidden, shown: [root, ...shown] });
    const what = path ?? (isAbsent(command, root) ? NETWORK : undefined);
    return what === undefined ? [] : [{ component, what }];
  });
}

const NETWORK = 'the network, from which it is fetched';

/** Whether a command fetches what it runs, and that is not there yet: in the plugin, or on PATH. */
function isAbsent(command: string, root: string): boolean {
  if (!isFetched(command)) return false;
  const [, ...words] = command.split(/\s+/);
  const [name = ''] = words.filter((word) => !/^(?:-|exec$|x$|dlx$|run$|tool$)/.test(word));
  const program = name.replace(/(?<=.)@.*$/, '').replace(/^@[^/]*\//, '');
  return !existsSync(join(root, 'node_modules', '.bin', program)) && !isOnPath(program);
}

function isOnPath(program: string): boolean {
  return program !== '' && executablesOnPath(program, process.env).length > 0;
}

const FETCHED_FIX =
  'Install what it runs beforehand and call it by its path, so that it starts without the network, or use `--isolation none`.';

function mayBeHidden({ kind, status }: ComponentReport): boolean {
  return status === 'failed' && (kind === 'server' || kind === 'hook');
}
