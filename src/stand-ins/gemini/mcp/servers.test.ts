import { expect, it } from 'vitest';
import { NotSupported } from '../options.js';
import { serverEnvironment } from './environment.js';
import { readServers } from './servers.js';

const all = { allowed: [], excluded: [] };

it.each([
  [{ url: 'http://127.0.0.1:9/mcp' }, 'the MCP server my, which has an address'],
  [{ httpUrl: 'http://127.0.0.1:9/mcp' }, 'the MCP server my, which has an address'],
  [{ command: 'x', authProviderType: 'google_credentials' }, 'the MCP server my with this `authProviderType`'],
  [{ command: 'x', args: 'y' }, 'the MCP server my with this `args`'],
  [{ command: 'x', env: { A: 1 } }, 'the MCP server my with this `env`'],
])('refuses %j', (server, what) => {
  expect(() => readServers({ my: server }, all)).toThrow(new NotSupported(what));
});

it('does not refuse a server that is not started', () => {
  const servers = { my: { url: 'http://127.0.0.1:9/mcp' } };
  expect(readServers(servers, { allowed: ['your'], excluded: [] })).toEqual([]);
  expect(readServers(servers, { allowed: [], excluded: ['my'] })).toEqual([]);
});

it('keeps secrets from servers, and fills in what settings name', () => {
  const env = { PATH: '/bin', A: 'a', MY_TOKEN: 't', URL: 'https://me:word@host.test/' };
  const blocked: string[] = [];
  const own = { B: '$A${A}$NONE', MY_KEY: 'k', LD_PRELOAD: 'x' };
  expect(serverEnvironment(env, own, (name) => blocked.push(name))).toEqual({
    ...{ GEMINI_CLI: '1', PATH: '/bin', A: 'a', B: 'aa', MY_KEY: 'k' },
  });
  expect(blocked).toEqual(['LD_PRELOAD']);
  expect(() => serverEnvironment(env, { B: '${A:+x}' }, () => {})).toThrow(NotSupported);
});
