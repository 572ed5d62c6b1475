import {
  addRules,
  type CommandDefinition,
  type ComponentFile,
  commandVariables,
  decide,
  expandSlashCommand,
  fillGiven,
  inlineId,
  TOOLS_OF_HOOKS as KNOWN_TOOLS,
  noRules,
  type PermissionRules,
  readCommand,
  ShellLineError,
} from '@understudy/agents';
import { defined, nearestWord, shortenLine } from '@understudy/kit';
import type { Issue } from './component.js';

/** Where a command or skill is used: its plugin, or the project that has it. */
export interface UsedIn {
  root: string;
  /** The rules of the project; a plugin knows of none. */
  rules?: PermissionRules;
}

/** A project in which a plugin may be used. */
const PROJECT = '/project';
/** Plain words: a line that is refused even with them is refused always. */
const ARGUMENTS = 'one two three four five six seven eight nine';

/** What comes of the tools that a command or skill allows and of the lines that it runs. */
export interface RunLines {
  defect?: Issue;
  /** Why a stand-in cannot know whether a line is allowed. */
  undecided?: string;
}

/** What `allowed-tools` of a command or skill does not do: it names no tool, or does not allow a line that the CLI runs. */
export function judgeAllowedTools(component: ComponentFile, { root, rules }: UsedIn): RunLines {
  const plugin = { id: inlineId('plugin'), name: 'plugin', root };
  const command = readCommand(component, rules === undefined ? { source: 'plugin', plugin } : { source: 'project' });
  if (command === undefined) return {};
  const defect = misspeltTool(command);
  return defect === undefined ? judgeLines(command, rules === undefined ? PROJECT : root, rules) : { defect };
}

function misspeltTool({ allowedTools }: CommandDefinition): Issue | undefined {
  for (const rule of allowedTools) {
    const tool = rule.replace(/\(.*$/s, '');
    const near = KNOWN_TOOLS.includes(tool) || tool.startsWith('mcp__') ? undefined : nearestWord(tool, KNOWN_TOOLS);
    if (near === undefined) continue;
    const reason = `its allowed-tools name ${tool}, and there is no such tool: it allows nothing`;
    return { reason, fix: `Did you mean ${near}?` };
  }
  return undefined;
}

/** The CLI gives up a command with a line that it may not run: nobody is asked. */
function judgeLines(command: CommandDefinition, cwd: string, given = noRules()): RunLines {
  const ofSession = { CLAUDE_SESSION_ID: 'session', CLAUDE_EFFORT: 'medium' };
  const variables = { ...commandVariables(command, '/home/.claude', cwd), ...ofSession };
  const rules = { ...given, allow: [...given.allow] };
  addRules(
    rules.allow,
    command.allowedTools.map((rule) => fillGiven(rule, variables)),
    'session',
    cwd,
  );
  const context = { mode: 'default' as const, rules, cwd, directories: [cwd], isFresh: true };
  const unknown: string[] = [];
  try {
    expandSlashCommand(
      command,
      ARGUMENTS,
      (line, pattern) => {
        const { behavior, message, undecided } = decide('Bash', { command: line }, context);
        if (undecided !== undefined) unknown.push(undecided);
        if (behavior === 'allow' || undecided !== undefined) return '';
        throw new ShellLineError(
          `it runs ${shortenLine(pattern, 60)}, which nothing allows, so the CLI gives it up: ${message}`,
        );
      },
      variables,
    );
    return defined({ undecided: unknown[0] });
  } catch (error) {
    if (!(error instanceof ShellLineError)) throw error;
    const fix =
      'Allow it in the front matter, as in "allowed-tools: Bash(git status:*)", or write the line without ! and `.';
    return { defect: { reason: error.message, fix } };
  }
}
