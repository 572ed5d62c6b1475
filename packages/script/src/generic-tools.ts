/** The tools that every coding agent has under one name or another. */
export const genericTools = ['shell', 'read', 'write', 'edit', 'glob', 'grep'] as const;

export type GenericTool = (typeof genericTools)[number];

type Input = Record<string, unknown>;

/** The names that one agent has for these tools, and for their arguments. */
export interface ToolNames {
  tools: Partial<Record<GenericTool, string>>;
  /** By the generic name. */
  arguments: Readonly<Record<string, string>>;
}

/** The name of each tool in the agents that have it. Stand-ins know these; others are added by the definitions of agents. */
const NAMES: Record<GenericTool, string[]> = {
  shell: ['Bash', 'bash', 'run_shell_command', 'exec_command', 'shell', 'shell_command', 'local_shell', 'execute_bash'],
  read: ['Read', 'read', 'read_file', 'fs_read'],
  write: ['Write', 'write', 'write_file', 'fs_write'],
  edit: ['Edit', 'edit', 'replace', 'str_replace'],
  glob: ['Glob', 'glob', 'find_files'],
  grep: ['Grep', 'grep', 'grep_search', 'search_file_content'],
};

/** The names of each argument. The first one is generic. */
const ARGUMENTS: readonly string[][] = [
  ['command', 'cmd'],
  ['path', 'file_path', 'filePath', 'absolute_path', 'dir_path'],
  ['content', 'contents', 'text'],
  ['old', 'old_string', 'oldString'],
  ['new', 'new_string', 'newString'],
  ['all', 'replace_all', 'replaceAll', 'allow_multiple'],
  ['pattern', 'regex', 'query'],
  ['include', 'glob', 'include_pattern'],
  ['offset', 'start_line'],
  ['limit', 'end_line'],
];

/** Adds the names of an agent. */
export function nameTools({ tools, arguments: names }: ToolNames): void {
  for (const generic of genericTools) add(NAMES[generic], tools[generic]);
  for (const aliases of ARGUMENTS) add(aliases, names[aliases[0] ?? '']);
}

function add(names: string[], name: string | undefined): void {
  if (name !== undefined && !names.includes(name)) names.push(name);
}

/** Arguments that some agents require and scripts do not give. */
const FILLERS: Readonly<Record<string, string>> = { description: 'as scripted', instruction: 'as scripted' };

/** The generic tool for a generic name or an agent's name. */
export function genericFor(name: string): GenericTool | undefined {
  return genericTools.find((generic) => generic === name || NAMES[generic].includes(name));
}

/** The tool that starts a subagent. Claude Code lists it under one name and offers it under the other. */
const SUBAGENT_TOOLS: readonly string[] = ['Task', 'Agent', 'task'];

/** Whether two names mean the same tool: generic names, and each agent's own name for it. */
export function isSameTool(one: string, other: string): boolean {
  if (one === other || (SUBAGENT_TOOLS.includes(one) && SUBAGENT_TOOLS.includes(other))) return true;
  const generic = genericFor(one);
  return generic !== undefined && generic === genericFor(other);
}

/** Whether an agent's tool is this generic tool. */
export function isNameOf(generic: GenericTool, tool: string): boolean {
  return NAMES[generic].includes(tool);
}

/** Renames arguments from any agent's names to the generic names. */
export function toGenericArguments(input: Input): Input {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      const names = ARGUMENTS.find((aliases) => aliases.includes(key));
      return [names?.[0] ?? key, value];
    }),
  );
}

/** Renames generic arguments to the names of one agent's tool. */
export function toAgentArguments(
  plain: Input,
  tool: { properties: ReadonlySet<string>; required: readonly string[] },
): Input {
  const input: Input = {};
  for (const [key, value] of Object.entries(plain)) {
    const names = ARGUMENTS.find((aliases) => aliases[0] === key) ?? [key];
    const own = names.find((alias) => tool.properties.has(alias));
    if (own === 'end_line') input[own] = Number(plain['offset'] ?? 1) + Number(value) - 1;
    else input[own ?? key] = value;
  }
  for (const key of tool.required) {
    const filler = FILLERS[key];
    if (!(key in input) && filler !== undefined) input[key] = filler;
  }
  return input;
}
