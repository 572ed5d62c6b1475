import {
  AGENTS,
  CAPABILITIES,
  COMMAND_ALIASES,
  COMMANDS,
  type CommandDefinition,
  escapeAngles,
  type Hook,
  type HookEventName,
  hookEventFacts,
  hookEventNames,
  hookLabel,
  isHookEventName,
  list,
  MODEL_ALIASES,
  modelCard,
  OUTPUT_STYLES,
  object,
  optional,
  PLUGINS,
  record,
  resolveModel,
  rulesOfSettings,
  SESSION_MODES,
  text,
} from '@understudy/agents';
import { defined, isObject, type JsonObject } from '@understudy/kit';
import { recordUnsupported } from '../../shared/record-call.js';
import { REFUSED } from '../refused.js';
import { isMode, mayBecome } from '../session/modes.js';
import type { Session } from '../session/session.js';
import { amongSkills, outputStyle } from '../turn/init-event.js';
import { reconnectServer, setServers, toggleServer } from './mcp-requests.js';
import { RefusedRequest } from './refused-request.js';

type Handler = (session: Session, request: JsonObject) => JsonObject | undefined | Promise<JsonObject | undefined>;

/** What a host can ask of the session, besides `initialize` and `interrupt`. */
export const HANDLERS = new Map<string, Handler>(
  Object.entries({
    set_permission_mode: setPermissionMode,
    set_model: setModel,
    // There is no real model, so nothing has to be limited.
    set_max_thinking_tokens: () => undefined,
    mcp_set_servers: setServers,
    mcp_toggle: toggleServer,
    mcp_reconnect: reconnectServer,
    mcp_status: (session) => ({ mcpServers: session.mcp?.status() ?? [] }),
    get_hooks_listing: listHooks,
    get_settings: getSettings,
    get_context_usage: contextUsage,
    reload_plugins: listPlugins,
    apply_flag_settings: applySettings,
  }),
);

/** What a host can ask of Claude Code and not of its stand-in. */
export const REFUSED_REQUESTS: ReadonlySet<string> = new Set([
  ...['add_directory', 'background_tasks', 'cancel_async_message', 'channel_enable', 'claim_session'],
  ...['claude_authenticate', 'claude_oauth_callback', 'claude_oauth_wait_for_completion', 'export_conversation'],
  ...[
    'end_session',
    'file_suggestions',
    'fork_conversation',
    'generate_session_title',
    'get_binary_version',
    'get_memory_dialog',
  ],
  ...['get_plan', 'get_sandbox_dialog', 'get_session_cost', 'get_skills_dialog', 'get_status', 'get_task_output'],
  ...['get_usage', 'get_workspace_diff', 'list_models', 'list_permission_rules', 'mcp_authenticate', 'mcp_call'],
  ...['mcp_clear_auth', 'mcp_oauth_callback_url', 'mcp_read_resource', 'message_rated', 'read_file'],
  ...['register_repo_root', 'reload_output_styles', 'reload_skills', 'remote_control', 'rename_session'],
  ...['rewind_conversation', 'rewind_files', 'seed_read_state', 'set_color', 'set_cwd', 'set_has_subscribers'],
  'set_mcp_permission_mode_override',
  ...['set_proactivity_level', 'set_prompt_suggestions_paused', 'side_question', 'stop_task', 'submit_feedback'],
  ...['submit_survey_feedback', 'ultrareview_launch', 'update_settings'],
]);

/** What the session sends after its answer, before anything else happens. */
export const ANNOUNCEMENTS = new Map<string, (session: Session) => void>([
  ['set_permission_mode', (session) => session.out.system('status', { status: null, permissionMode: session.mode })],
]);

function listModels(): JsonObject[] {
  return MODEL_ALIASES.map((value) => {
    const resolvedModel = resolveModel(value);
    const { name, inputPrice, outputPrice } = modelCard(resolvedModel);
    return {
      value,
      resolvedModel,
      displayName: name,
      description: `${name} · $${inputPrice}/$${outputPrice} per Mtok`,
      supportsEffort: true,
      supportedEffortLevels: ['low', 'medium', 'high', 'xhigh', 'max'],
      supportsAdaptiveThinking: true,
      ...(/opus|fable/.test(resolvedModel) ? { supportsFastMode: true } : {}),
      supportsAutoMode: true,
      supportsThinkingOff: false,
    };
  });
}

/** The answer to `initialize`. */
export function describeSession(session: Session): JsonObject {
  const { version, paths, env } = session.parts;
  return {
    commands: listCommands(session),
    agents: listAgents(session),
    output_style: outputStyle(session),
    available_output_styles: OUTPUT_STYLES,
    user_output_styles_dir: `${paths.dir}/output-styles`,
    models: listModels(),
    account: {
      tokenSource: 'none',
      apiKeySource: env['ANTHROPIC_API_KEY'] === undefined ? 'none' : 'ANTHROPIC_API_KEY',
      apiProvider: session.parts.script.scenario.document.provider ?? 'firstParty',
      ...account(session),
    },
    pid: process.pid,
    claude_code_version: version,
    current_permission_mode: session.mode,
    hook_on_failure_supported: true,
    hooks_when_unanswered_kept: 0,
    other_hook_ask_outranks_host: true,
    ...(session.parts.hooks.some(({ source }) => source === 'sdk') ? { hooks_applied: true } : {}),
    analytics_disabled: true,
    fast_mode_state: 'off',
    fast_mode_disabled_reason: 'sdk_opt_in_required',
    session_state: 'idle',
    capabilities: CAPABILITIES,
  };
}

/** The hooks of the host's program, by the ids that `initialize` gives. */
export function hostHooks(value: unknown): Hook[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([event, groups]) => {
    if (!isHookEventName(event) || !Array.isArray(groups)) return [];
    return groups.filter(isObject).flatMap((group) => {
      const ids = Array.isArray(group['hookCallbackIds']) ? group['hookCallbackIds'] : [];
      const matcher = typeof group['matcher'] === 'string' ? group['matcher'] : '';
      const { timeout, onFailure = 'continue' } = group;
      return ids.map(
        (id): Hook => ({
          ...{ event, matcher, source: 'sdk' },
          run: { type: 'callback', id: String(id), ...(onFailure === 'continue' ? {} : { blocksOnFailure: true }) },
          ...(typeof timeout === 'number' ? { timeoutMs: timeout * 1000 } : {}),
        }),
      );
    });
  });
}

function account(session: Session): JsonObject {
  const name = session.parts.script.scenario.document.user_name;
  return name === undefined ? {} : { displayName: name };
}

const matcher = (value: unknown, path: string) => text()(value ?? '', path);
const HOOKS = optional(record(list(object({ hookCallbackIds: list(text()), matcher }))));
const STRINGS = optional(list(text()));

/** What the real CLI does not take from a host. */
export function checkInitialize(request: JsonObject): void {
  if (STRINGS(request['sdkMcpServers'], '').length > 0)
    throw new Error('initialize: sdkMcpServers and webSearchIsolationExemptMcpServers must be arrays of strings');
  if (STRINGS(request['skills'], '').length > 0) throw new Error('initialize: skills must be an array of strings');
  if (HOOKS(request['hooks'] ?? undefined, '').length > 0)
    throw new Error(
      'initialize: hooks must map hook events to arrays of matchers carrying hookCallbackIds arrays and string matchers',
    );
}

function setPermissionMode(session: Session, { mode }: JsonObject): JsonObject {
  if (!isMode(mode)) {
    throw new RefusedRequest(`Cannot set permission mode: must be one of ${SESSION_MODES.join(', ')}`, 'invalid_mode');
  }
  if (!mayBecome(session, mode)) {
    throw new RefusedRequest(
      'Cannot set permission mode to bypassPermissions because the session was not launched with --dangerously-skip-permissions',
      'bypass_not_launched',
    );
  }
  session.chosen.mode = mode;
  return { mode };
}

function setModel(session: Session, { model }: JsonObject): JsonObject {
  if ((model ?? '') !== '' && typeof model !== 'string')
    throw new RefusedRequest('set_model: model must be a string', 'invalid_request', { model: session.model });
  if (session.hooks.some(({ event }) => event === 'PreModelSwitch' || event === 'PostModelSwitch'))
    recordUnsupported(REFUSED.switchHooks);
  session.chosen.model = typeof model === 'string' ? model : 'default';
  return { model: session.model };
}

/** All commands, as a host may show them. */
function listCommands({ parts }: Session): JsonObject[] {
  if (parts.options.disableSlashCommands) return [];
  const own = new Map(parts.commands.map((command) => [command.name, command]));
  return [...amongSkills(parts.commands), ...COMMANDS].map((name) => shown(name, own.get(name)));
}

/** A command as a host receives it; without a definition, it is one of the CLI. */
function shown(name: string, command: CommandDefinition | undefined): JsonObject {
  if (command === undefined) {
    const aliases = Object.keys(COMMAND_ALIASES).filter((alias) => COMMAND_ALIASES[alias] === name);
    return { name, description: '', argumentHint: '', ...(aliases.length === 0 ? {} : { aliases }), builtin: true };
  }
  const { aliases = [], shownName = name } = command;
  const others = [...aliases, name].filter((one) => one !== shownName);
  return {
    name: shownName,
    description: escapeAngles(describeCommand(command)),
    argumentHint: command.argumentHint,
    ...(others.length === 0 ? {} : { aliases: others }),
  };
}

/** The description of a command, and where it comes from. One without is described by its first line. */
function describeCommand({ name, source, description, body }: CommandDefinition): string {
  const said = description || (body.trim().split('\n')[0] ?? '');
  return source === 'plugin' ? `(${name.split(':')[0]}) ${said}` : `${said} (${source})`;
}

function listAgents({ parts }: Session): JsonObject[] {
  const own = parts.agents.map(({ name, description = '', model }) => ({ name, description, ...defined({ model }) }));
  const builtIn = AGENTS.map((name) => ({ name, description: '' }));
  return [...builtIn, ...own].sort((one, other) => one.name.localeCompare(other.name));
}

function listHooks(session: Session): JsonObject {
  // Those of the host are its own affair.
  const hooks = session.parts.hooks.filter(({ run }) => run.type !== 'callback');
  const about = (name: HookEventName): JsonObject => {
    const { summary, matches } = hookEventFacts(name);
    return { name, summary, supportsMatcher: matches !== undefined };
  };
  const counted = hookEventNames.map((name) => ({ name, count: hooks.filter(({ event }) => event === name).length }));
  return {
    events: counted.filter(({ count }) => count > 0).map(({ name, count }) => ({ ...about(name), hookCount: count })),
    hooks: hooks.map((hook) => {
      const { event, matcher, source, run, plugin } = hook;
      const text = hookLabel(hook);
      return {
        event,
        matcher,
        source,
        sourceLabel: plugin?.name ?? source,
        type: run.type,
        displayText: text,
        commandText: text,
        contentLabel: 'Command',
      };
    }),
    eventCatalog: hookEventNames.map(about),
    policy: { disabledByPolicy: false, managedOnly: false, pluginOnly: false, allDisabled: false, policyHookCount: 0 },
  };
}

function getSettings(session: Session): JsonObject {
  const { settings, settingsFiles } = session.parts;
  return {
    effective: settings,
    sources: settingsFiles.map(({ source, settings: own }) => ({ source, settings: own })),
    applied: { model: session.model, effort: 'medium' },
  };
}

function contextUsage(session: Session): JsonObject {
  const { contextWindow } = modelCard(session.usedModel);
  const used = session.conversation.contextTokens;
  return {
    categories: [
      { id: 'messages', name: 'Messages', tokens: used, color: 'purple_FOR_SUBAGENTS_ONLY', kind: 'used' },
      { id: 'free_space', name: 'Free space', tokens: contextWindow - used, color: 'promptBorder', kind: 'free' },
    ],
    totalTokens: used,
    maxTokens: contextWindow,
    rawMaxTokens: contextWindow,
    percentage: Math.round((used / contextWindow) * 100),
    gridRows: [],
    model: session.usedModel,
  };
}

/** The stand-in does not reload plugins. It lists those that it has. */
function listPlugins(session: Session): JsonObject {
  const { plugins, pluginProblems } = session.parts;
  return {
    commands: listCommands(session),
    agents: listAgents(session),
    plugins: [
      ...plugins.map(({ id, name, root, version }) => ({ name, path: root, source: id, ...defined({ version }) })),
      ...PLUGINS,
    ],
    mcpServers: session.mcp?.status() ?? [],
    error_count: pluginProblems.length,
  };
}

const TAKEN = new Set(['model', 'permissions']);

/** Settings that the host gives while the session runs, as if a flag had given them. */
function applySettings(session: Session, { settings }: JsonObject): undefined {
  if (!isObject(settings))
    throw new Error(`apply_flag_settings requires \`settings\` to be an object, got ${typeof settings}`);
  const other = Object.keys(settings).find((key) => !TAKEN.has(key));
  if (other !== undefined) {
    recordUnsupported(`apply_flag_settings: ${other}`);
    throw new Error(`the stand-in takes ${[...TAKEN].join(' and ')} of apply_flag_settings, not ${other}`);
  }
  const { model } = settings;
  if (typeof model === 'string') setModel(session, { model });
  const rules = rulesOfSettings([{ settings, source: 'flagSettings', root: session.folder, origin: { inline: '' } }]);
  for (const list of ['allow', 'deny', 'ask'] as const) session.parts.rules[list].push(...rules[list]);
}
