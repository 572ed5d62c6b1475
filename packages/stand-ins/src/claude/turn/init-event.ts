import { join } from 'node:path';
import {
  definedAgentNames as agentNames,
  byName,
  CAPABILITIES,
  COMMANDS,
  type CommandDefinition,
  isDisabled,
  LANGUAGE_TOOL,
  PLUGINS,
  projectSlug,
  RESOURCE_TOOLS,
  SEARCH_TOOLS,
  SKILLS,
  TERMINAL_COMMANDS,
  TOOLS,
  TOOLS_ON_REQUEST,
  TOOLS_WITH_A_HOST,
  toolsNotOf,
} from '@understudy/agents';
import { defined } from '@understudy/kit';
import type { OutputEvent } from '../output/formats.js';
import { uuid } from '../output/ids.js';
import { toolsOfOwnAgent } from '../session/own-tools.js';
import type { Session } from '../session/session.js';
import { toDoTools } from '../session/to-do-tools.js';

/** The first line of every turn: what the session has, and its settings. */
export function initEvent(session: Session): OutputEvent {
  const { cwd, env, options, version, paths, projectDir, plugins, pluginProblems, pluginWarnings, directories } =
    session.parts;
  return {
    type: 'system',
    subtype: 'init',
    cwd: session.folder,
    session_id: session.id,
    tools: sessionTools(session),
    mcp_servers: session.mcp?.summary() ?? [],
    model: session.model,
    permissionMode: session.mode,
    slash_commands: slashCommands(session),
    ...(options.disableSlashCommands ? {} : { terminal_slash_commands: TERMINAL_COMMANDS }),
    apiKeySource: env['ANTHROPIC_API_KEY'] === undefined ? 'none' : 'ANTHROPIC_API_KEY',
    claude_code_version: version,
    output_style: outputStyle(session),
    agents: agentNames(session.parts.agents),
    skills: skillNames(session),
    plugins: [
      ...plugins.map(({ id, name, root, version: of }) => ({
        name,
        path: root,
        source: id,
        ...defined({ version: of }),
      })),
      ...PLUGINS,
    ],
    ...(pluginProblems.length === 0 ? {} : { plugin_errors: pluginProblems }),
    ...(pluginWarnings.length === 0 ? {} : { plugin_warnings: pluginWarnings }),
    capabilities: CAPABILITIES,
    analytics_disabled: true,
    product_feedback_disabled: true,
    uuid: uuid(),
    memory_paths: { auto: `${join(paths.projects, projectSlug(projectDir), 'memory')}/` },
    original_cwd: cwd,
    additional_directories: directories.slice(1),
    fast_mode_state: 'off',
    fast_mode_disabled_reason: 'sdk_opt_in_required',
    per_turn_effort_active: true,
    ultrathink_available: false,
    ultrathink_typed_raises: false,
    view_mode: 'default',
  };
}

/** The tools of whoever the session was started as. */
export function sessionTools(session: Session): string[] {
  return toolsOfOwnAgent(session, everyTool(session));
}

export function outputStyle({ parts }: Session): string {
  const { outputStyle: style } = parts.settings;
  return typeof style === 'string' ? style : 'default';
}

/** Whether `--allowedTools` names a tool. */
function isNamedByFlag({ parts }: Session, tool: string): boolean {
  return parts.rules.allow.some(({ source, text }) => source === 'cliArg' && text.split('(')[0] === tool);
}

/** The tools of the session: the built-in ones that it may use, and those of its MCP servers. */
export function everyTool(session: Session): string[] {
  const { jsonSchema, permissionPromptTool } = session.parts.options;
  // What starts agents has two names, and is listed by the older one.
  const wanted = session.chosenTools && new Set(session.chosenTools.map((tool) => (tool === 'Agent' ? 'Task' : tool)));
  const base = [
    ...TOOLS,
    ...(permissionPromptTool === undefined ? [] : TOOLS_WITH_A_HOST),
    ...(session.parts.plugins.some(({ hasLanguageServers }) => hasLanguageServers) ? [LANGUAGE_TOOL] : []),
    ...(session.mcp?.hasResources ? RESOURCE_TOOLS : []),
  ];
  const onRequest = TOOLS_ON_REQUEST.some((tool) => isNamedByFlag(session, tool)) ? TOOLS_ON_REQUEST : [];
  const usual =
    wanted === undefined ? [...base, ...onRequest] : [...base, ...TOOLS_ON_REQUEST].filter((tool) => wanted.has(tool));
  const builtIn = [...usual, ...toDoTools(session)];
  if (jsonSchema !== undefined) builtIn.push('StructuredOutput');
  // Without a shell the model gets tools to search with.
  const forBash = isDisabled('Bash', session.parts.rules) && wanted === undefined;
  if (forBash) builtIn.push(...SEARCH_TOOLS);
  const all = [...builtIn.sort(byListOrder), ...(session.mcp?.toolNames() ?? [])];
  const lacks = toolsNotOf(session.parts.options.agent ?? session.parts.settings['agent']);
  const noSkills = session.parts.options.disableSlashCommands;
  const noSearch = /^(?:0|false|no|off)$/i.test(session.environment()['ENABLE_TOOL_SEARCH'] ?? '');
  return all.filter(
    (tool) =>
      !lacks.has(tool) &&
      tool !== permissionPromptTool &&
      !isDisabled(tool, session.parts.rules) &&
      !(noSkills && tool === 'Skill') &&
      !(noSearch && tool === 'ToolSearch') &&
      !(forBash && tool === 'Monitor'),
  );
}

/** Task comes first, the others by name: that is how the real CLI lists them. */
function byListOrder(a: string, b: string): number {
  return Number(b === 'Task') - Number(a === 'Task') || byName(a, b);
}

function slashCommands(session: Session): string[] {
  if (session.parts.options.disableSlashCommands) return [];
  return [...amongSkills(forUsers(session)), ...COMMANDS];
}

function skillNames(session: Session): string[] {
  if (session.parts.options.disableSlashCommands) return [];
  return amongSkills(forUsers(session).filter(({ kind, hidden }) => kind === 'skill' || hidden === true));
}

function forUsers({ parts }: Session): CommandDefinition[] {
  return parts.commands.filter(({ isForModel }) => !isForModel);
}

/** The CLI lists those of user and project, its first skill, those of plugins, and then the rest of its own. */
export function amongSkills(others: readonly CommandDefinition[]): string[] {
  const named = (isOne: (other: CommandDefinition) => boolean): string[] =>
    others.filter(isOne).map(({ name }) => name);
  const all = [
    ...named(({ source, kind }) => source !== 'plugin' && kind === 'skill'),
    ...named(({ source, kind }) => source !== 'plugin' && kind !== 'skill'),
    ...SKILLS.slice(0, 1),
    ...named(({ source }) => source === 'plugin'),
    ...SKILLS.slice(1),
  ];
  return [...new Set(all)];
}
