import { expect, it } from 'vitest';
import { standInCommand } from '../../src/agents/stand-in.js';
import { type Case, STREAM, say } from '../../src/drift/case.js';
import { observe } from '../../src/drift/observe.js';

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
