import { basename, join } from 'node:path';
import { type FoundAgent, inlineId, pluginFolder } from '@understudy/agents';
import { createScratch, defined, UnderstudyError } from '@understudy/kit';
import { copyFolder } from '../workspace/copy-folder.js';
import { compareHooks } from './compare-hooks.js';
import { compareServers } from './compare-servers.js';
import { compareTexts } from './compare-texts.js';
import type { DeclaredPlugin, Issue } from './declared/component.js';
import { readPlugin } from './declared/plugin.js';
import { readProject } from './declared/project.js';
import { namingHidden } from './hidden-programs.js';
import { type LookIsolation, stateOf, TRIED_FIX } from './loaded/isolate.js';
import { type LoadedState, readLoadedState } from './loaded/loaded-state.js';
import { type ComponentReport, countComponents, type PluginReport, withComponents } from './report.js';
import { reportFiles } from './report-files.js';

export interface InspectOptions extends LookIsolation {
  /** The Claude Code that is asked. */
  agent: FoundAgent;
  /** How long MCP servers may take to connect. */
  serverMs?: number;
  /**
   * Fetch plugins whose source is outside this machine, and let hooks and servers use the network. Otherwise such plugins
   * are not judged.
   */
  allowNetwork?: boolean | undefined;
}

/** Loads a plugin into the real CLI and reports what came up and what did not. */
export async function inspectPlugin(path: string, options: InspectOptions): Promise<PluginReport> {
  const [report] = await inspectTogether([path], options);
  if (report === undefined) throw new UnderstudyError('PLUGINS_NOT_REPORTED', `there is no report about ${path}`);
  return report;
}

/** A start of the CLI keeps more than one core busy: more looks at once do not end sooner. */
const LOOKS_AT_ONCE = 2;

/** Looks at several plugins, each alone, two at a time; the reports are in the order of the paths. */
export async function inspectEach<Report>(
  paths: readonly string[],
  look: (path: string) => Promise<Report>,
): Promise<Report[]> {
  const reports: Report[] = [];
  const waiting = [...paths.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      reports[next[0]] = await look(next[1]);
    }
  };
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, work));
  return reports;
}

/** Loads several plugins into one session, as a user has them side by side, and reports each. */
export async function inspectTogether(paths: readonly string[], options: InspectOptions): Promise<PluginReport[]> {
  const roots = paths.map(pluginFolder);
  const scratch = createScratch('plugin');
  try {
    const state = await readLoadedState({ ...options, home: scratch.path, plugins: roots });
    return roots.map((root) => reportPlugin(readPlugin(root), state));
  } finally {
    await scratch.remove();
  }
}

/** Judges what a project declares: the CLI is asked in a copy of it, where its hooks and servers run. */
export async function inspectProject(path: string, options: InspectOptions): Promise<PluginReport> {
  const root = pluginFolder(path);
  const scratch = createScratch('project');
  try {
    const cwd = join(scratch.path, 'project');
    copyFolder(root, cwd);
    const declared = readProject(cwd);
    if (declared === undefined) throw new UnderstudyError('PLUGINS_NOT_REPORTED', `there is no .claude in ${path}`);
    const state = await readLoadedState({ ...options, home: join(scratch.path, 'home'), cwd });
    const files = reportFiles(declared);
    const texts = files.components.filter(({ kind }) => kind !== 'hook' && kind !== 'server');
    const components = [...texts, ...compareHooks(declared, state), ...compareServers(declared, state)];
    const attempt = attemptIssue(declared, state);
    const problems = [...files.problems, ...(attempt === undefined ? [] : [attempt])];
    const around = state.isolation === undefined ? {} : { isolation: stateOf(state.isolation) };
    const seen = {
      ...files,
      ...around,
      plugin: basename(root),
      path: root,
      agent: `claude@${state.version}`,
      problems,
    };
    return namingHidden(withComponents(seen, components), declared, state.isolation);
  } finally {
    await scratch.remove();
  }
}

/** Holds a plugin's files against what the CLI loaded; `listed` are the errors of its `plugin list`. */
export function reportPlugin(
  declared: DeclaredPlugin,
  state: LoadedState,
  listed: readonly string[] = [],
): PluginReport {
  const plugin = state.plugins.find(({ name, path }) => path === declared.root || name === declared.name);
  const told = state.errors.filter((error) => concerns(error, declared, state)).map(({ message }) => message);
  const components =
    plugin === undefined
      ? failedComponents(declared)
      : [...compareTexts(declared, state), ...compareHooks(declared, state), ...compareServers(declared, state)];
  const problems = [
    ...[...new Set([...told, ...listed])].map(errorIssue),
    ...declared.issues.filter((issue) => isNews(issue, plugin)),
  ];
  if (plugin === undefined && problems.length === 0 && declared.components.length === 0) {
    problems.push({
      reason: 'the folder has nothing of a plugin, so the CLI did not load it',
      fix: 'Give the folder that holds .claude-plugin, or the marketplace whose entry describes the plugin.',
    });
  } else if (plugin === undefined && problems.length === 0) {
    problems.push({
      reason: 'the CLI did not load the plugin, and gave no reason',
      fix: 'Run claude plugin validate.',
    });
  }
  const attempt = attemptIssue(declared, state);
  if (attempt !== undefined) problems.push(attempt);
  const report: PluginReport = {
    plugin: declared.name,
    path: declared.root,
    ...defined({ version: plugin?.version }),
    agent: `claude@${state.version}`,
    ...(state.isolation === undefined ? {} : { isolation: stateOf(state.isolation) }),
    ok: plugin !== undefined && problems.length === 0 && components.every(({ status }) => status === 'loaded'),
    loaded: plugin !== undefined,
    problems,
    components,
    counts: countComponents(components),
    notes: declared.notes,
    notCompared: declared.notCompared,
  };
  return namingHidden(report, declared, state.isolation);
}

/** The kernel knows what was tried, and not by whom: the CLI itself, in a look without hooks and servers. */
function attemptIssue(declared: DeclaredPlugin, { tried = [], plugins }: LoadedState): Issue | undefined {
  if (tried.length === 0 || !declared.components.some(({ kind }) => kind === 'hook' || kind === 'server'))
    return undefined;
  const isAlone = plugins.every(({ path }) => path === declared.root || path === 'builtin');
  const who = isAlone ? 'one of its hooks or servers' : 'one of the plugins in this look';
  return { reason: `${who} tried to reach what it must not: ${tried.join('; ')}`, fix: TRIED_FIX };
}

/**
 * The CLI names the plugin of an error in several ways: one that it loaded for the look by its folder or its manifest,
 * one that did not load by its place in the list.
 */
function concerns({ plugin }: LoadedState['errors'][number], declared: DeclaredPlugin, state: LoadedState): boolean {
  if (plugin.split('@')[0] === declared.name) return true;
  const place = state.folders.indexOf(declared.root);
  return place !== -1 && [`inline[${place}]`, inlineId(basename(declared.root))].includes(plugin);
}

function errorIssue(message: string): Issue {
  return { reason: message, fix: fixFor(message) };
}

function fixFor(message: string): string {
  if (/^Path not found/.test(message)) return 'Write that file, or remove it from the manifest.';
  if (/manifest file/.test(message)) return 'Correct .claude-plugin/plugin.json.';
  if (/hook/i.test(message)) return 'Correct the hooks file. Until then none of its hooks runs.';
  return 'Correct it, and run the check again.';
}

/** The CLI describes a broken manifest itself; ours would repeat it. */
function isNews(issue: Issue, plugin: unknown): boolean {
  return plugin !== undefined || !issue.reason.startsWith('.claude-plugin/plugin.json');
}

/** When a plugin did not load, nothing of it did; what is wrong with a part may be the cause. */
export function failedComponents({ name: plugin, components }: DeclaredPlugin): ComponentReport[] {
  return components.map((component) => {
    const own = component.issue ?? ('defect' in component ? component.defect : undefined);
    const issue = own ?? { reason: 'its plugin did not load', fix: 'Correct the problems of the plugin first.' };
    const base = { kind: component.kind, file: component.file, status: 'failed' as const, warnings: [], ...issue };
    if (component.kind === 'hook') {
      return { ...base, name: component.text, event: component.event, matcher: component.matcher };
    }
    return { ...base, name: `${plugin}:${component.kind === 'server' ? component.name : component.names[0]}` };
  });
}
