import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type AgentDefinition,
  agentNames,
  agentProblems,
  loadAgents,
  readAgentDefinitions,
} from '../../claude-code/agent-definitions.js';
import { CLAUDE_VERSION } from '../../claude-code/built-in.js';
import { CliError } from '../../claude-code/cli-error.js';
import { type ConfigPaths, configPaths, transcriptPath } from '../../claude-code/config-paths.js';
import { hookText } from '../../claude-code/hooks/attachments.js';
import type { Hook } from '../../claude-code/hooks/hook.js';
import { jsonComplaint } from '../../claude-code/json-complaint.js';
import { DEFAULT_MODEL, isKnownModel, resolveModel } from '../../claude-code/models.js';
import type { PermissionMode } from '../../claude-code/permissions/decision.js';
import { addRules, type PermissionRules, rulesOfSettings } from '../../claude-code/permissions/rules.js';
import type { LoadedPlugins } from '../../claude-code/plugins/load.js';
import { describeProblems, loadSettings, mergeSettings, type SettingsFile } from '../../claude-code/settings.js';
import type { CommandDefinition } from '../../claude-code/slash-commands.js';
import { defined } from '../../document/defined.js';
import { isObject, isStringList, type JsonObject, parseJson, readIfThere } from '../../document/json.js';
import type { Scenario } from '../../scenario/load.js';
import { Script } from '../../scenario/script.js';
import { callNumber, playFor } from '../shared/play-store.js';
import { RequestLog } from '../shared/request-log.js';
import { stopTime } from '../shared/stopwatch.js';
import { writeOut } from '../shared/write-out.js';
import type { Options } from './cli/options.js';
import { createOutput } from './output/formats.js';
import { seedIds, uuid } from './output/ids.js';
import { Clock } from './session/clock.js';
import { gitBranch } from './session/git-branch.js';
import { Session } from './session/session.js';
import { findStoredSession, type StoredSession, sessionExists } from './session/session-store.js';
import { STATE_LINE, Transcript } from './session/transcript.js';

export interface StartRequest {
  options: Options;
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  scenario: Scenario;
}

/** Builds a session from the command line, the scenario, the settings and, when it is resumed, its transcript. */
export async function startSession({ options, argv, env, cwd, scenario }: StartRequest): Promise<Session> {
  const { document } = scenario;
  const paths = configPaths(env);
  const projectDir = document.project_path ?? cwd;
  checkSessionId(options, paths, projectDir);
  const loaded = loadSettings({
    cwd,
    paths,
    flags: options.settings,
    ...defined({ sources: options.settingSources }),
  });
  const rules = collectRules(options, loaded.files, { cwd, paths, trusted: document.trusted });
  const stored = findStoredSession(options, paths, projectDir);
  const fixedId = options.sessionId ?? document.session_id;
  if (document.launch_timestamp !== undefined && fixedId !== undefined) {
    // Each process of a session has ids of its own.
    seedIds(`${fixedId} ${stored?.lines.length ?? 0}`);
    stopTime();
  }
  const sessionId = chooseId(options, stored, document.session_id);
  // A program that reads data is not told.
  const told = options.outputFormat === 'text';
  if (told && hasUnusualRule(rules)) {
    const { ruleWarnings } = await import('../../claude-code/permissions/warnings.js');
    for (const warning of ruleWarnings(rules, loaded.files, cwd)) writeOut(2, `${warning}\n`);
  }
  if (told) writeOut(2, describeProblems(loaded));
  const settings = mergeSettings(loaded.files);
  const plugins = await loadPlugins(options, cwd);
  const agents = [
    ...customAgents(options, cwd),
    ...projectAgents(options, paths, cwd),
    ...plugins.plugins.flatMap((plugin) => plugin.agents),
  ];
  checkAgent(options, agents);
  const model = resolveModel(
    options.model ?? stored?.model ?? textOf(settings['model']) ?? document.default_model ?? DEFAULT_MODEL,
  );
  warnOfModel(options, model);
  const version = options.claudeVersion ?? document.claude_version ?? CLAUDE_VERSION;
  const path =
    stored !== undefined && stored.id === sessionId ? stored.path : transcriptPath(paths, projectDir, sessionId);
  const entrypoint = env['CLAUDE_CODE_ENTRYPOINT'] ?? 'sdk-cli';
  const context = { sessionId, cwd, version, entrypoint, gitBranch: options.persist ? gitBranch(cwd) : 'HEAD' };
  const transcript = new Transcript(path, context, options.persist);
  const script = new Script(scenario, { call: callNumber(env) });
  const session = new Session({
    options,
    argv,
    env,
    cwd,
    projectDir,
    paths,
    clock: new Clock(document.launch_timestamp),
    version,
    script,
    play: playFor(script, env, stored?.play),
    output: createOutput(options.outputFormat, options.verbose),
    log: new RequestLog(env['UNDERSTUDY_LOG']),
    transcript,
    settingsFiles: loaded.files,
    settings,
    hooks: [...(await settingsHooks(options, loaded.files)), ...plugins.plugins.flatMap(({ hooks }) => hooks)],
    rules,
    directories: [cwd, ...directories(options, settings).map((directory) => resolve(cwd, directory))],
    plugins: plugins.plugins,
    pluginProblems: plugins.problems,
    commands: [...(await projectCommands(options, paths, cwd)), ...plugins.plugins.flatMap(({ commands }) => commands)],
    agents,
    model,
    mode: chooseMode(options, settings, document.permission_mode),
    prompts: stored?.prompts ?? 0,
    source: stored === undefined ? 'startup' : options.forkSession ? 'fork' : 'resume',
  });
  if (stored !== undefined) restoreSession(session, stored);
  const title = stored?.lines.findLast(({ type }) => type === 'custom-title')?.['customTitle'];
  session.title = options.name ?? (typeof title === 'string' ? title : undefined);
  if (options.name !== undefined) {
    transcript.addLines(
      { type: 'custom-title', customTitle: options.name },
      { type: 'agent-name', agentName: options.name },
    );
  }
  return session;
}

function chooseId(options: Options, stored: StoredSession | undefined, scripted: string | undefined): string {
  if (stored !== undefined && !options.forkSession) return stored.id;
  if (options.sessionId === undefined) return stored === undefined ? (scripted ?? uuid()) : uuid();
  return options.sessionId;
}

function checkSessionId({ sessionId, persist }: Options, paths: ConfigPaths, projectDir: string): void {
  if (sessionId !== undefined && persist && sessionExists(sessionId, paths, projectDir))
    throw new CliError(`Error: Session ID ${sessionId} is already in use.`);
}

/** The lines that a fork copies. */
const INHERITED: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'attachment', STATE_LINE]);

/** Restores the state of an earlier process. A fork copies its lines. */
function restoreSession(session: Session, stored: StoredSession): void {
  session.tally.restore(stored.modelUsage);
  session.transcript.leaf = stored.leaf;
  const last = stored.lines.findLast(({ type }) => type === 'last-prompt')?.['lastPrompt'];
  if (typeof last === 'string') session.lastPrompt = last;
  for (const text of attachedTexts(stored.lines)) session.known.add(text);
  if (stored.id === session.id) return;
  session.transcript.inherit(stored.lines.filter(({ type }) => INHERITED.has(String(type))));
}

/** What the model was told beside the conversation: it is not told again. */
function attachedTexts(lines: readonly JsonObject[]): string[] {
  return lines.flatMap(({ attachment }) => {
    if (!isObject(attachment)) return [];
    const { type, content, addedLines, hookEvent } = attachment;
    const listed = type === 'skill_listing' ? String(content).split(/\n(?=- )/) : [];
    const agents = Array.isArray(addedLines) ? addedLines.map(String) : [];
    const said = hookEvent === 'SessionStart' ? [hookText(attachment)] : [];
    return [...listed, ...agents, ...said];
  });
}

async function loadPlugins({ pluginDirs }: Options, cwd: string): Promise<LoadedPlugins> {
  if (pluginDirs.length === 0) return { plugins: [], problems: [] };
  const plugins = await import('../../claude-code/plugins/load.js');
  return plugins.loadPlugins(pluginDirs, cwd);
}

async function settingsHooks({ bare }: Options, files: readonly SettingsFile[]): Promise<Hook[]> {
  if (bare || files.some(({ settings }) => settings['disableAllHooks'] === true)) return [];
  if (!files.some(({ settings }) => settings['hooks'] !== undefined)) return [];
  const { hooksOfSettings } = await import('../../claude-code/hooks/load.js');
  const { hooks, ignored } = hooksOfSettings(files);
  const { FIRED_EVENTS } = await import('./hooks/fired-events.js');
  const never = [...new Set(hooks.map(({ event }) => event))].filter((event) => !FIRED_EVENTS.has(event));
  for (const event of never) ignored.push(`hooks for ${event}: the stand-in never fires that event`);
  for (const reason of ignored) writeOut(2, `understudy: ${reason}\n`);
  return hooks;
}

/** The folders of project and user, as far as `--setting-sources` wants them. */
function ownFolders(
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

async function projectCommands(options: Options, paths: ConfigPaths, cwd: string): Promise<CommandDefinition[]> {
  if (options.disableSlashCommands) return [];
  const found: CommandDefinition[] = [];
  for (const { root, source } of ownFolders(options, paths, cwd)) {
    if (!existsSync(join(root, 'commands')) && !existsSync(join(root, 'skills'))) continue;
    const { loadCommands } = await import('../../claude-code/slash-commands.js');
    found.push(...loadCommands(root, { source }));
  }
  return found;
}

function projectAgents(options: Options, paths: ConfigPaths, cwd: string): AgentDefinition[] {
  const roots = ownFolders(options, paths, cwd).filter(({ root }) => existsSync(join(root, 'agents')));
  return roots.flatMap(({ root }) => loadAgents(root));
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
      writeOut(
        2,
        `Ignoring ${ignored} permissions.allow ${ignored === 1 ? 'entry' : 'entries'} from .claude/${file}: this workspace has not been trusted. ` +
          `Run Claude Code interactively here once and accept the trust dialog, or set projects["${cwd}"].hasTrustDialogAccepted: true in ${paths.state}.\n`,
      );
    }
  }
  addRules(rules.allow, options.allowedTools, 'cliArg', cwd);
  addRules(rules.deny, options.disallowedTools, 'cliArg', cwd);
  return rules;
}

/** Most sessions have no rule that could be worth a warning. */
function hasUnusualRule({ allow, deny, ask }: PermissionRules): boolean {
  return deny.length > 0 || ask.length > 0 || allow.some(({ text }) => text.includes('('));
}

function isTrusted(paths: ConfigPaths, cwd: string): boolean {
  const state = parseJson(readIfThere(paths.state) ?? '');
  const projects = isObject(state) ? state['projects'] : undefined;
  const project = isObject(projects) ? (projects[cwd] ?? projects[realpathSync(cwd)]) : undefined;
  return isObject(project) && project['hasTrustDialogAccepted'] === true;
}

function chooseMode(options: Options, settings: JsonObject, scripted: PermissionMode | undefined): PermissionMode {
  if (options.skipPermissions) return 'bypassPermissions';
  const { permissions } = settings;
  const configured = isObject(permissions) ? textOf(permissions['defaultMode']) : undefined;
  return (options.permissionMode ?? configured ?? scripted ?? 'default') as PermissionMode;
}

function directories({ addDirs }: Options, { permissions }: JsonObject): string[] {
  const more = isObject(permissions) ? permissions['additionalDirectories'] : undefined;
  return [...addDirs, ...(isStringList(more) ? more : [])];
}

function customAgents({ agents }: Options, cwd: string): AgentDefinition[] {
  if (agents === undefined) return [];
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

function checkAgent({ agent }: Options, agents: readonly AgentDefinition[]): void {
  const names = agentNames(agents);
  if (agent === undefined || agent === '' || names.includes(agent)) return;
  throw new CliError(`--agent '${agent}' not found. Available agents: ${names.join(', ')}`);
}

/** What the real CLI says about a model that it does not know. */
function warnOfModel({ outputFormat }: Options, model: string): void {
  if (isKnownModel(model)) return;
  if (outputFormat === 'text' && model !== '') {
    writeOut(
      2,
      `Claude Code doesn't recognize the model "${model}", so it assumes a context window of 1m tokens. Update Claude Code, or see ` +
        'https://code.claude.com/docs/en/model-config#correct-the-window-for-a-gateway-or-custom-model-id to set the window.\n',
    );
  }
  writeOut(2, `[claude-code:unrecognized_model] ${JSON.stringify({ model, query_source: 'sdk' })}\n`);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
