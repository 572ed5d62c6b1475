import { casesWith } from './codex-case.js';
import type { ScriptedCase, ScriptedRun } from './scripted-case.js';

/** Codex's home within the project, so that what it writes there can be compared. */
const HOME = 'home/config.toml';
const env = { CODEX_HOME: '/ROOT/work/home' };

const mcp = (...args: string[]): ScriptedRun => ({ args: ['mcp', ...args], env });

const one = casesWith({
  scenario: { responses: [{ pattern: { type: 'any' }, response: 'Hello.', optional: true }] },
  files: { [HOME]: '' },
  written: [HOME],
});
const withSettings = (text: string): Pick<ScriptedCase, 'files'> => ({ files: { [HOME]: text } });

// Nobody listens there.
const ADDRESS = 'http://127.0.0.1:9/mcp';

// One variable each: Codex prints several in any order.
const SERVERS = `# mine
model = "m" # keep

[features]
plugins = false

# about b
[mcp_servers.b] # the first
command = "run" # it
args = [ "1",
  "two words" ]
startup_timeout_sec = 5
enabled_tools = ["t"]
cwd = "/x"
[mcp_servers.b.env]
K = "v"

[mcp_servers.a]
url = "${ADDRESS}"
http_headers = { A = "b" }
enabled = false

[mcp_servers."c.d"]
url = "${ADDRESS}"
bearer_token_env_var = "TOKEN"
env_http_headers = { C = "D" }
tool_timeout_sec = 1.5
disabled_tools = ["u", "v"]

# about the end
[tui]
theme = "x"
`;

const LISTS = [
  one('servers, where there are none', mcp('list')),
  one('servers, where there are none, as JSON', mcp('list', '--json')),
  one('servers', mcp('list'), withSettings(SERVERS)),
  one('servers, as JSON', mcp('list', '--json'), withSettings(SERVERS)),
  one('servers of the command line', [
    { args: ['-c', 'mcp_servers.z.command="q"', 'mcp', 'list'], env },
    mcp('-c', 'mcp_servers.z.command="q"', 'list'),
    mcp('list', '-c', 'mcp_servers.z={command="q", args=["x"]}'),
  ]),
  one(
    'servers of a profile',
    { args: ['-p', 'work', 'mcp', 'list'], env },
    {
      files: { [HOME]: '', 'home/work.config.toml': '[mcp_servers.w]\ncommand = "x"\n' },
    },
  ),
  ...['a', 'b', 'c.d', 'none'].flatMap((name) => [
    one(`the server ${name}`, mcp('get', name), withSettings(SERVERS)),
    one(`the server ${name}, as JSON`, mcp('get', name, '--json'), withSettings(SERVERS)),
  ]),
  one('a server whose command is a number', mcp('list'), withSettings('[mcp_servers.b]\ncommand = 3\n')),
  one('a server of no kind', mcp('list'), withSettings('[mcp_servers.b]\nargs = []\n')),
  one('a server of two kinds', mcp('list'), withSettings('[mcp_servers.b]\ncommand = "a"\nurl = "b"\n')),
  one('servers in settings that are no TOML', mcp('list'), { ...withSettings('x = [\n'), onlyCode: true }),
  one('servers in settings that are wrong', mcp('list'), withSettings('model = 3\n')),
];

const ADDED = [
  one('a new server', [mcp('add', 'one', '--', 'node', 's.mjs', '--x', 'a b'), mcp('list'), mcp('get', 'one')]),
  one('a new server among others', [mcp('add', 'one', '--', 'node'), mcp('list')], withSettings(SERVERS)),
  one('a server that is there already', mcp('add', 'b', '--env', 'Z=1', '--env', 'B=x=y', '--', 'other'), {
    ...withSettings(SERVERS),
  }),
  one('a new server with an address', [mcp('add', 'w', '--url', ADDRESS), mcp('list')]),
  one('a new server with a token', [mcp('add', '--url', ADDRESS, 'w', '--bearer-token-env-var', 'T'), mcp('list')]),
  one('a new server with an address that is none', mcp('add', 'w', '--url', 'nowhere')),
  one('a new server without two dashes', mcp('add', 'one', 'cmd', '-x', '--url', 'u', '--', 'y')),
  one('a new server behind a first line', mcp('add', 'one', '--', 'x'), withSettings('model = "m"')),
  ...[`a"b`, `a'b`, `a'b"c`, 'a\\b', 'a\tb', '', 'é', 'two words'].map((text) =>
    one(`a new server with the word ${text}`, mcp('add', 'one', '--env', `A b=${text}`, '--', 'x', text)),
  ),
  one('a new server with a dot in its name', mcp('add', 'a.b', '--', 'x')),
  one('a new server with a wrong name', mcp('add', 'a b', '--', 'x')),
  one('a new server without a command', mcp('add', 'x')),
  one('a new server without anything', mcp('add')),
  one('a new server with two commands', mcp('add', 'x', '--url', ADDRESS, '--', 'y')),
  one('a new server with an address and variables', mcp('add', '--env', 'A=1', 'x', '--url', ADDRESS)),
  one('a new server with a command and a token', mcp('add', 'x', '--bearer-token-env-var', 'T', '--', 'y')),
  one('a new server with half a variable', mcp('add', 'x', '--env', 'A', '--', 'y')),
  one('a new server in wrong settings', mcp('add', 'x', '--', 'y'), withSettings('[mcp_servers.b]\nargs = []\n')),
];

const REMOVED = [
  one('a server that goes', mcp('remove', 'b'), withSettings(SERVERS)),
  one('a server that goes, and comes back', [mcp('remove', 'b'), mcp('add', 'b', '--', 'y')], withSettings(SERVERS)),
  one('the last server that goes', [mcp('add', 'one', '--', 'x'), mcp('remove', 'one')], withSettings('model = "m"\n')),
  one('a server that is not there goes', mcp('remove', 'none'), withSettings(SERVERS)),
  one('a server with a wrong name goes', mcp('remove', 'a b')),
];

const WRONG = [
  one('a server without a name', mcp('get')),
  one('a server without a name goes', mcp('remove')),
  one('two names of servers', mcp('get', 'x', 'y')),
  one('a word too many for the list of servers', mcp('list', 'x')),
  one('an unknown flag for the list of servers', mcp('list', '--bogus')),
  one('an unknown flag for a server', mcp('get', '--bogus')),
  one('nothing to do with servers', mcp(), { onlyCode: true }),
  one('an unknown thing to do with servers', mcp('bogus'), { onlyCode: true }),
  one('help about servers', [mcp('--help'), mcp('help'), mcp('add', '--help')], { onlyCode: true }),
];

export const MCP_CASES: readonly ScriptedCase[] = [...LISTS, ...ADDED, ...REMOVED, ...WRONG];
