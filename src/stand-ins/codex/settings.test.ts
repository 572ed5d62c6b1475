import { expect, it } from 'vitest';
import { Unsupported } from './refusal.js';
import { readSettings } from './settings.js';

it.each([
  [{ values: { hooks: { start: 'x' } } }, '-c hooks.start=…'],
  [{ values: { mcp_servers: { a: { command: 'b', auth: 'c' } } } }, 'the setting `mcp_servers.a.auth`'],
  [{ file: 'config.toml', values: { model: 'm', log_dir: 'x' } }, 'the setting `log_dir` of config.toml'],
])('refuses %j by name', (layer, what) => {
  expect(() => readSettings([layer])).toThrow(new Unsupported(what));
});

it('takes settings that make no difference, and empty ones', () => {
  const values = { features: { plugins: false }, mcp_servers: {}, tui: { theme: 'x' }, notify: [] };
  expect(readSettings([{ values }])).toMatchObject({ effort: 'none', notify: [] });
});
