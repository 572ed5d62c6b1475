import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../process/scratch.js';
import { namingHiddenServers } from './hidden-servers.js';
import { type ComponentReport, countComponents, type PluginReport } from './report.js';

it('says that a server which did not start is not shown in the sandbox', () => {
  const { path: home, remove } = createScratch('home');
  onTestFinished(remove);
  const plugin = join(home, 'plugin');
  mkdirSync(plugin);
  mkdirSync(join(home, 'tools'));
  writeFileSync(join(home, 'tools/server.mjs'), '');
  writeFileSync(join(plugin, 'own.mjs'), '');
  const node = (file: string) => ({ command: 'node', args: [file] });
  const mcpServers = {
    far: node(join(home, 'tools/server.mjs')),
    gone: node(join(home, 'tools/gone.mjs')),
    near: node(join(plugin, 'own.mjs')),
  };
  writeFileSync(join(plugin, '.mcp.json'), JSON.stringify({ mcpServers }));
  const server = (name: string, status: 'failed' | 'loaded'): ComponentReport => ({
    ...{ kind: 'server', name: `plugin:p:${name}`, status, warnings: [] },
    ...(status === 'failed' ? { reason: 'it did not start', fix: 'Make it start.' } : {}),
  });
  const report = (status: 'failed' | 'loaded'): PluginReport => ({
    ...{ plugin: 'p', path: plugin, agent: 'claude@2.1.325', ok: status === 'loaded', loaded: status === 'loaded' },
    ...{ problems: [], notes: [], notCompared: [], counts: countComponents([]) },
    components: ['far', 'gone', 'near'].map((name) => server(name, status)),
  });
  const isolation = { hidden: [home], writable: [join(home, 'project')] };
  const reasons = (of: PluginReport) => of.components.map(({ reason }) => reason);

  expect(reasons(namingHiddenServers(report('failed'), isolation))).toEqual([
    `it did not start; ${join(home, 'tools/server.mjs')} is not shown in the sandbox`,
    'it did not start',
    'it did not start',
  ]);
  expect(namingHiddenServers(report('failed'), undefined)).toEqual(report('failed'));
  expect(namingHiddenServers(report('loaded'), isolation)).toEqual(report('loaded'));
});
