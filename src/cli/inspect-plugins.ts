import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findAgent, loadsPlugins, pluginFolder } from '@understudy/agents';
import { paint, shorten, UnderstudyError } from '@understudy/kit';
import {
  type ComponentKind,
  type ComponentReport,
  componentKinds,
  fireInto,
  type InspectOptions,
  inspectEach,
  inspectMarketplace,
  inspectPlugin,
  inspectProject,
  isMarketplace,
  isPlugin,
  type PluginReport,
  readMarketplace,
  readPlugin,
  readProject,
  sourceFolder,
} from '@understudy/stage';
import { describeIsolation, type Finding } from '@understudy/verdict';
import { chosenIsolation } from './chosen-isolation.js';
import { findingsReporters, showFindings } from './findings.js';
import { print } from './output.js';

const TITLES: Record<ComponentKind, string> = {
  command: 'Commands',
  agent: 'Agents',
  skill: 'Skills',
  workflow: 'Workflows',
  hook: 'Hooks',
  server: 'MCP servers',
};

export interface InspectPluginsOptions {
  agent: string;
  json?: boolean;
  reporter?: string;
  strict?: boolean;
  fire?: boolean;
  allowNetwork?: boolean;
  isolation?: string;
}

/** Loads plugins, or all plugins of a marketplace, and prints what loaded. */
export async function inspectPlugins(
  paths: readonly string[],
  { agent: spec, json, reporter, strict, fire, allowNetwork, isolation }: InspectPluginsOptions,
): Promise<number> {
  const reporters = findingsReporters(reporter, json);
  const folders = paths.map(pluginFolder);
  const agent = await findAgent(spec);
  if (!loadsPlugins(agent.agent)) {
    throw new UnderstudyError('PLUGIN_WRONG_AGENT', `only Claude Code has plugins, and ${spec} is another agent`, {
      fix: 'Use --agent claude, or claude@VERSION.',
    });
  }
  const state = await chosenIsolation(isolation);
  if (reporters.some(({ name }) => name === 'list')) print(describeIsolation(state));
  const looks = await inspectEach(folders, async (folder) => {
    const options = { agent, allowNetwork, isolation };
    const seen = await inspectAll(folder, options);
    return fire === true ? Promise.all(seen.map((report) => fireInto(report, options))) : seen;
  });
  const reports = looks.flat();
  const passed = reports.every((report) => report.ok && !(strict === true && hasWarnings(report)));
  showFindings(reporters, {
    list: () => reports.forEach(printReport),
    document: { ok: passed, isolation: state, plugins: reports },
    findings: () => reports.flatMap((report) => findingsOf(report, strict === true)),
  });
  return passed ? 0 : 1;
}

/** A folder can be a plugin and a marketplace at once. */
async function inspectAll(folder: string, options: InspectOptions): Promise<PluginReport[]> {
  if (!isMarketplace(folder))
    return [await (isOnlyProject(folder) ? inspectProject(folder, options) : inspectPlugin(folder, options))];
  const { plugins } = readMarketplace(folder);
  const isAlone = isPlugin(folder) && !plugins.some((entry) => sourceFolder(folder, entry) === folder);
  return [...(isAlone ? [await inspectPlugin(folder, options)] : []), ...(await inspectMarketplace(folder, options))];
}

/** A project has nothing of a plugin but, perhaps, servers: those of both stand in one place. */
function isOnlyProject(folder: string): boolean {
  if (isPlugin(folder) || readProject(folder) === undefined) return false;
  return readPlugin(folder).components.every(({ kind }) => kind === 'server');
}

function hasWarnings({ components }: PluginReport): boolean {
  return components.some(({ warnings }) => warnings.length > 0);
}

/** Each problem at the file that declares it; what is wrong with the whole stands at its manifest, or at its folder. */
function findingsOf({ path, problems, unjudged, components }: PluginReport, strict: boolean): Finding[] {
  const manifest = [join(path, '.claude-plugin/plugin.json'), path].find((file) => existsSync(file)) ?? path;
  const level = strict ? 'error' : 'warning';
  return [
    ...problems.map(
      ({ reason, fix }): Finding => ({ rule: 'plugin', level: 'error', message: reason, fix, file: manifest }),
    ),
    ...(unjudged === undefined
      ? []
      : [{ rule: 'not-judged', level: 'error' as const, message: unjudged.reason, fix: unjudged.fix, file: manifest }]),
    ...components.flatMap(({ kind, name, file, reason, fix, warnings }): Finding[] => {
      const at = file === undefined ? manifest : join(path, file);
      const failed =
        reason === undefined
          ? []
          : [{ rule: kind, level: 'error' as const, message: `${name}: ${reason}`, fix, file: at }];
      return [
        ...failed,
        ...warnings.map((warning) => ({ rule: kind, level, message: `${name}: ${warning}`, file: at }) as const),
      ];
    }),
  ];
}

function printReport(report: PluginReport): void {
  const { plugin, version, agent, path, ok, problems, components, notes, notCompared, unjudged } = report;
  const title = paint.bold(version === undefined ? plugin : `${plugin} ${version}`);
  print(`${unjudged === undefined ? mark(ok) : paint.red('?')} ${title} ${paint.dim(`${path} · ${agent}`)}`);
  if (unjudged !== undefined) printProblem('  ', `not judged: ${unjudged.reason}`, unjudged.fix);
  for (const { reason, fix } of problems) printProblem('  ', reason, fix);
  for (const kind of componentKinds) {
    const own = components.filter((component) => component.kind === kind);
    if (own.length === 0) continue;
    const { loaded, failed } = report.counts[kind];
    print(
      `\n  ${paint.bold(TITLES[kind])} ${paint.dim(`${loaded} loaded${failed === 0 ? '' : `, ${failed} failed`}`)}`,
    );
    for (const component of own) printComponent(component);
  }
  if (components.length === 0 && problems.length === 0 && unjudged === undefined)
    print('  it declares no command, agent, skill, hook or MCP server');
  for (const note of notes) print(`\n  ${paint.yellow('!')} ${note}`);
  if (notCompared.length > 0) print(`\n  ${paint.yellow('!')} not compared: ${notCompared.join(', ')}`);
  print();
}

function printComponent({ kind, name, status, file, event, matcher, reason, fix, warnings }: ComponentReport): void {
  const shown = kind === 'command' ? `/${name}` : kind === 'hook' ? hookTitle(event, matcher, name) : name;
  print(`  ${mark(status === 'loaded')} ${shown}${file === undefined ? '' : paint.dim(`  ${file}`)}`);
  if (reason !== undefined) printProblem('    ', reason, fix);
  for (const warning of warnings) print(`    ${paint.yellow('!')} ${warning}`);
}

function hookTitle(event = '', matcher = '', command = ''): string {
  const line = command.replace(/\s+/g, ' ');
  return `${event}${matcher === '' ? '' : ` (${matcher})`}: ${shorten(line, 80)}`;
}

function printProblem(indent: string, reason: string, fix: string | undefined): void {
  print(`${indent}${paint.red(reason)}`);
  if (fix !== undefined) print(`${indent}${paint.green('fix')}: ${fix}`);
}

function mark(ok: boolean): string {
  return ok ? paint.green('✓') : paint.red('✗');
}
