/** A command that the rehearsal sends. */
export interface CommandToSend {
  /** The name with its plugin: `agent-loop:explore`. */
  name: string;
  takesArguments: boolean;
  /** A line of its text that the model gets unchanged. */
  line?: string;
}

export interface RehearsalOptions {
  plugin: string;
  /** The path from the rehearsal to the plugin. */
  path: string;
  commands: readonly CommandToSend[];
  /** Hooks that run only when a tool is called, such as PreToolUse on Write. */
  toolHooks: readonly { event: string; matcher: string }[];
  hasPromptHook: boolean;
}

/** The text of a first rehearsal: one step for each command, with its checks. */
export function rehearsalText(options: RehearsalOptions): string {
  const { plugin, path, commands, toolHooks } = options;
  const what = commands.length === 0 ? 'it loads' : 'its commands expand';
  return `${[
    `# A first rehearsal of ${plugin}. [[responses]] are what the model answers. [[steps]] are what the user`,
    '# says, and what must be true after the turn.',
    `name = ${quote(`${plugin}: ${what}`)}`,
    'agent = "claude"',
    `plugins = [${quote(path)}]`,
    'project = { type = "cli", language = "python", git = true }',
    ...(commands.length === 0 ? greeting(options) : commands.flatMap((command) => commandStep(command, options))),
    ...toolHooks.flatMap(hookHint),
  ].join('\n')}\n`;
}

function commandStep({ name, takesArguments, line }: CommandToSend, options: RehearsalOptions): string[] {
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
    ...always(options),
  ];
}

function greeting(options: RehearsalOptions): string[] {
  return [
    '',
    '[[responses]]',
    'pattern = { type = "contains", text = "hello" }',
    'response = "Hello."',
    '',
    '[[steps]]',
    'send = "hello"',
    '[steps.expect]',
    ...always(options),
  ];
}

function always({ plugin, hasPromptHook }: RehearsalOptions): string[] {
  return [`plugins = [${quote(plugin)}]`, ...(hasPromptHook ? ['hooks = [{ event = "UserPromptSubmit" }]'] : [])];
}

/** A hook on a tool runs when the script calls the tool. Only the author knows a good input, so this is a comment. */
function hookHint({ event, matcher }: { event: string; matcher: string }): string[] {
  const [tool = 'Bash'] = matcher.split('|').filter((name) => /^[A-Za-z]\w*$/.test(name));
  const on = matcher === '' || matcher === '*' ? 'every tool' : matcher;
  return [
    '',
    `# ${event} on ${on}: to test it, call the tool in a response and expect the hook.`,
    `# response = { text = "Done.", tool_calls = [{ tool = ${quote(tool)}, input = {} }] }`,
    `# hooks = [{ event = ${quote(event)}, on = ${quote(tool)}${event === 'PreToolUse' ? ', blocked = true' : ''} }]`,
  ];
}

/** A JSON string is also a TOML string, except for one character that TOML wants escaped. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}
