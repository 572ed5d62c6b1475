import { expect, it } from 'vitest';
import { lostServer } from './lost-server.js';

it('knows a server that went away, and one that only fails', () => {
  const of = (text: string) => lostServer({ tool: 'mcp__plugin_p_s__look', status: 'error', text });
  expect(of('MCP error -32000: Connection closed')).toBe('plugin_p_s');
  expect(of('MCP server "plugin:p:s" is not connected')).toBe('plugin_p_s');
  expect(of('the printer is not connected')).toBeUndefined();
});
