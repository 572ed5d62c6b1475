import { TOOLBOX } from '../copy.js';
import type { Catalogue, Fault, Sound } from '../fault.js';

const PLUGIN = 'plugins/toolbox';
const MANIFEST = `${PLUGIN}/.claude-plugin/plugin.json`;
const HOOKS = `${PLUGIN}/hooks/hooks.json`;
const GATE = `${PLUGIN}/hooks/gate.sh`;
const SERVERS = `${PLUGIN}/.mcp.json`;
const SERVER = `${PLUGIN}/servers/echo.mjs`;
const GREET = `${PLUGIN}/commands/greet.md`;
const READER = `${PLUGIN}/agents/reader.md`;
const SKILL = `${PLUGIN}/skills/measure/SKILL.md`;

/** A description of several lines, as many have it: it is no YAML, and the CLI drops all of the front matter. */
const EXAMPLES = `Use it when asked. Examples:

<example>
user: "read it"
assistant: "I use it: it reads"
</example>`;

const faults: Record<string, Fault> = {
  'a hook for an event that does not exist': {
    plant: (copy) => copy.edit(HOOKS, '"PreToolUse"', '"PreToolUze"'),
    red: { command: 'plugins are sound', gate: 'plugins are sound' },
  },
  'a manifest that is no JSON': {
    plant: (copy) => copy.edit(MANIFEST, '"version": "1.0.0",', '"version": "1.0.0"'),
    red: { server: 'plugins are sound' },
  },
  'a manifest without a name': {
    plant: (copy) => copy.edit(MANIFEST, '"name": "toolbox",', ''),
    red: { skill: 'plugins are sound' },
  },
  'a manifest that names a file of hooks that is not there': {
    plant: (copy) => copy.edit(MANIFEST, '"version"', '"hooks": "./hooks/more.json", "version"'),
    red: { command: 'plugins are sound' },
  },
  'a manifest that names a folder of commands that is not there': {
    plant: (copy) => copy.edit(MANIFEST, '"version"', '"commands": ["./orders"], "version"'),
    red: { skill: 'plugins are sound' },
  },
  'hooks that are no JSON': {
    plant: (copy) => copy.edit(HOOKS, '"hooks": {', '"hooks": {{'),
    red: { command: 'plugins are sound', gate: 'hook' },
  },
  'hooks without the key around them': {
    plant: (copy) =>
      copy.write(HOOKS, '{ "PreToolUse": [{ "hooks": [{ "type": "command", "command": "exit 2" }] }] }\n'),
    red: { command: 'plugins are sound' },
  },
  'a hook of an unknown type': {
    plant: (copy) => copy.edit(HOOKS, '"type": "command"', '"type": "comand"'),
    red: { command: 'plugins are sound' },
  },
  'a matcher in lower case': {
    plant: (copy) => copy.edit(HOOKS, '"Write|Edit"', '"write|edit"'),
    red: { command: 'plugins are sound', gate: 'hook' },
  },
  'a matcher with a tool misspelt': {
    plant: (copy) => copy.edit(HOOKS, '"Write|Edit"', '"Wriet|Edti"'),
    red: { command: 'plugins are sound', gate: 'hook' },
  },
  'a matcher for a source that does not exist': {
    plant: (copy) => copy.edit(HOOKS, '"startup"', '"start-up"'),
    red: { command: 'plugins are sound' },
  },
  'a hook whose script is not there': {
    plant: (copy) => copy.remove(GATE),
    red: { gate: 'hook', command: 'plugins are sound' },
  },
  'a hook whose program is not there': {
    plant: (copy) => copy.edit(HOOKS, '\\"${CLAUDE_PLUGIN_ROOT}\\"/hooks/context.sh', 'no-such-program-here'),
    red: { command: 'plugins are sound' },
  },
  'a hook whose script may not be run': {
    plant: (copy) =>
      copy.edit(HOOKS, '\\"${CLAUDE_PLUGIN_ROOT}\\"/hooks/gate.sh', '\\"${CLAUDE_PLUGIN_ROOT}\\"/README.md'),
    red: { gate: 'hook' },
  },
  'a hook that dies before it looks': {
    plant: (copy) => copy.edit(GATE, 'if grep', 'exit 1\nif grep'),
    red: { gate: 'hook' },
  },
  'a hook that dies where it should let pass': {
    plant: (copy) => copy.append(GATE, 'no-such-program-here\n'),
    red: { gate: 'hook' },
  },
  'a hook that blocks with the wrong exit code': {
    plant: (copy) => copy.edit(GATE, 'exit 2', 'exit 3'),
    red: { gate: 'hook' },
  },
  'a hook that blocks too much': {
    plant: (copy) => copy.edit(GATE, "'secrets\\.txt'", "'txt'"),
    red: { gate: 'hook' },
  },
  'a hook that blocks too little': {
    plant: (copy) => copy.edit(GATE, "'secrets\\.txt'", "'never\\.txt'"),
    red: { gate: 'hook' },
  },
  'a hook of the prompt that dies': {
    plant: (copy) => copy.append(`${PLUGIN}/hooks/context.sh`, 'exit 1\n'),
    red: { skill: 'hooks are alive' },
  },
  'a hook at the end of a turn that dies': {
    plant: (copy) =>
      copy.edit(
        HOOKS,
        '"PostToolUse"',
        '"Stop": [{ "hooks": [{ "type": "command", "command": "exit 127" }] }],\n    "PostToolUse"',
      ),
    red: { skill: 'hooks are alive' },
  },
  'a hook after a tool that dies': {
    plant: (copy) => copy.append(`${PLUGIN}/hooks/review.sh`, 'exit 4\n'),
    red: { command: 'hooks are alive' },
  },
  'a hook under another event': {
    plant: (copy) => copy.edit(HOOKS, '"PreToolUse"', '"PostToolUseFailure"'),
    red: { gate: 'hook' },
  },
  'a server whose script is not there': {
    plant: (copy) => copy.remove(SERVER),
    red: { server: 'MCP server up', skill: 'plugins are sound' },
  },
  'a server whose program is not there': {
    plant: (copy) => copy.edit(SERVERS, '"node"', '"no-such-program-here"'),
    red: { server: 'MCP server up' },
  },
  'a server that dies at its start': {
    plant: (copy) => copy.edit(SERVER, 'const tools', 'process.exit(7);\nconst tools'),
    red: { server: 'MCP server up' },
  },
  'a server whose tool has another name': {
    plant: (copy) => copy.edit(SERVER, "name: 'say'", "name: 'tell'"),
    red: { server: 'tools: calls' },
  },
  'a server whose tool fails': {
    plant: (copy) => copy.edit(SERVER, 'content: [{', 'isError: true, content: [{'),
    red: { server: 'tools: calls' },
  },
  'a server with another name': {
    plant: (copy) => copy.edit(SERVERS, '"echo"', '"ecko"'),
    red: { server: 'MCP server up' },
  },
  'servers that are no JSON': {
    plant: (copy) => copy.edit(SERVERS, '"mcpServers": {', '"mcpServers": {{'),
    red: { server: 'MCP server up', skill: 'plugins are sound' },
  },
  'a command without its arguments': {
    plant: (copy) => copy.edit(GREET, '$ARGUMENTS', '$ARGUMENT'),
    red: { command: 'command expanded' },
  },
  'a command renamed': {
    plant: (copy) => copy.rename(GREET, `${PLUGIN}/commands/welcome.md`),
    red: { command: 'outcome' },
  },
  'a command in the wrong folder': {
    plant: (copy) => copy.rename(GREET, `${PLUGIN}/.claude-plugin/commands/greet.md`),
    red: { command: 'outcome' },
  },
  'a command that does not allow its own tool': {
    plant: (copy) => copy.edit(GREET, 'Bash(touch:*)', 'Bash(torch:*)'),
    red: { command: 'permission' },
  },
  'a command whose front matter is never closed': {
    plant: (copy) => copy.edit(GREET, '\n---\nGreet', '\nGreet'),
    red: { command: 'plugins are sound' },
  },
  'an agent whose front matter is dropped': {
    plant: (copy) =>
      copy.edit(READER, 'description: Reads one file and tells what is in it', `description: ${EXAMPLES}`),
    red: { agent: 'plugins are sound' },
  },
  'an agent with a tool that does not exist': {
    plant: (copy) => copy.edit(READER, 'tools: Read', 'tools: Raed'),
    red: { agent: 'tools: calls' },
  },
  'an agent without the tool that it needs': {
    plant: (copy) => copy.edit(READER, 'tools: Read', 'tools: Grep'),
    red: { agent: 'tools: calls' },
  },
  'an agent with another name': {
    plant: (copy) => copy.edit(READER, 'name: reader', 'name: lector'),
    red: { agent: 'tools: calls' },
  },
  'a skill that is missing': {
    plant: (copy) => copy.remove(`${PLUGIN}/skills/measure`),
    red: { skill: 'tools: calls' },
  },
  'a skill whose front matter is dropped': {
    plant: (copy) => copy.edit(SKILL, 'description: How lengths are measured here', `description: ${EXAMPLES}`),
    red: { skill: 'plugins are sound' },
  },
  'a command whose front matter is dropped': {
    plant: (copy) => copy.edit(GREET, 'description: Greet somebody by name', `description: ${EXAMPLES}`),
    red: { command: 'plugins are sound' },
  },
};

const sound: Record<string, Sound> = {
  'nothing changed': {
    plant: () => undefined,
    green: ['command', 'gate', 'server', 'skill', 'agent', 'shell'],
  },
  'a server that says something that is no JSON': {
    plant: (copy) => copy.edit(SERVER, 'const result =', 'process.stdout.write("{ oops\\n");\n  const result ='),
    green: ['server'],
  },
  'a skill in another folder': {
    plant: (copy) => copy.rename(`${PLUGIN}/skills/measure`, `${PLUGIN}/skills/measuring`),
    green: ['skill'],
  },
  'a manifest that names one skill': {
    plant: (copy) => copy.edit(MANIFEST, '"version"', '"skills": ["./skills/measure"], "version"'),
    green: ['skill'],
  },
  'a folder without a skill among the skills': {
    plant: (copy) => copy.write(`${PLUGIN}/skills/notes/README.md`, 'Ideas for skills.\n'),
    green: ['skill'],
  },
  'a folder of workflows': {
    plant: (copy) => copy.write(`${PLUGIN}/workflows/build.md`, '# Build\n'),
    green: ['command'],
  },
  'a skill with a title': {
    plant: (copy) => copy.edit(SKILL, 'name: measure', 'name: Measuring Lengths'),
    green: ['skill'],
  },
  'a matcher for tools of another server': {
    plant: (copy) => copy.edit(HOOKS, '"Write|Edit"', '"Write|mcp__github__.*"'),
    green: ['gate'],
  },
  'a matcher that is a star': {
    plant: (copy) => copy.edit(HOOKS, '"matcher": "Bash"', '"matcher": "*"'),
    green: ['command'],
  },
  'a hook with a time limit': {
    plant: (copy) => copy.edit(HOOKS, '"type": "command", "command"', '"type": "command", "timeout": 30, "command"'),
    green: ['gate'],
  },
  'a plugin without a manifest': {
    plant: (copy) => copy.remove(`${PLUGIN}/.claude-plugin`),
    green: ['command', 'skill'],
  },
  'a command in a folder of its own': {
    plant: (copy) => copy.write(`${PLUGIN}/commands/deep/inner.md`, 'An inner command.\n'),
    green: ['command'],
  },
  'a description with a colon': {
    plant: (copy) => copy.edit(READER, 'description: Reads one file and', 'description: Reads: one file and'),
    green: ['agent'],
  },
  'hooks that go on in the background': {
    plant: (copy) => {
      copy.append(`${PLUGIN}/hooks/start.sh`, 'exit 0\n');
      copy.edit(`${PLUGIN}/hooks/start.sh`, 'echo', `echo '{"async": true}'\nsleep 600\necho`);
      copy.edit(
        HOOKS,
        '"PostToolUse"',
        '"Stop": [{ "hooks": [{ "type": "command", "command": "sleep 600", "async": true }] }],\n    "PostToolUse"',
      );
    },
    green: ['skill'],
  },
  'a hook that dies as it is expected to': {
    plant: (copy) => {
      copy.append(`${PLUGIN}/hooks/context.sh`, 'exit 4\n');
      copy.edit(
        'rehearsals/skill.rehearsal.toml',
        '[steps.expect]',
        '[steps.expect]\nhooks = [{ event = "UserPromptSubmit", exit_code = 4 }]',
      );
    },
    green: ['skill'],
  },
  'a broken plugin that is expected': {
    plant: (copy) => {
      copy.edit(HOOKS, '"startup"', '"start-up"');
      copy.edit('rehearsals/skill.rehearsal.toml', '[steps.expect]', '[steps.expect]\nplugins = "any"');
    },
    green: ['skill'],
  },
};

export const toolboxPlugins: Catalogue = { subject: 'plugin', base: TOOLBOX, faults, sound };
