import { pluginFolder } from '@understudy/agents';
import { type DeclaredComponent, type DeclaredPlugin, readPlugin } from '@understudy/stage';

const EXAMPLE = `name = "explore leads to plan"
agent = "claude"
plugins = ["../plugins/NAME"]
project = { type = "cli", language = "python", git = true }

[[responses]]
pattern = { type = "command", name = "explore" }
response = { text = "The entry point is small. Next, run /plan.", tool_calls = [
  { tool = "Glob", input = { pattern = "**/*.py" } },
] }

[[steps]]
send = "/explore the database layer"
[steps.expect]
suggests = "/plan"
tools = { any = ["Glob"] }
command = { name = "explore", expands_to = "database layer" }
plugins = "clean"`;

/** Asks to test a plugin from the first look to green, with the tools of this server. */
export function askToRehearse(path: string): string {
  const plugin = readPlugin(pluginFolder(path));
  return [
    `Rehearse the Claude Code plugin "${plugin.name}" in ${plugin.root}: find out whether it does what it promises, and repair it if it does not.`,
    '',
    ...describePlugin(plugin),
    '',
    `1. inspect_plugin { "path": ${JSON.stringify(plugin.root)} } reports what the real Claude Code loads of it. Repair what failed.`,
    `2. Read its files, and write a rehearsal with write_rehearsal, below ${plugin.root}/rehearsals: each command with its arguments, each hook with an action that it must block and one that it must let pass, each skill and agent once.`,
    '3. run_rehearsal reports each check that failed, with what was seen. Repair the plugin if it breaks its promise, the rehearsal if it expects what was not promised.',
    '4. Run it again until it is green. Then break the plugin on purpose, see that the rehearsal goes red, and undo it.',
    '',
    'A check that could not be made ("unjudged") is not green. Say at the end what you repaired, and what the rehearsal does not cover.',
  ].join('\n');
}

/** Asks for a rehearsal of a plugin, with what its files promise. */
export function askForRehearsal(path: string, focus: string | undefined): string {
  const plugin = readPlugin(pluginFolder(path));
  return [
    `Write a rehearsal for the Claude Code plugin "${plugin.name}" in ${plugin.root}.`,
    ...(focus === undefined ? [] : [`Above all, rehearse this: ${focus}`]),
    '',
    ...describePlugin(plugin),
    '',
    'A rehearsal is a TOML file named *.rehearsal.toml. The responses say what the scripted model answers; the steps say what the user sends and what must hold. It looks like this:',
    '',
    '```toml',
    EXAMPLE,
    '```',
    '',
    'Read the plugin’s files first. Cover each command once, each hook once with something that it must block and once with something that it must let pass. Let the scripted answers do what the plugin asks for, so that the checks can fail when the plugin changes. Write it with write_rehearsal and play it with run_rehearsal, or with: understudy run FILE.',
  ].join('\n');
}

function describePlugin({ components, issues }: DeclaredPlugin): string[] {
  return [
    components.length === 0 ? 'Its files declare nothing.' : 'Its files declare:',
    ...components.map(describe),
    ...(issues.length === 0
      ? []
      : ['', 'What is wrong with it already:', ...issues.map(({ reason }) => `- ${reason}`)]),
  ];
}

function describe(component: DeclaredComponent): string {
  const note = component.issue === undefined ? '' : ` (broken: ${component.issue.reason})`;
  switch (component.kind) {
    case 'hook':
      return `- hook ${component.event}${component.matcher === '' ? '' : ` on ${component.matcher}`}: ${component.text}${note}`;
    case 'server':
      return `- MCP server ${component.name}: ${component.how ?? component.file}${note}`;
    default:
      return `- ${component.kind} ${component.names[0]} in ${component.file}${component.description === undefined ? '' : `: ${component.description}`}${note}`;
  }
}
