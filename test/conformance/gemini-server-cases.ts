import { MCP_SERVER } from './gemini-mcp-server.js';
import { type Call, chain, contains, usage } from './gemini-runs.js';
import type { ScriptedCase, ScriptedRun } from './scripted-case.js';

const hi = { text: 'hi' };
const CALLS: readonly Call[] = [
  ['mcp_my_echo', hi],
  ['mcp_my_two', {}],
  ['mcp_my_look.at', {}],
  ['mcp_my_fail', { a: 1 }],
  ['mcp_my_err', {}],
  ['mcp_my_pic', {}],
  ['mcp_my_none', {}],
  ['mcp_my_odd', {}],
  ['mcp_my_promised', {}],
  ['mcp_my_promised', { text: 'x' }],
  ['mcp_my_promised', { text: 'y' }],
];

const RESOURCES: readonly Call[] = [
  ['list_mcp_resources', {}],
  ['list_mcp_resources', { serverName: 'none' }],
  ['read_mcp_resource', { uri: 'file:///a' }],
  ['read_mcp_resource', { uri: 'my:file:///a' }],
  ['read_mcp_resource', { uri: 'x:b' }],
  ['read_mcp_resource', { uri: 'x:c' }],
];

const SCENARIO = {
  responses: [
    { pattern: contains('calls'), response: chain(CALLS) },
    { pattern: contains('resources'), response: chain(RESOURCES) },
    { pattern: contains('echo'), response: chain(CALLS.slice(0, 1)) },
    { pattern: contains('short'), response: chain([['echo', hi]]) },
    { pattern: contains('claude'), response: chain([['mcp__my__echo', hi]]) },
    { pattern: contains('wrong'), response: chain([['mcp_my_echo', { text: 3 }]]) },
    { pattern: contains('lack'), response: chain([['mcp_my_echo', {}]]) },
    {
      pattern: contains('die'),
      response: chain([
        ['mcp_my_die', {}],
        ['mcp_my_echo', hi],
      ]),
    },
    { pattern: contains('which'), response: { tool_calls: [{ tool: 'nosuch', input: {} }] } },
    {
      pattern: contains('ask two'),
      response: chain([
        ['mcp_your_echo', hi],
        ['mcp_my_echo', hi],
      ]),
    },
    { pattern: { type: 'any' }, response: { text: '<{{prompt}}>', usage } },
  ],
};

const server = (more: object = {}, ...words: string[]): object => ({
  command: 'node',
  args: ['s.mjs', ...words],
  ...more,
});
const my = (more: object = {}, ...words: string[]): object => ({ mcpServers: { my: server(more, ...words) } });
const events = (...args: string[]): ScriptedRun => ({ args: ['-o', 'stream-json', ...args] });
const FILES = { 's.mjs': MCP_SERVER, 'sub/s.mjs': MCP_SERVER };
const one = (
  name: string,
  settings: object,
  run: ScriptedRun | readonly ScriptedRun[],
  more: Partial<ScriptedCase> = {},
): ScriptedCase => ({
  ...{ name: `server: ${name}`, runs: [run].flat(), scenario: SCENARIO },
  files: { ...FILES, '.gemini/settings.json': JSON.stringify(settings) },
  ...more,
});
const heard: Pick<ScriptedCase, 'written'> = { written: ['heard.txt'] };
const which = events('-y', '-p', 'which');
const TWO = { mcpServers: { your: server({}), my: server({ trust: true }) } };
const ODD = { mcpServers: { 'my srv!': server({ trust: true }) } };
const USER = { GEMINI_CLI_HOME: '/ROOT/work/user' };

/** MCP servers of the settings. */
export const GEMINI_SERVER_CASES: readonly ScriptedCase[] = [
  one('its tools', my({}), events('-y', '-p', 'calls')),
  one('its tools, as a document', my({}), { args: ['-y', '-o', 'json', '-p', 'calls'] }),
  one('its tools, as text', my({}), { args: ['-y', '-p', 'calls'] }),
  one('what it hears', my({}), events('-y', '-p', 'echo'), heard),
  one('what it hears, with everything', my({}, 'all'), events('-y', '-p', 'echo'), heard),
  one('with resources', my({}, 'all', 'resources'), events('-p', 'resources'), heard),
  one('with resources, which tools', my({}, 'all', 'resources'), which),
  one('with resources, in a plan', my({}, 'all', 'resources'), events('--approval-mode=plan', '-p', 'which')),
  one('not used', my({}), events('-p', 'hello'), heard),
  one('a tool by its own name', my({}), events('-y', '-p', 'short')),
  one('a tool by another name', my({}), events('-y', '-p', 'claude')),
  one('a wrong argument', my({}), events('-y', '-p', 'wrong')),
  one('an argument that is missing', my({}), events('-y', '-p', 'lack')),
  one('that dies', my({}), events('-y', '-p', 'die')),
  one('which tools', my({}), which),
  one('which tools, without approval', my({}), events('-p', 'which')),
  one('which tools, with edits', my({}), events('--approval-mode', 'auto_edit', '-p', 'which')),
  one('which tools, in a plan', my({}), events('--approval-mode', 'plan', '-p', 'which')),
  one('trusted', my({ trust: true }), events('-p', 'echo')),
  one('trusted, in a plan', my({ trust: true }), events('--approval-mode', 'plan', '-p', 'which')),
  one('some tools', my({ includeTools: ['echo', 'two(x)', 'err'], excludeTools: ['err'] }), which),
  one('a folder', my({ cwd: 'sub' }, 'place'), events('-y', '-p', 'echo'), { written: ['sub/heard.txt', 'heard.txt'] }),
  one(
    'its environment',
    my(
      { env: { OWN: '$FOO/${MY_TOKEN}/${NONE:-d}', OWN_KEY: 'k', NODE_OPTIONS: 'x', GEMINI_API_KEY: 'mine' } },
      'environment',
    ),
    {
      ...events('-p', 'hello'),
      env: { FOO: 'f', MY_TOKEN: 't', MY_SECRET: 's', GOOGLE_CLOUD_PROJECT: 'p', GEMINI_X: 'x' },
    },
    heard,
  ),
  one('not there', { mcpServers: { my: { command: 'nosuch-program' } } }, which),
  one('not there, as text', { mcpServers: { my: { command: 'nosuch-program' } } }, { args: ['-y', '-p', 'hello'] }),
  one('that ends at once', { mcpServers: { my: { command: 'true' } } }, which),
  one('that refuses', my({}, 'refuse'), which, heard),
  one('that has nothing', my({}, 'nothing'), which, heard),
  one('of no kind', { mcpServers: { my: { args: ['x'] } } }, which),
  one('allowed', { ...my({}), mcp: { allowed: ['my'] } }, events('-p', 'echo')),
  one('another allowed', { ...my({}), mcp: { allowed: ['your'] } }, which),
  one('excluded', { ...my({}), mcp: { excluded: ['my'] } }, which),
  one('allowed and excluded', { ...my({}), mcp: { allowed: ['my'], excluded: ['my'] } }, which),
  one('allowed by the command line', my({}), events('--allowed-mcp-server-names', 'my,your', '-p', 'echo')),
  one('another allowed by the command line', my({}), events('--allowed-mcp-server-names', 'your', '-y', '-p', 'which')),
  one(
    'allowed by the command line, excluded by settings',
    { ...my({}), mcp: { excluded: ['my'] } },
    events('--allowed-mcp-server-names=my', '-p', 'which'),
  ),
  one('allowed without anybody', { ...my({}), mcp: { autoAllowInHeadless: true } }, events('-p', 'echo')),
  one('a tool that is allowed', my({}), events('--allowed-tools', 'mcp_my_echo', '-p', 'which')),
  one('tools that are allowed', my({}), events('--allowed-tools', 'mcp_my_*', '-p', 'which')),
  one('a tool that is excluded', { ...my({}), tools: { exclude: ['mcp_my_echo'] } }, which),
  one('a tool that is excluded by its own name', { ...my({}), tools: { exclude: ['echo'] } }, which),
  one('tools that are excluded', { ...my({}), tools: { exclude: ['mcp_my_*'] } }, which),
  one('core tools of a server', { ...my({}), tools: { core: ['read_file', 'mcp_my_echo'] } }, events('-p', 'which')),
  one('core tools', { ...my({}), tools: { core: ['read_file'] } }, events('-p', 'which')),
  one('core tools, trusted', { ...my({ trust: true }), tools: { core: ['read_file'] } }, events('-p', 'which')),
  one('two', TWO, events('-y', '-p', 'ask two')),
  one('two, which tools', TWO, which),
  one('two, which tools, without approval', TWO, events('-p', 'which')),
  one('an odd name', ODD, which),
  one('an odd name, without approval', ODD, events('-p', 'which')),
  one(
    'of the user and of the project',
    { mcpServers: { my: server({ includeTools: ['echo'] }) } },
    [{ ...which, env: USER }],
    {
      files: {
        ...FILES,
        '.gemini/settings.json': JSON.stringify({ mcpServers: { my: server({ includeTools: ['echo'] }) } }),
        'user/.gemini/settings.json': JSON.stringify({
          security: { auth: { selectedType: 'gemini-api-key' } },
          mcpServers: { my: server({ trust: true }), your: server({ includeTools: ['two'] }) },
        }),
      },
    },
  ),
];
