import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type AgentDefinition,
  addRules,
  definedAgentNames as agentNames,
  CliError,
  type ConfigPaths,
  configPaths,
  DEFAULT_MODEL,
  describeProblems,
  jsonComplaint,
  type LoadedPlugins,
  type LoadedSettings,
  loadSettings,
  mergeSettings,
  ownAgents,
  type PermissionRules,
  readAgentDefinitions,
  rulesOfSettings,
  type SettingsFile,
} from '@understudy/agents';
import { defined, isObject, type JsonObject, parseJson, readIfThere } from '@understudy/kit';
import type { ScenarioDocument } from '@understudy/script';
import { writeOut } from '../shared/write-out.js';
import { checkFormats, checkSessionFlags, checkSources } from './cli/check-options.js';
import { type Options, readSystemPrompt } from './cli/options.js';
import { readMcpFlags } from './mcp/config.js';
import { findStoredSession, type StoredSession, sessionExists } from './session/session-store.js';
import { complainOfTrust, isTrusted } from './session/trust.js';

/** What a session is made of, once the command line and the settings are found to be sound. */
export interface CheckedStart {
  paths: ConfigPaths;
  projectDir: string;
  loaded: LoadedSettings;
  settings: JsonObject;
  rules: PermissionRules;
  plugins: LoadedPlugins;
  agents: AgentDefinition[];
  /** The session that goes on. */
  stored: StoredSession | undefined;
}

/**
 * Checks the command line and the settings. Problems are reported in the order of the real CLI, because
 * the first error is the only one that is seen.
 */
export async function checkStart(
  options: Options,
  env: NodeJS.ProcessEnv,
  cwd: string,
  document: ScenarioDocument,
): Promise<CheckedStart> {
  const paths = configPaths(env);
  const projectDir = document.project_path ?? cwd;
  const loaded = loadSettings({ cwd, paths, flags: options.settings, ...defined({ sources: options.settingSources }) });
  checkSources(options);
  checkSessionFlags(options);
  checkSessionId(options, paths, projectDir);
  const own = await customAgents(options, cwd);
  Object.assign(options, defined({ systemPrompt: readSystemPrompt(options) }));
  readMcpFlags(options, cwd);
  const rules = collectRules(options, loaded.files, { cwd, paths, trusted: document.trusted });
  checkFormats(options);
  const settings = mergeSettings(loaded.files);
  const plugins = await loadPlugins(options, cwd);
  const agents = [
    ...own,
    ...projectAgents(options, paths, cwd, document.trusted),
    ...(options.bare ? [] : plugins.plugins.flatMap((plugin) => plugin.agents)),
  ].filter(({ name }, index, all) => all.findIndex((first) => first.name === name) === index);
  checkAgent(options, agents);
  // A program that reads data gets no warning.
  if (options.outputFormat === 'text') writeOut(2, describeProblems(loaded));
  const stored = findStoredSession(options, paths, projectDir);
  return { paths, projectDir, loaded, settings, rules, plugins, agents, stored };
}

/** The model, unless the command line or an earlier process says another. */
export function configuredModel({ model }: JsonObject, document: ScenarioDocument): string {
  return (typeof model === 'string' ? model : undefined) ?? document.default_model ?? DEFAULT_MODEL;
}

/** The model that the environment names, before settings and what an earlier process has used. */
export function modelOfEnvironment({ ANTHROPIC_MODEL: model }: NodeJS.ProcessEnv): string | undefined {
  return model === '' ? undefined : model;
}

function checkSessionId({ sessionId }: Options, paths: ConfigPaths, projectDir: string): void {
  if (sessionId !== undefined && sessionExists(sessionId, paths, projectDir))
    throw new CliError(`Error: Session ID ${sessionId} is already in use.`);
}

async function loadPlugins({ pluginDirs }: Options, cwd: string): Promise<LoadedPlugins> {
  if (pluginDirs.length === 0) return { plugins: [], problems: [], warnings: [] };
  const { loadPlugins: load } = await import('@understudy/agents');
  return load(pluginDirs, cwd);
}

/** The folders of project and user, as far as `--setting-sources` wants them. */
export function ownFolders(
  { settingSources }: Options,
  paths: ConfigPaths,
  cwd: string,
): { root: string; source: 'project' | 'user' }[] {
  const folders = [
    { root: join(cwd, '.claude'), source: 'project' as const },
    { root: paths.dir, source: 'user' as const },
  ];
  return folders.filter(({ source }) => settingSources?.includes(source) ?? true);
}

function projectAgents(options: Options, paths: ConfigPaths, cwd: string, trusted?: boolean): AgentDefinition[] {
  const roots = ownFolders(options, paths, cwd).filter(({ root }) => existsSync(join(root, 'agents')));
  const originOf = (source: 'project' | 'user') =>
    source === 'project' && !(trusted ?? isTrusted(paths, cwd)) ? ('untrusted' as const) : ('own' as const);
  const found = roots.flatMap(({ root, source }) => ownAgents(root, originOf(source)));
  // The project's comes before one of the user that has the same name.
  return found.filter(({ name }, at) => found.findIndex((one) => one.name === name) === at);
}

/** All permission rules. The allow rules of an untrusted project do not count. */
function collectRules(
  options: Options,
  files: readonly SettingsFile[],
  at: { cwd: string; paths: ConfigPaths; trusted: boolean | undefined },
): PermissionRules {
  const { cwd, paths } = at;
  const rules = rulesOfSettings(files);
  const fromProject = rules.allow.filter(({ source }) => source === 'projectSettings' || source === 'localSettings');
  if (fromProject.length > 0 && !(at.trusted ?? isTrusted(paths, cwd))) {
    rules.allow = rules.allow.filter((rule) => !fromProject.includes(rule));
    for (const [source, file] of [
      ['projectSettings', 'settings.json'],
      ['localSettings', 'settings.local.json'],
    ] as const) {
      const ignored = fromProject.filter((rule) => rule.source === source).length;
      if (ignored === 0) continue;
      complainOfTrust(ignored, file, paths, cwd);
    }
  }
  addRules(rules.allow, options.allowedTools, 'cliArg', cwd);
  addRules(rules.deny, options.disallowedTools, 'cliArg', cwd);
  return rules;
}

async function customAgents({ agents }: Options, cwd: string): Promise<AgentDefinition[]> {
  if (agents === undefined) return [];
  const { agentProblems } = await import('@understudy/agents');
  const isJson = /^\s*[{[]/.test(agents);
  const file = resolve(cwd, agents);
  const text = isJson ? agents : readIfThere(file);
  if (text === undefined) {
    throw new CliError(
      `Error: --agents file not found: ${file} (a value that is not a JSON object is read as a file path)`,
    );
  }
  const parsed = parseJson(text);
  const problems = parsed === undefined ? [`invalid JSON: ${jsonComplaint(text)}`] : agentProblems(parsed);
  if (problems.length > 0) throw new CliError(`Error: Invalid --agents configuration:\n${problems.join('\n')}`);
  return isObject(parsed) ? readAgentDefinitions(parsed) : [];
}

function checkAgent({ agent, inputFormat }: Options, agents: readonly AgentDefinition[]): void {
  const names = agentNames(agents);
  // A host may hand it over later; one that never comes is nobody.
  if (agent === undefined || agent === '' || names.includes(agent) || inputFormat === 'stream-json') return;
  throw new CliError(`--agent '${agent}' not found. Available agents: ${names.join(', ')}`);
}
