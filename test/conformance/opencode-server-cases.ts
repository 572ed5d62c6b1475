import { calling, JSON_RUN, type OpenCodeCase, settings, stepsOf, TEXT_RUN } from './opencode-case.js';

/** An MCP server that writes down what it hears. */
const SERVER = `
const { createInterface } = require('node:readline');
const { appendFileSync } = require('node:fs');
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const note = (line) => appendFileSync('heard.txt', line + '\\n');
const lines = createInterface({ input: process.stdin });
note([process.env.ZED, process.env.AGENT, process.env.OPENCODE, process.argv[2]].join(' '));
const tool = (name, properties = {}) => ({ name, inputSchema: { type: 'object', properties } });
lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  note([method, id, JSON.stringify(params)].join(' '));
  if (method === 'initialize')
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' }, instructions: 'Be nice.' } });
  else if (method === 'tools/list')
    send({ id, result: { tools: [tool('echo', { text: { type: 'string' } }), tool('fail.it'), tool('two'), tool('boom')] } });
  else if (method === 'tools/call') {
    const text = (...texts) => ({ content: texts.map((one) => ({ type: 'text', text: one })) });
    if (params.name === 'echo') send({ id, result: text('echo: ' + params.arguments.text) });
    else if (params.name === 'two') send({ id, result: text('a', 'b') });
    else if (params.name === 'boom') send({ id, error: { code: -32000, message: 'it broke' } });
    else send({ id, result: { isError: true, ...text('it failed') } });
  } else if (id !== undefined) send({ id, result: {} });
});
`;

const local = (more: object = {}) => ({ type: 'local', command: ['node', 'server.cjs', 'arg'], ...more });

const server = (
  name: string,
  values: object,
  said: Pick<OpenCodeCase, 'answer' | 'scenario'>,
  args = [...JSON_RUN, 'hi'],
): OpenCodeCase => ({
  ...{ name: `server: ${name}`, args, told: true, files: { ...settings(values), 'server.cjs': SERVER } },
  ...said,
});

/** MCP servers of the settings. */
export const OPENCODE_SERVER_CASES: readonly OpenCodeCase[] = [
  server(
    'its tools',
    { mcp: { my: local() } },
    calling(['my_echo', { text: 'hi' }], ['my_fail_it', {}], ['my_two', {}], ['my_boom', {}], ['my_none', {}]),
  ),
  server(
    'its tools, as text',
    { mcp: { 'my srv': local() } },
    calling(['my_srv_echo', { text: 'hi' }], ['my_srv_boom', {}]),
    [...TEXT_RUN, 'hi'],
  ),
  server(
    'what it hears',
    { mcp: { my: local({ environment: { ZED: '1' } }) } },
    calling(['my_echo', { text: 'hi' }], ['bash', { command: 'sleep 0.5; cat heard.txt' }]),
  ),
  server(
    'switched off, and not there',
    { mcp: { off: local({ enabled: false }), bad: { type: 'local', command: ['no-such-program'] }, my: local() } },
    stepsOf({ text: 'ok' }),
  ),
  server('denied', { mcp: { my: local() }, permission: { 'my_*': 'deny' } }, stepsOf({ text: 'ok' })),
  server('a tool that is switched off', { mcp: { my: local() }, tools: { 'my_e*': false } }, stepsOf({ text: 'ok' })),
  server(
    'a tool that is to be asked for',
    { mcp: { my: local() }, permission: { my_two: 'ask' } },
    calling(['my_two', {}]),
  ),
];
