import { type Case, type Run, STREAM, say, tool } from '../case.js';
import { JUDGE_SOURCE } from './parts.js';

/** A server that answers, one that ends at once, one that is not there, and an address at which nobody is. */
const SERVED = ['--', 'node', 'server.mjs'];
const NOBODY = 'http://127.0.0.1:9/mcp';

const mcp = (...args: string[]): Run => ({ args: ['mcp', ...args] });
const add = (name: string, ...more: string[]): Run => mcp('add', name, ...more);

/** A command about servers, after some others. */
const setup = (name: string, args: string[], before: Run[] = [], files: Case['files'] = {}): Case => ({
  name: `setup: ${name}`,
  args: ['mcp', ...args],
  files: { 'server.mjs': JUDGE_SOURCE, ...files },
  before,
});

/** A session that says which servers it has, and shows a file. */
const session = (name: string, before: Run[], shown = 'cat .mcp.json'): Case => ({
  name: `setup: a session with ${name}`,
  args: [...STREAM, 'go', '--allowedTools', 'Bash(cat:*)'],
  files: { 'server.mjs': JUDGE_SOURCE, '.mcp.json': '{ "other": 1 }' },
  before,
  turns: [[tool('Bash', { command: shown }), say('done')]],
});

const FOUR: Run[] = [
  add('one', '-e', 'A=b', '-e', 'C=d', ...SERVED),
  add('two', '-s', 'project', ...SERVED),
  add('three', '--scope', 'user', '--', 'node', '-e', '0'),
  add('four', '-t', 'http', NOBODY, '-H', 'X: y', '-H', 'Z: a: b'),
];

const SHARED = {
  '.mcp.json': {
    mcpServers: {
      one: { command: 'node', args: ['server.mjs'] },
      two: { command: 'node', args: ['server.mjs', 'two'] },
    },
  },
};
const ALL = { enableAllProjectMcpServers: true };
const SOME = { enabledMcpjsonServers: ['one'], disabledMcpjsonServers: ['two'] };
const USER = 'HOME/.claude/settings.json';
const LOCAL = '.claude/settings.local.json';

/** What programs and installers do with the CLI before they run a session. */
export const SETUP_CASES: readonly Case[] = [
  { name: 'setup: whether somebody is logged in', args: ['auth', 'status'] },
  { name: 'setup: whether somebody is logged in, as text', args: ['auth', 'status', '--text'] },
  { name: 'setup: an unknown flag of auth', args: ['auth', 'status', '--bogus'] },
  { name: 'setup: an unknown command of auth', args: ['auth', 'whatever'] },
  setup('add a command', ['add', 'one', ...SERVED]),
  setup('add a command with variables', ['add', 'one', '-e', 'A=b', '--env', 'C=d=e', '--', 'node', 'x', '-y']),
  setup('add a command without a line', ['add', 'one', 'node', 'server.mjs', 'more']),
  setup('add for the project', ['add', '--scope', 'project', 'one', ...SERVED]),
  setup('add for the user', ['add', '-s', 'user', 'one', ...SERVED]),
  setup('add an address', ['add', '--transport', 'http', 'one', NOBODY, '--header', 'X: y']),
  setup('add an address of the old kind', ['add', '-t', 'sse', 'one', NOBODY]),
  setup('add an address without a transport', ['add', 'one', NOBODY]),
  setup('add twice', ['add', 'one', '--', 'node', 'x'], [add('one', ...SERVED)]),
  setup(
    'add twice for the project',
    ['add', 'one', '-s', 'project', '--', 'node', 'x'],
    [add('one', '-s', 'project', ...SERVED)],
  ),
  setup('add with a wrong name', ['add', 'a b', ...SERVED]),
  setup('add nothing', ['add']),
  setup('add a name only', ['add', 'one']),
  setup('add for nobody', ['add', '-s', 'nobody', 'one', ...SERVED]),
  setup('add with another transport', ['add', '-t', 'tcp', 'one', NOBODY]),
  setup('add with a wrong variable', ['add', 'one', '-e', 'BAD', ...SERVED]),
  setup('add with a wrong header', ['add', '-t', 'http', 'one', NOBODY, '-H', 'bad']),
  setup('add with an unknown flag', ['add', '--bogus', 'one', ...SERVED]),
  setup('add with a flag of the command', ['add', 'one', 'node', '-y', 'x']),
  setup('add with variables before the name', ['add', '-e', 'A=b', 'one', ...SERVED]),
  setup('add JSON', ['add-json', 'one', '{"command":"node","args":["server.mjs"]}']),
  setup('add JSON of an address', ['add-json', 'one', `{"type":"http","url":"${NOBODY}"}`, '-s', 'user']),
  setup('add other JSON', ['add-json', 'one', '{"bad":1}']),
  setup('add no JSON', ['add-json', 'one', 'bad']),
  setup('add JSON without a name', ['add-json']),
  setup('add no text of JSON', ['add-json', 'one']),
  setup('list nothing', ['list']),
  setup('list four', ['list'], FOUR),
  setup(
    'list what cannot be reached',
    ['list'],
    [
      add('ends', '--', 'node', '-e', 'process.exit(3)'),
      add('missing', '--', 'no-such-program-of-ours'),
      add('file', '--', './no-such-file'),
      add('word', '-t', 'http', 'nowhere'),
      add('old', '-t', 'sse', NOBODY),
    ],
  ),
  setup(
    'list two of a name',
    ['list'],
    [add('one', '-s', 'user', ...SERVED), add('two', ...SERVED), add('one', '--', 'x')],
  ),
  setup('list with a flag', ['list', '--json']),
  setup('get a command', ['get', 'one'], FOUR),
  setup('get one of the project', ['get', 'two'], FOUR),
  setup('get one that fails', ['get', 'three'], FOUR),
  setup('get an address', ['get', 'four'], FOUR),
  setup('get one that is not there', ['get', 'five'], FOUR),
  setup('get one of none', ['get', 'five']),
  setup('get nothing', ['get']),
  setup('remove one', ['remove', 'one'], FOUR),
  setup('remove one of the project', ['remove', 'two'], FOUR),
  setup('remove one of the user', ['remove', 'three', '-s', 'user'], FOUR),
  setup('remove one of another', ['remove', 'three', '-s', 'local'], FOUR),
  setup('remove one that is not there', ['remove', 'five'], FOUR),
  setup('remove one of two', ['remove', 'one'], [add('one', ...SERVED), add('one', '-s', 'user', ...SERVED)]),
  setup('an unknown command of mcp', ['whatever']),
  setup('list what the user approves', ['list'], [], { ...SHARED, [USER]: ALL }),
  setup('list what the project approves', ['list'], [], { ...SHARED, '.claude/settings.json': ALL }),
  setup('list what the user approves and rejects', ['list'], [], { ...SHARED, [USER]: SOME }),
  setup('list what local settings approve and reject', ['list'], [], { ...SHARED, [LOCAL]: SOME }),
  setup('get what is approved', ['get', 'one'], [], { ...SHARED, [USER]: SOME }),
  setup('get what is rejected', ['get', 'two'], [], { ...SHARED, [LOCAL]: SOME }),
  { ...session('a server that is rejected', []), files: { 'server.mjs': JUDGE_SOURCE, ...SHARED, [LOCAL]: SOME } },
  { ...session('a server that the user rejects', []), files: { 'server.mjs': JUDGE_SOURCE, ...SHARED, [USER]: SOME } },
  session('what was added', FOUR),
  {
    ...session('servers from everywhere', FOUR),
    args: [
      ...[...STREAM, 'go', '--allowedTools', 'Bash(cat:*)', '--plugin-dir', 'ROOT/work/plug'],
      ...[
        '--mcp-config',
        '{"mcpServers":{"flag":{"command":"node","args":["server.mjs"]},"one":{"command":"node","args":["server.mjs","x"]}}}',
      ],
    ],
    files: {
      'server.mjs': JUDGE_SOURCE,
      'plug/.claude-plugin/plugin.json': { name: 'plug' },
      'plug/.mcp.json': {
        mcpServers: {
          own: { command: 'node', args: ['server.mjs', 'own'] },
          same: { command: 'node', args: ['server.mjs'] },
          there: { type: 'http', url: NOBODY },
          twice: { command: 'node', args: ['server.mjs', 'own'] },
          other: { command: 'node', args: ['server.mjs', 'own'], env: { A: 'b' } },
        },
      },
    },
  },
  session('what was added and removed', [...FOUR, mcp('remove', 'one'), mcp('remove', 'two')]),
];
