import type { OfferedTool } from '../shared/offered-tools.js';

/** Models that Codex knows. It warns of any other. */
const KNOWN_MODELS: readonly string[] = [
  ...['codex-auto-review', 'gpt-5.5', 'gpt-5.6-luna', 'gpt-5.6-sol', 'gpt-5.6-terra'],
  ...['gpt-6-astra', 'gpt-6-luna', 'gpt-6-sol', 'gpt-6.1-sol', 'gpt-6.1-terra'],
  ...['gpt-daybreak-blue-latest', 'gpt-daybreak-red-latest'],
];

/** The warning about a model that Codex does not know. */
export function modelWarning(model: string): string | undefined {
  if (KNOWN_MODELS.includes(model)) return undefined;
  return `Model metadata for \`${model}\` not found. Defaulting to fallback metadata; this can degrade performance and cause issues.`;
}

const EXEC_COMMAND: OfferedTool = {
  name: 'exec_command',
  properties:
    'cmd justification login max_output_tokens prefix_rule sandbox_permissions shell tty workdir yield_time_ms'.split(
      ' ',
    ),
  required: ['cmd'],
};

const tool = (name: string, properties = '', required = properties): OfferedTool => ({
  name,
  properties: properties.split(' ').filter((word) => word !== ''),
  required: required.split(' ').filter((word) => word !== ''),
});

const BEFORE = [
  EXEC_COMMAND,
  tool('write_stdin', 'chars max_output_tokens session_id yield_time_ms', 'session_id'),
  tool('request_user_input', 'questions'),
];
const AGENTS = ['close_agent', 'resume_agent', 'send_input', 'spawn_agent', 'wait_agent'].map((name) => tool(name));
const GOALS = [
  tool('get_goal'),
  tool('create_goal', 'objective token_budget', 'objective'),
  tool('update_goal', 'status'),
];

/**
 * The tools that Codex offers to a model. A patch tool is only for those that it knows. Newer models than gpt-5.5 call
 * their tools from small programs; what the tools do, and what Codex reports of it, is the same.
 */
export function offeredTools(model: string): readonly OfferedTool[] {
  if (KNOWN_MODELS.includes(model))
    return [...BEFORE, tool('apply_patch'), tool('view_image', 'detail path', 'path'), ...GOALS];
  return [...BEFORE, tool('view_image', 'path'), ...AGENTS, ...GOALS];
}
