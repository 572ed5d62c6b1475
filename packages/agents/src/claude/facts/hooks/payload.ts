import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { projectSlug } from '../config-paths.js';
import { isSubagentTool } from '../tools.js';
import type { HookEventName } from './events.js';
import type { HookInput } from './hook.js';
import { type PayloadSession, sessionFields } from './session-fields.js';

export type PayloadFields = Record<string, unknown>;

export interface PayloadContext {
  /** The project folder. */
  cwd: string;
  sessionId?: string;
  /** The tool of tool events: `Write` by default. */
  tool?: string;
  toolInput?: PayloadFields;
  /** Fields that take the place of ours, or come besides. */
  fields?: PayloadFields;
}

const MODELS = {
  from_model: 'claude-sonnet-4-5',
  to_model: 'claude-opus-5-5',
  requested_model: 'opus',
  source: 'command',
};
const CACHE = {
  context_tokens: 2842,
  prompt_cache_warm: false,
  cache_ttl: '5m',
  estimated_cache_write_usd: 0.0142,
  pricing: 'catalog',
};
const QUIET = { background_tasks: [], session_crons: [] };
const TASK = { task_id: '1', task_subject: 'Write the parser', task_description: 'Parse the configuration file' };
const AGENT = { agent_id: 'a1b2c3d4e5f60718', agent_type: 'general-purpose' };

interface Parts {
  cwd: string;
  sessionFolder: string;
  tool: { tool_name: string; tool_input: PayloadFields };
  toolId: string;
}

/** What each event brings besides the common fields, as the real CLI sends it. */
const EXTRA: Record<HookEventName, (parts: Parts) => PayloadFields> = {
  PreToolUse: ({ tool, toolId }) => ({ ...tool, tool_use_id: toolId }),
  PostToolUse: ({ tool, toolId }) => ({
    ...tool,
    tool_response: toolResponse(tool.tool_name, tool.tool_input),
    tool_use_id: toolId,
    duration_ms: 12,
  }),
  PostToolUseFailure: ({ tool, toolId }) => ({
    ...{ ...tool, tool_use_id: toolId },
    error: 'Exit code 1',
    is_interrupt: false,
    duration_ms: 12,
  }),
  PostToolBatch: ({ tool, toolId }) => ({
    tool_calls: [{ ...tool, tool_use_id: toolId, tool_response: 'done' }],
  }),
  PermissionRequest: ({ tool }) => ({ ...tool, permission_suggestions: [] }),
  PermissionDenied: ({ tool, toolId }) => ({ ...tool, tool_use_id: toolId, reason: 'denied by a rule' }),
  Notification: () => ({
    message: 'Claude needs your permission to use Write',
    notification_type: 'permission_prompt',
  }),
  UserPromptSubmit: () => ({ prompt: 'Add a test for the parser' }),
  UserPromptExpansion: () => ({
    ...{ expansion_type: 'slash_command', command_name: 'plan', command_args: 'the parser' },
    command_source: 'plugin',
    prompt: '/plan the parser',
  }),
  SessionStart: () => ({ source: 'startup' }),
  SessionEnd: () => ({ reason: 'other' }),
  Stop: () => ({ stop_hook_active: false, last_assistant_message: 'Done.', ...QUIET }),
  StopFailure: () => ({ error: 'server_error', last_assistant_message: 'API Error: 500' }),
  SubagentStart: () => ({ ...AGENT }),
  SubagentStop: ({ sessionFolder }) => ({
    ...AGENT,
    stop_hook_active: false,
    agent_transcript_path: join(sessionFolder, 'subagents', `agent-${AGENT.agent_id}.jsonl`),
    last_assistant_message: 'Done.',
    ...QUIET,
  }),
  PreCompact: () => ({ trigger: 'manual', custom_instructions: null }),
  PostCompact: () => ({ trigger: 'manual', compact_summary: 'The parser was written.' }),
  PreModelSwitch: () => ({ ...MODELS, ...CACHE }),
  PostModelSwitch: () => ({ ...MODELS, ...CACHE }),
  MessageDisplay: () => ({ turn_id: randomUUID(), message_id: randomUUID(), index: 0, final: true, delta: 'Done.' }),
  Setup: () => ({ trigger: 'init' }),
  TaskCreated: () => ({ ...TASK }),
  TaskCompleted: () => ({ ...TASK }),
  TeammateIdle: () => ({ teammate_name: 'reviewer', team_name: 'parser' }),
  Elicitation: () => ({
    ...{ mcp_server_name: 'forms', message: 'Which environment?', mode: 'form' },
    requested_schema: { type: 'object', properties: { environment: { type: 'string' } } },
  }),
  ElicitationResult: () => ({
    ...{ mcp_server_name: 'forms', mode: 'form', action: 'accept' },
    content: { environment: 'test' },
  }),
  ConfigChange: ({ cwd }) => ({ source: 'project_settings', file_path: join(cwd, '.claude', 'settings.json') }),
  InstructionsLoaded: ({ cwd }) => ({
    file_path: join(cwd, 'CLAUDE.md'),
    memory_type: 'Project',
    load_reason: 'session_start',
  }),
  CwdChanged: ({ cwd }) => ({ old_cwd: cwd, new_cwd: join(cwd, 'src') }),
  FileChanged: ({ cwd }) => ({ file_path: join(cwd, '.env'), event: 'change' }),
  DirectoryAdded: ({ cwd }) => ({ directory: join(cwd, '..', 'other'), source: 'slash_command' }),
  WorktreeCreate: () => ({ name: 'parser' }),
  WorktreeRemove: ({ cwd }) => ({ worktree_path: join(cwd, '.claude', 'worktrees', 'parser') }),
};

/** A realistic payload of an event; every field can be given instead. */
export function hookPayload(event: HookEventName, context: PayloadContext): HookInput {
  const { cwd, sessionId = randomUUID(), tool = 'Write', fields = {} } = context;
  const projectFolder = join(cwd, '.claude', 'projects', projectSlug(cwd));
  const parts: Parts = {
    cwd,
    sessionFolder: join(projectFolder, sessionId),
    tool: { tool_name: tool, tool_input: context.toolInput ?? toolInput(tool, cwd) },
    toolId: `toolu_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
  };
  const session: PayloadSession = {
    sessionId,
    transcriptPath: join(projectFolder, `${sessionId}.jsonl`),
    cwd,
    promptId: randomUUID(),
    mode: 'default',
    effort: 'medium',
  };
  return { ...sessionFields(event, session), ...EXTRA[event](parts), ...fields };
}

function toolInput(tool: string, cwd: string): PayloadFields {
  const file = join(cwd, 'example.txt');
  switch (tool) {
    case 'Write':
      return { file_path: file, content: 'An example.\n' };
    case 'Edit':
      return { file_path: file, old_string: 'An', new_string: 'One', replace_all: false };
    case 'Read':
      return { file_path: file };
    case 'Bash':
      return { command: 'echo example', description: 'Say something' };
    case 'Glob':
      return { pattern: '**/*.ts' };
    case 'Grep':
      return { pattern: 'example' };
    case 'WebFetch':
      return { url: 'https://example.com/', prompt: 'What is it about?' };
    default:
      return isSubagentTool(tool)
        ? { description: 'Look around', prompt: 'Look around', subagent_type: 'general-purpose' }
        : {};
  }
}

function toolResponse(tool: string, input: PayloadFields): unknown {
  switch (tool) {
    case 'Write': {
      const { file_path: filePath, content } = input;
      return { type: 'create', filePath, content, structuredPatch: [], originalFile: null, userModified: false };
    }
    case 'Bash':
      return { stdout: 'example', stderr: '', interrupted: false, isImage: false, noOutputExpected: false };
    default:
      return {};
  }
}
