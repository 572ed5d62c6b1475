import type { OfferedTool } from '../shared/offered-tools.js';
import type { ApprovalMode } from './options.js';

const tool = (name: string, properties = '', required = ''): OfferedTool => ({
  name,
  properties: properties.split(' ').filter((word) => word !== ''),
  required: required.split(' ').filter((word) => word !== ''),
});

export const TOOLS = {
  update_topic: tool('update_topic', 'title summary strategic_intent wait_for_previous', 'strategic_intent'),
  list_directory: tool('list_directory', 'dir_path ignore file_filtering_options', 'dir_path'),
  read_file: tool('read_file', 'file_path start_line end_line', 'file_path'),
  grep_search: tool(
    'grep_search',
    'pattern dir_path include_pattern exclude_pattern names_only max_matches_per_file total_max_matches',
    'pattern',
  ),
  glob: tool('glob', 'pattern dir_path case_sensitive respect_git_ignore respect_gemini_ignore', 'pattern'),
  replace: tool(
    'replace',
    'file_path instruction old_string new_string allow_multiple',
    'file_path instruction old_string new_string',
  ),
  write_file: tool('write_file', 'file_path content', 'file_path content'),
  web_fetch: tool('web_fetch', 'prompt', 'prompt'),
  run_shell_command: tool('run_shell_command', 'command description dir_path is_background delay_ms', 'command'),
  list_background_processes: tool('list_background_processes', 'wait_for_previous'),
  read_background_output: tool('read_background_output', 'pid lines delay_ms wait_for_previous', 'pid'),
  google_web_search: tool('google_web_search', 'query', 'query'),
  write_todos: tool('write_todos', 'todos', 'todos'),
  enter_plan_mode: tool('enter_plan_mode', 'reason'),
  invoke_agent: tool('invoke_agent', 'agent_name prompt wait_for_previous', 'agent_name prompt'),
  activate_skill: tool('activate_skill', 'name', 'name'),
};

type ToolName = keyof typeof TOOLS;

const READING: readonly ToolName[] = ['update_topic', 'list_directory', 'read_file', 'grep_search', 'glob'];

/** The tools that Gemini CLI offers without a terminal: those that need nobody's approval in the mode. */
const OFFERED: Record<Exclude<ApprovalMode, 'plan'>, readonly ToolName[]> = {
  default: [...READING, 'google_web_search', 'enter_plan_mode', 'invoke_agent'],
  auto_edit: [...READING, 'replace', 'write_file', 'web_fetch', 'google_web_search', 'enter_plan_mode', 'invoke_agent'],
  yolo: [
    ...READING,
    ...(['replace', 'write_file', 'web_fetch', 'run_shell_command', 'list_background_processes'] as const),
    ...(['read_background_output', 'google_web_search', 'write_todos', 'enter_plan_mode', 'invoke_agent'] as const),
    'activate_skill',
  ],
};

/** The tools that the model is offered, in their own order. */
export function offeredTools(mode: ApprovalMode): readonly OfferedTool[] {
  const offered: readonly string[] = mode === 'plan' ? [] : OFFERED[mode];
  return Object.values(TOOLS).filter(({ name }) => offered.includes(name));
}
