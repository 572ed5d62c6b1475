import { expect, it } from 'vitest';
import { standInCommand } from '../../packages/agents/src/stand-in.js';
import { type Case, STREAM, say, tool } from '../../packages/suites/src/drift/case.js';
import { observe } from '../../packages/suites/src/drift/observe.js';

/** A plugin's server that does what the line says. */
const withServer = (line: string): Case => ({
  name: 'a server',
  args: [...STREAM, 'go', '--plugin-dir', 'plug'],
  files: {
    'plug/.claude-plugin/plugin.json': { name: 'plug', mcpServers: { own: { command: 'sh', args: ['-c', line] } } },
  },
  turns: [[say('done')]],
});
const program = { kind: 'stand-in' as const, command: standInCommand('claude') };

it('does not wait at the end for a server that never answers', async () => {
  // If it did, the test would be over before it.
  const env = { MCP_TIMEOUT: '600000' };
  const { events, exitCode } = await observe(program, { ...withServer('exec sleep 600'), env });
  expect(exitCode).toBe(0);
  expect(events[0]).toMatchObject({ mcp_servers: [{ name: 'plugin:plug:own', status: 'pending' }] });
});

it('takes no harm from a server that prints what is no message', async () => {
  const noise = `echo banner; echo '{not json'; echo '[1]'; echo '{"jsonrpc":"2.0","id":99,"result":5}'; head -c 300000 /dev/zero | tr '\\0' x; echo`;
  const { events, exitCode, stderr } = await observe(program, withServer(`${noise}; exit 3`));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(events[0]).toMatchObject({ mcp_servers: [{ name: 'plugin:plug:own', status: 'failed' }] });
  expect(events.at(-1)).toMatchObject({ type: 'result', result: 'done' });
});

/** It wants something more each time, and says again and again that its tools have changed. */
const INSATIABLE = `import { createInterface } from 'node:readline';
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const complete = { resultType: 'complete' };
const more = { resultType: 'input_required', inputRequests: { who: { method: 'elicitation/create', params: { message: 'who?' } } } };
const results = {
  'server/discover': { ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: { listChanged: true } } },
  'tools/list': { ...complete, tools: [{ name: 'ask', inputSchema: { type: 'object' } }] },
  'tools/call': more,
};
let lists = 0;
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'tools/list' && ++lists > 1000) process.exit(9);
  if (method === 'tools/call') for (let times = 0; times < 500; times++) send({ method: 'notifications/tools/list_changed' });
  if (results[method]) send({ id, result: results[method] });
});
`;

it('ends where a server asks for more, and goes on asking', async () => {
  const config = JSON.stringify({ mcpServers: { srv: { command: 'node', args: ['server.mjs'] } } });
  const { events } = await observe(program, {
    name: 'insatiable',
    args: [...STREAM, 'go', '--mcp-config', config, '--allowedTools', 'mcp__srv'],
    files: { 'server.mjs': INSATIABLE },
    turns: [[tool('mcp__srv__ask', {}), say('done')]],
  });
  const result = events.find(({ type }) => type === 'user') as { message: { content: unknown[] } } | undefined;
  expect(result?.message.content[0]).toMatchObject({
    is_error: true,
    content: 'the server asks for input',
  });
  expect(events.at(-1)).toMatchObject({ type: 'result', result: 'done' });
});
