import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  type AgentDefinition,
  CLAUDE_VERSION,
  type CommandDefinition,
  type ConfigPaths,
  configuredMode,
  type Hook,
  hookEventFacts,
  type PermissionMode,
  type SettingsFile,
  transcriptPath,
} from '@understudy/agents';
import { isObject, isStringList, type JsonObject, parseJson, readIfThere } from '@understudy/kit';
import { type Scenario, Script } from '@understudy/script';
import { callNumber, playFor } from '../shared/play-store.js';
import { recordUnsupported } from '../shared/record-call.js';
import { RequestLog } from '../shared/request-log.js';
import { stopTime } from '../shared/stopwatch.js';
import { writeOut } from '../shared/write-out.js';
import { type CheckedStart, configuredModel, modelOfEnvironment, ownFolders } from './check-start.js';
import type { Options } from './cli/options.js';
import { createOutput } from './output/formats.js';
import type { Host } from './output/host.js';
import { seedIds, uuid } from './output/ids.js';
import { REFUSED } from './refused.js';
import { Clock } from './session/clock.js';
import { Session } from './session/session.js';
import type { StoredSession } from './session/session-store.js';
import { Transcript } from './session/transcript.js';
import type { UserMessage } from './session/user-message.js';

export interface StartRequest {
  options: Options;
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  scenario: Scenario;
  checked: CheckedStart;
  host?: Host & { waiting: readonly UserMessage[] };
}

/** Builds a session from the command line, the scenario, the settings and, when it is resumed, its transcript. */
export async function startSession({ host, ...request }: StartRequest): Promise<Session> {
  const { options, argv, env, cwd, scenario, checked } = request;
  const { document } = scenario;
  const { paths, projectDir, loaded, settings, rules, plugins, agents, stored } = checked;
  const fixedId = options.sessionId ?? document.session_id;
  if (document.launch_timestamp !== undefined && fixedId !== undefined) {
    // Each process of a session has ids of its own.
    seedIds(`${fixedId} ${stored?.lines.length ?? 0}`);
    stopTime();
  }
  const sessionId = chooseId(options, stored, document.session_id);
  const ofAgent = agents.find(({ name }) => name === (options.agent ?? settings['agent']));
  const model =
    options.model ?? ofAgent?.model ?? modelOfEnvironment(env) ?? stored?.model ?? configuredModel(settings, document);
  const version = options.claudeVersion ?? document.claude_version ?? CLAUDE_VERSION;
  const path =
    stored !== undefined && stored.id === sessionId ? stored.path : transcriptPath(paths, projectDir, sessionId);
  const entrypoint = env['CLAUDE_CODE_ENTRYPOINT'] ?? 'sdk-cli';
  const output = createOutput(options.outputFormat, options.verbose);
  const context = {
    ...{ sessionId, cwd, version, entrypoint, gitBranch: options.persist ? gitBranch(cwd) : 'HEAD' },
    mirror: options.sessionMirror
      ? (filePath: string, entries: JsonObject[]) => output.event({ type: 'transcript_mirror', filePath, entries })
      : undefined,
  };
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
    output,
    log: new RequestLog(env['UNDERSTUDY_LOG']),
    host,
    waiting: host?.waiting ?? [],
    transcript,
    settingsFiles: loaded.files,
    settings,
    hooks:
      options.bare || hooksAreOff(loaded.files)
        ? []
        : [
            ...(await settingsHooks(options, loaded.files)),
            ...plugins.plugins.flatMap(({ hooks }) => hooks),
            ...(await agentHooks(ofAgent)),
          ],
    rules,
    directories: [...new Set([cwd, ...directories(options, settings).map((directory) => resolve(cwd, directory))])],
    plugins: plugins.plugins,
    pluginProblems: plugins.problems,
    pluginWarnings: plugins.warnings,
    commands: await withFilledRules(
      [
        ...(await projectCommands(options, paths, cwd)),
        ...plugins.plugins.flatMap(({ commands }) => commands),
        ...plugins.plugins.flatMap(({ skills }) => skills),
      ],
      paths,
      cwd,
    ),
    agents,
    model,
    mode: chooseMode(options, settings, loaded.files, document.permission_mode),
    prompts: stored?.prompts ?? 0,
    source: stored === undefined ? 'startup' : options.forkSession ? 'fork' : 'resume',
  });
  refuseInstalledPlugins(settings, paths);
  for (const { name, hasWorkflows, needs } of plugins.plugins) {
    const lacking = needs.find((need) => !plugins.plugins.some((other) => other.name === need));
    if (lacking !== undefined) refuseToDo(`${REFUSED.neededPlugins} ${name} needs ${lacking}.`);
    if (hasWorkflows) refuseToDo(`${REFUSED.workflows} The plugin ${name} has some.`);
  }
  if (stored !== undefined) (await import('./session/restore-session.js')).restoreSession(session, stored);
  if (keepsFiles(env)) refuseToDo(REFUSED.fileCheckpoints);
  const kept = (type: string, field: string): string | undefined => {
    const value = stored?.lines.findLast((line) => line.type === type)?.[field];
    return typeof value === 'string' ? value : undefined;
  };
  const title = options.name ?? kept('custom-title', 'customTitle');
  session.chosen.title = title;
  // A fork has the title of its origin.
  if (title !== undefined && (options.name !== undefined || options.forkSession)) transcript.addTitle(title);
  return session;
}

/** Whether a host wants to be able to go back to earlier states of files. */
function keepsFiles(env: NodeJS.ProcessEnv): boolean {
  const isSet = (name: string): boolean => /^(?:1|true|yes|on)$/i.test(env[name] ?? '');
  return isSet('CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING') && !isSet('CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING');
}

function chooseId(options: Options, stored: StoredSession | undefined, scripted: string | undefined): string {
  if (stored !== undefined && !options.forkSession) return stored.id;
  if (options.sessionId === undefined) return stored === undefined ? (scripted ?? uuid()) : uuid();
  return options.sessionId;
}

/** One file is enough, and it is about the hooks of plugins, too. */
function hooksAreOff(files: readonly SettingsFile[]): boolean {
  return files.some(({ settings }) => settings['disableAllHooks'] === true);
}

async function settingsHooks({ bare }: Options, files: readonly SettingsFile[]): Promise<Hook[]> {
  if (bare) return [];
  if (!files.some(({ settings }) => settings['hooks'] !== undefined)) return [];
  const { hooksOfSettings } = await import('@understudy/agents');
  const hooks = hooksOfSettings(files);
  const never = [...new Set(hooks.map(({ event }) => event))].filter((event) => hookEventFacts(event).unplayed);
  for (const event of never) writeOut(2, `understudy: hooks for ${event}: the stand-in never fires that event\n`);
  return hooks;
}

/** The CLI passes over plugins of a marketplace that it does not know. */
function refuseInstalledPlugins(settings: JsonObject, paths: ConfigPaths): void {
  const { enabledPlugins: chosen, extraKnownMarketplaces: declared } = settings;
  if (!isObject(chosen)) return;
  const known = parseJson(readIfThere(join(paths.dir, 'plugins', 'known_marketplaces.json')) ?? '');
  const places = [declared, known].filter(isObject);
  const ids = Object.keys(chosen).filter((id) =>
    places.some((all) => Object.hasOwn(all, id.slice(id.lastIndexOf('@') + 1))),
  );
  if (ids.length > 0) refuseToDo(`${REFUSED.installedPlugins} They name ${ids.join(', ')}.`);
}

/** The session goes on without it, and a check is red. */
function refuseToDo(message: string): void {
  recordUnsupported(message);
  writeOut(2, `understudy: ${message}\n`);
}

/** The hooks of the agent that the session is. */
async function agentHooks(agent: AgentDefinition | undefined): Promise<Hook[]> {
  if (agent?.hooks === undefined) return [];
  const { readHooks } = await import('@understudy/agents');
  return readHooks(agent.hooks, { source: 'userSettings' });
}

/**
 * A skill comes before a command of the same name, and the user's before the project's.
 */
async function projectCommands(options: Options, paths: ConfigPaths, cwd: string): Promise<CommandDefinition[]> {
  if (options.disableSlashCommands) return [];
  const found: CommandDefinition[] = [];
  for (const { root, source } of ownFolders(options, paths, cwd).reverse()) {
    if (existsSync(join(root, 'commands')) || existsSync(join(root, 'skills'))) {
      const { loadCommands } = await import('@understudy/agents');
      found.push(...loadCommands(root, { source }));
    }
    if (existsSync(join(root, 'workflows'))) refuseToDo(`${REFUSED.workflows} They are in ${root}.`);
  }
  const rank = ({ kind, source }: CommandDefinition): number =>
    (kind === 'skill' ? 0 : 2) + (source === 'user' ? 0 : 1);
  return found.filter((one) => !found.some((other) => other.name === one.name && rank(other) < rank(one)));
}

/** The rules of the tools that a command allows can name folders by variables. */
async function withFilledRules(
  commands: CommandDefinition[],
  { dir }: ConfigPaths,
  cwd: string,
): Promise<CommandDefinition[]> {
  const hasVariable = ({ allowedTools }: CommandDefinition): boolean =>
    allowedTools.some((rule) => rule.includes('${'));
  if (!commands.some(hasVariable)) return commands;
  const { commandVariables } = await import('@understudy/agents');
  const { fillGiven } = await import('@understudy/agents');
  return commands.map((command) => {
    const variables = commandVariables(command, dir, cwd);
    return { ...command, allowedTools: command.allowedTools.map((rule) => fillGiven(rule, variables)) };
  });
}

function chooseMode(
  options: Options,
  { permissions }: JsonObject,
  files: readonly SettingsFile[],
  scripted: PermissionMode | undefined,
): PermissionMode {
  const chosen = options.skipPermissions ? 'bypassPermissions' : options.permissionMode;
  const mode = chosen ?? configuredMode(files) ?? scripted ?? 'default';
  const isOff = isObject(permissions) && permissions['disableBypassPermissionsMode'] === 'disable';
  return (isOff && mode === 'bypassPermissions' ? 'default' : mode) as PermissionMode;
}

function directories({ addDirs }: Options, { permissions }: JsonObject): string[] {
  const more = isObject(permissions) ? permissions['additionalDirectories'] : undefined;
  return [...addDirs, ...(isStringList(more) ? more : [])];
}

/** The branch that a folder is on, read from `.git` itself; `HEAD` where there is none. */
function gitBranch(cwd: string): string {
  const file = foldersUpFrom(cwd)
    .map((folder) => join(folder, '.git', 'HEAD'))
    .find(existsSync);
  const head = file === undefined ? '' : (readIfThere(file) ?? '');
  return /^ref: refs\/heads\/(.*)/.exec(head)?.[1]?.trim() ?? 'HEAD';
}

function foldersUpFrom(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpFrom(above)];
}
