import { casesWith, exec, json, usage } from './codex-case.js';
import type { ScriptedCase } from './scripted-case.js';

/** An MCP server that writes down what it hears, and in which environment. */
const SERVER = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const note = (text) => appendFileSync('heard.txt', text + '\\n');
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const text = (...texts) => ({ content: texts.map((one) => ({ type: 'text', text: one })) });
const TOOLS = {
  echo: ({ text: said }) => ({ result: text('echo: ' + said) }),
  two: () => ({ result: { ...text('a', 'b'), structuredContent: { x: 1 } } }),
  fail: () => ({ result: { ...text('it failed'), isError: true } }),
  err: () => ({ error: { code: -32000, message: 'bad thing' } }),
  die: () => process.exit(1),
};
note(process.argv.slice(2).join(' ') + ' ' + Object.keys(process.env).filter((name) => name !== 'NO_COLOR').sort().join(' '));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  const { _meta, ...told } = params;
  note(method + ' ' + JSON.stringify(told));
  if (method === 'initialize')
    say({ id, result: { protocolVersion: told.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } });
  if (method === 'tools/list') say({ id, result: { tools: Object.keys(TOOLS).map((name) => ({ name, inputSchema: schema })) } });
  if (method === 'tools/call') say({ id, ...TOOLS[told.name](told.arguments) });
});
`;

const SETTINGS = '[mcp_servers.s]\ncommand = "node"\nargs = ["s.mjs", "one"]\nenv = { OWN = "1" }\n';

const one = casesWith({
  scenario: {
    responses: [
      ...['echo', 'two', 'fail', 'err', 'die', 'nonsense', 'mcp__s__echo'].map((tool) => ({
        pattern: { type: 'exact', text: tool },
        response: { tool_calls: [{ tool, input: { text: 'hi' } }], usage, then: { text: 'After.', usage } },
        optional: true,
      })),
      { pattern: { type: 'any' }, response: 'Hello.', optional: true },
    ],
  },
  files: { 's.mjs': SERVER },
  home: { '.codex/config.toml': SETTINGS },
});
const withSettings = (text: string): Pick<ScriptedCase, 'home'> => ({ home: { '.codex/config.toml': text } });
const heard: Pick<ScriptedCase, 'written'> = { written: ['heard.txt'] };

export const SERVER_CASES: readonly ScriptedCase[] = [
  one('a server that is not used', exec('hello'), heard),
  ...['echo', 'two', 'fail', 'err', 'die'].flatMap((tool) => [
    one(`a server whose tool is ${tool}`, json(tool), heard),
    one(`a server whose tool is ${tool}, as text`, exec(tool)),
  ]),
  one('a server whose tool has its full name', json('mcp__s__echo'), heard),
  one('a server in color', [exec('--color', 'always', 'echo'), exec('--color', 'always', 'err')]),
  one('a tool that no server has', json('nonsense')),
  one('a tool that no server has, with a model that is known', json('-m', 'gpt-5.5', 'nonsense')),
  one(
    'what a server finds in its environment',
    { ...exec('hello'), env: { FOO: 'f', TZ: 'UTC', TERM: 'xterm', USER: 'u', LC_ALL: 'C', EDITOR: 'x' } },
    heard,
  ),
  one(
    'a server of the command line',
    json('-c', 'mcp_servers.t={command="node", args=["s.mjs"]}', 'echo'),
    withSettings(''),
  ),
  one(
    'a server that was added',
    [{ args: ['mcp', 'add', 's', '--', 'node', 's.mjs'] }, json('echo')],
    withSettings(''),
  ),
  one(
    'a server with some tools',
    json('nonsense'),
    withSettings(`${SETTINGS}enabled_tools = ["echo", "err"]\ndisabled_tools = ["err"]\n`),
  ),
  one('a server that cannot start', json('nonsense'), withSettings('[mcp_servers.s]\ncommand = "nosuch-program"\n')),
  one('a server that ends at once', json('nonsense'), withSettings('[mcp_servers.s]\ncommand = "true"\n')),
  one(
    'a server that must start, and cannot',
    exec('hello'),
    withSettings('[mcp_servers.s]\ncommand = "nosuch-program"\nrequired = true\n'),
  ),
  one('a server that is turned off', json('nonsense'), withSettings(`${SETTINGS}enabled = false\n`)),
  one('a server of no kind, in a session', exec('hello'), withSettings('[mcp_servers.s]\nargs = []\n')),
];
