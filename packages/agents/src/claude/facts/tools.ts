import facts from './facts.json' with { type: 'json' };

/** The tools that a plain Claude Code lists in print mode. */
export const TOOLS: readonly string[] = facts.tools;

/** Tools that it has, but lists only where `--tools` names them. */
export const TOOLS_ON_REQUEST: readonly string[] = ['Glob', 'Grep'];

/** Tools that it lists when the shell is denied. */
export const SEARCH_TOOLS: readonly string[] = ['Glob', 'Grep'];

/** The tool that it lists when a plugin brings servers that know a language. */
export const LANGUAGE_TOOL = 'LSP';

/** They are there where an MCP server keeps something to read. */
export const RESOURCE_TOOLS: readonly string[] = [
  'ListMcpResourcesTool',
  'ReadMcpResourceDirTool',
  'ReadMcpResourceTool',
];

/** Tools that keep a list of tasks. It lists them for older models, and for whoever names one of them. */
export const TASK_TOOLS: readonly string[] = ['TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate'];

/** Tools that keep a list of what there is to do: the older one is there where tasks are turned off. */
export const TO_DO_TOOLS: readonly string[] = [...TASK_TOOLS, 'TodoWrite'];

/** Tools that it lists when somebody can be asked. */
export const TOOLS_WITH_A_HOST: readonly string[] = ['AskUserQuestion', 'EnterPlanMode', 'ExitPlanMode'];

/** Those of them that a person has to answer, whatever the rules say. */
export const ASKING_TOOLS: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

/** Tools that a subagent never has, even where its definition names them. */
export const TOOLS_OF_THE_SESSION: ReadonlySet<string> = new Set([
  ...TOOLS_WITH_A_HOST,
  'ScheduleWakeup',
  'TodoWrite',
  'Workflow',
]);

/** Tools that older releases listed (seen in 2.1.197) and the pinned one lists on request or not at all. */
export const OLDER_TOOLS: readonly string[] = [
  ...['TodoWrite', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskOutput', 'TaskUpdate', 'BashOutput', 'KillShell'],
];

/** Other names that the CLI knows (read in 2.1.325): on other systems, with other hosts, by other flags, or of before. */
export const OTHER_TOOLS: readonly string[] = [
  ...['Artifact', 'ClaudeDesign', 'EndConversation', 'PowerShell', 'Projects', 'PushNotification', 'ReadNotifications'],
  ...['REPL', 'RemoteTrigger', 'SendFeedback', 'SendUserFile', 'SendUserMessage', 'StructuredOutput'],
  ...['WaitForMcpServers', 'Brief', 'Eval', 'KillBash', 'ListMcpResources', 'ListPeers'],
  ...['ReadMcpResource', 'ReadMcpResourceDir'],
];

/** Tools that read files, and tools that change them: path rules are about these. */
export const READING_TOOLS: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead']);
export const EDITING_TOOLS: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** Names that a permission rule may be about; another one is taken for a typo. */
export const KNOWN_TOOLS: ReadonlySet<string> = new Set([
  ...['Agent', LANGUAGE_TOOL, ...TOOLS, ...TOOLS_ON_REQUEST, ...TOOLS_WITH_A_HOST, ...OLDER_TOOLS],
]);

/** The tool that starts a subagent has two names: it is listed as Task, and called Agent everywhere else. */
const SUBAGENT_TOOL = ['Agent', 'Task'];

/** Does this tool start a subagent? */
export function isSubagentTool(name: string): boolean {
  return SUBAGENT_TOOL.includes(name);
}

/** The name that hooks and results give a tool. */
export function toolName(name: string): string {
  return isSubagentTool(name) ? 'Agent' : name;
}

/** All names of a tool: a matcher that names one of them covers it. */
export function toolAliases(name: string): string[] {
  return isSubagentTool(name) ? SUBAGENT_TOOL : [name];
}

const LOOKS_ONLY: ReadonlySet<string> = new Set(['Task', 'Edit', 'NotebookEdit', 'Write']);

/** The tools that a built-in agent does not have: some only look. */
export function toolsNotOf(agent: unknown): ReadonlySet<string> {
  return agent === 'Explore' || agent === 'Plan' ? LOOKS_ONLY : new Set();
}
