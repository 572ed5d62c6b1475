import { pluginFolder } from '../../claude-code/plugins/folder.js';
import type { DeclaredComponent } from '../../plugins/declared/component.js';
import { readPlugin } from '../../plugins/declared/plugin.js';

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

/** Asks for a rehearsal of a plugin, with what its files promise. */
export function askForRehearsal(path: string, focus: string | undefined): string {
  const { root, name, components, issues } = readPlugin(pluginFolder(path));
  return [
    `Write a rehearsal for the Claude Code plugin "${name}" in ${root}.`,
    ...(focus === undefined ? [] : [`Above all, rehearse this: ${focus}`]),
    '',
    components.length === 0 ? 'Its files declare nothing.' : 'Its files declare:',
    ...components.map(describe),
    ...(issues.length === 0
      ? []
      : ['', 'What is wrong with it already:', ...issues.map(({ reason }) => `- ${reason}`)]),
    '',
    'A rehearsal is a TOML file named *.rehearsal.toml. The responses say what the scripted model answers; the steps say what the user sends and what must hold. It looks like this:',
    '',
    '```toml',
    EXAMPLE,
    '```',
    '',
    'Read the plugin’s files first. Cover each command once, each hook once with something that it must block and once with something that it must let pass. Let the scripted answers do what the plugin asks for, so that the checks can fail when the plugin changes. Then play it with the tools of this server, or with: understudy run FILE.',
  ].join('\n');
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
