import { existsSync } from 'node:fs';
import { readPlugin } from './declared/plugin.js';
import { type ComponentReport, type PluginReport, withComponents } from './report.js';

/** What a sandbox hides, and what of it a command may change. */
interface Around {
  hidden: readonly string[];
  writable?: readonly string[];
}

/** A sandbox shows nothing of homes and temporary folders but what is needed; a server may be there, for all we see. */
export function namingHiddenServers(report: PluginReport, isolation: Around | undefined): PluginReport {
  if (isolation === undefined || !report.components.some(isFailedServer)) return report;
  const shown = [report.path, ...(isolation.writable ?? [])];
  const isIn = (path: string) => (folder: string) => path === folder || path.startsWith(`${folder}/`);
  const isHidden = (path: string) => isolation.hidden.some(isIn(path)) && !shown.some(isIn(path));
  const commands = new Map(
    readPlugin(report.path).components.flatMap((component) =>
      component.kind === 'server' ? [[component.name, component.how ?? '']] : [],
    ),
  );
  const explained = (component: ComponentReport): ComponentReport => {
    const command = commands.get(component.name.split(':').at(-1) ?? '') ?? '';
    const path = [...command.matchAll(/(?<=^|[\s"'=])\/[^\s"']+/g)].map(([found]) => found).find(isHidden);
    if (!isFailedServer(component) || path === undefined || !existsSync(path)) return component;
    return {
      ...component,
      reason: `${component.reason ?? 'it did not start'}; ${path} is not shown in the sandbox`,
      fix: 'Put the server into the plugin or the project or on PATH, or use `--isolation none`.',
    };
  };
  return withComponents(report, report.components.map(explained));
}

function isFailedServer({ kind, status }: ComponentReport): boolean {
  return kind === 'server' && status === 'failed';
}
