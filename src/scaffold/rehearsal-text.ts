/** A command to be rehearsed. */
export interface CommandToTry {
  /** With the plugin's name: `agent-loop:explore`. */
  name: string;
  takesArguments: boolean;
  /** A line of its text that reaches the model as it stands. */
  line?: string;
}

export interface RehearsalToWrite {
  plugin: string;
  /** From the rehearsal to the plugin. */
  path: string;
  commands: readonly CommandToTry[];
  /** `PreToolUse on Write`: hooks that need a tool call to be seen. */
  toolHooks: readonly { event: string; matcher: string }[];
  hasPromptHook: boolean;
}

/** A first rehearsal as its author would write it: one step for each command, and what must hold. */
export function rehearsalText(wanted: RehearsalToWrite): string {
  const { plugin, path, commands, toolHooks } = wanted;
  const what = commands.length === 0 ? 'it loads' : 'its commands expand';
  return `${[
    `# A first rehearsal of ${plugin}. The [[responses]] are what the model says; the [[steps]] are what`,
    '# the user says, and what must hold when the turn is over.',
    `name = ${quote(`${plugin}: ${what}`)}`,
    'agent = "claude"',
    `plugins = [${quote(path)}]`,
    'project = { type = "cli", language = "python", git = true }',
    ...(commands.length === 0 ? greeting(wanted) : commands.flatMap((command) => commandStep(command, wanted))),
    ...toolHooks.flatMap(hookHint),
  ].join('\n')}\n`;
}

function commandStep({ name, takesArguments, line }: CommandToTry, wanted: RehearsalToWrite): string[] {
  const expands = line === undefined ? '' : `, expands_to = ${quote(line)}`;
  return [
    '',
    '[[responses]]',
    `pattern = { type = "command", name = ${quote(name)} }`,
    `response = ${quote(`Done with ${name}.`)}`,
    '',
    '[[steps]]',
    `send = ${quote(`/${name}${takesArguments ? ' the example' : ''}`)}`,
    '[steps.expect]',
    `command = { name = ${quote(name)}${expands} }`,
    ...always(wanted),
  ];
}

function greeting(wanted: RehearsalToWrite): string[] {
  return [
    '',
    '[[responses]]',
    'pattern = { type = "contains", text = "hello" }',
    'response = "Hello."',
    '',
    '[[steps]]',
    'send = "hello"',
    '[steps.expect]',
    ...always(wanted),
  ];
}

function always({ plugin, hasPromptHook }: RehearsalToWrite): string[] {
  return [`plugins = [${quote(plugin)}]`, ...(hasPromptHook ? ['hooks = [{ event = "UserPromptSubmit" }]'] : [])];
}

/** A hook on a tool fires when the script calls the tool: only the author knows with what. */
function hookHint({ event, matcher }: { event: string; matcher: string }): string[] {
  const [tool = 'Bash'] = matcher.split('|').filter((name) => /^[A-Za-z]\w*$/.test(name));
  const on = matcher === '' || matcher === '*' ? 'every tool' : matcher;
  return [
    '',
    `# ${event} on ${on}: to see it, let a response call the tool, and expect the hook.`,
    `# response = { text = "Done.", tool_calls = [{ tool = ${quote(tool)}, input = {} }] }`,
    `# hooks = [{ event = ${quote(event)}, on = ${quote(tool)}${event === 'PreToolUse' ? ', blocked = true' : ''} }]`,
  ];
}

/** A JSON string is a TOML string too, but for the one character that TOML wants escaped. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}
