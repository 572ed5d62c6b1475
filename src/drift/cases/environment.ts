import { type Case, PAYLOADS, RECORD_PAYLOAD, STREAM, say, tool } from '../case.js';
import { JUDGE_SOURCE } from './parts.js';

/** Keeps the names of the variables of the CLI, and some of their values, as if it were the payload of a hook. */
const keep = (who: string): string =>
  [
    `names=$(env | cut -d= -f1 | grep -E '^(CLAUDE|AI_AGENT|COREPACK|GIT_|NoDefault|SHELL$)'`,
    ` | grep -vE 'MESSAGING|EXECPATH|^CLAUDE_CONFIG_DIR$|DISABLE|MAX_RETRIES' | LC_ALL=C sort | sed 's/.*/"&",/' | tr -d '\\n')`,
    `; printf '{"hook_event_name":"environment of ${who}","sent":[%s"%s","%s","%s","%s","%s"]}\\n' "$names" "$AI_AGENT" "$CLAUDE_EFFORT"`,
    ' "$CLAUDE_PROJECT_DIR" "$CLAUDE_PLUGIN_ROOT" "$CLAUDE_PLUGIN_DATA"',
    ` >> "$HOME/../${PAYLOADS}"`,
  ].join('');
const hook = (command: string) => [{ hooks: [{ type: 'command', command }] }];
const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'];
const hooks = Object.fromEntries(EVENTS.map((event) => [event, hook(keep(event))]));

const bash = (command: string) => tool('Bash', { command });
const shell = (name: string, files: Case['files'], commands: string[]): Case => ({
  name: `environment: ${name}`,
  args: [...STREAM, 'go', '--allowedTools', 'Bash'],
  files: { 'sub/file.txt': '', ...files },
  turns: [[...commands.map(bash), say('done')]],
});
const plugin = (name: string, manifest: object, files: Case['files']): Case => ({
  ...shell(name, { 'plug/.claude-plugin/plugin.json': manifest, ...files }, ['true']),
  args: [...STREAM, 'go', '--allowedTools', 'Bash', '--plugin-dir', 'plug'],
});
const SERVER = { command: 'sh', args: ['-c', `${keep('a server')}; exec node server.mjs`] };
const writes = (text: string): string => `echo '${text}' >> "$CLAUDE_ENV_FILE"`;
const project = (byEvent: Record<string, string>) => ({
  '.claude/settings.json': {
    hooks: Object.fromEntries(Object.entries(byEvent).map(([event, command]) => [event, hook(command)])),
  },
});

/** Hooks of a plugin do not hear that the folder changes, unless the settings have one that does. */
const MOVING = { hooks: { CwdChanged: hook(`${RECORD_PAYLOAD}; echo plugin`) } };
const OF_SETTINGS = { '.claude/settings.json': { hooks: { CwdChanged: hook('true') } } };
const moved = (name: string, files: Case['files']): Case => ({
  ...plugin(name, { name: 'plug' }, { 'plug/hooks/hooks.json': MOVING, ...files }),
  turns: [[bash('cd sub'), bash('pwd'), say('done')]],
});

/** What hooks, servers and commands find in their environment, and what hooks can put there. */
export const ENVIRONMENT_CASES: readonly Case[] = [
  shell('of the hooks of a project', { '.claude/settings.json': { hooks } }, ['true']),
  moved('a plugin that waits for another folder', {}),
  moved('a plugin and settings that wait for another folder', OF_SETTINGS),
  plugin('of the hooks of a plugin', { name: 'plug' }, { 'plug/hooks/hooks.json': { hooks } }),
  plugin('of the server of a plugin', { name: 'plug', mcpServers: { own: SERVER } }, { 'server.mjs': JUDGE_SOURCE }),
  shell('of a command', {}, [keep('a command')]),
  ...['false', '0', 'true', 'auto'].map((value) => ({
    name: `environment: ENABLE_TOOL_SEARCH=${value}`,
    args: [...STREAM, 'go'],
    env: { ENABLE_TOOL_SEARCH: value },
    turns: [[say('done')]],
  })),
  shell('a hook of the start sets it', project({ SessionStart: writes('export FOO=bar') }), [
    'echo "FOO is $FOO"',
    'bash -c \'echo "FOO is $FOO"\'',
  ]),
  ...['false', 'exit 3', 'if', 'set -u'].map((text) =>
    shell(`a hook of the start writes "${text}"`, project({ SessionStart: writes(text) }), [
      'echo "A is $A"',
      'false; true',
    ]),
  ),
  shell(
    'two hooks of the start set it',
    {
      ...project({ SessionStart: writes('export FOO=project') }),
      'HOME/.claude/settings.json': {
        hooks: { SessionStart: hook(`sleep 0.3; ${writes('export FOO=user; echo read')}`) },
      },
    },
    ['echo "FOO is $FOO"'],
  ),
  shell('a hook sets it where the folder changes', project({ CwdChanged: writes('export WHERE=sub') }), [
    'cd sub',
    'echo "WHERE is $WHERE"',
  ]),
  shell(
    'others may not',
    project({ UserPromptSubmit: 'echo "file: $CLAUDE_ENV_FILE"', PreToolUse: writes('export A=1') }),
    ['echo "A is $A"'],
  ),
  {
    ...shell(
      'a session that goes on',
      project({ SessionStart: `test -e "$CLAUDE_ENV_FILE" || ${writes('export FOO=old')}` }),
      ['echo "FOO is $FOO"'],
    ),
    args: [...STREAM, 'go', '--allowedTools', 'Bash', '--resume', '77777777-7777-4777-8777-777777777777'],
    before: [{ args: ['-p', 'before', '--session-id', '77777777-7777-4777-8777-777777777777'], turns: [[say('one')]] }],
  },
  {
    ...shell(
      'a line of a command',
      {
        ...project({ SessionStart: writes('export FOO=bar') }),
        '.claude/commands/ask.md': '---\nallowed-tools: Bash\n---\nIt is !`echo "$FOO"`.\n',
      },
      [],
    ),
    args: [...STREAM, '/ask', '--allowedTools', 'Bash'],
  },
];
