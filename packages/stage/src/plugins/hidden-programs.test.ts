import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch } from '@understudy/kit';
import { expect, it, onTestFinished } from 'vitest';
import { readPlugin } from './declared/plugin.js';
import { hiddenPrograms, namingHidden } from './hidden-programs.js';
import { type ComponentReport, countComponents, type PluginReport } from './report.js';

it('says that what did not start is not visible in the sandbox', () => {
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
    hoisted: node('${CLAUDE_PLUGIN_ROOT}/../tools/server.mjs'),
    fetched: { command: 'npx', args: ['-y', 'some-server'] },
  };
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: `sh ${join(home, 'tools/server.mjs')}` }] }] };
  mkdirSync(join(plugin, 'hooks'));
  writeFileSync(join(plugin, 'hooks/hooks.json'), JSON.stringify({ hooks }));
  writeFileSync(join(plugin, '.mcp.json'), JSON.stringify({ mcpServers }));
  const server = (name: string, status: 'failed' | 'loaded'): ComponentReport => ({
    ...{ kind: 'server', name: `plugin:p:${name}`, status, warnings: [] },
    ...(status === 'failed' ? { reason: 'it did not start', fix: 'Make it start.' } : {}),
  });
  const report = (status: 'failed' | 'loaded'): PluginReport => ({
    ...{ plugin: 'p', path: plugin, agent: 'claude@2.1.325', ok: status === 'loaded', loaded: status === 'loaded' },
    ...{ problems: [], notes: [], notCompared: [], counts: countComponents([]) },
    components: ['far', 'gone', 'near', 'hoisted', 'fetched'].map((name) => server(name, status)),
  });
  const isolation = { hidden: [home], writable: [join(home, 'project')] };
  const reasons = (of: PluginReport) => of.components.map(({ reason }) => reason);

  const declared = readPlugin(plugin);
  const far = join(home, 'tools/server.mjs');
  const told = `Not visible in the sandbox: ${far}`;

  expect(reasons(namingHidden(report('failed'), declared, isolation))).toEqual([
    `it did not start; ${told}`,
    'it did not start',
    'it did not start',
    `it did not start; ${told}`,
    'it did not start; Not visible in the sandbox: the network, from which it is fetched',
  ]);
  expect(namingHidden(report('failed'), declared, undefined)).toEqual(report('failed'));
  expect(namingHidden(report('loaded'), declared, isolation)).toEqual(report('loaded'));
  const hook: ComponentReport = {
    ...{ kind: 'hook', name: 'sh "${CLAUDE_PLUGIN_ROOT}"/run.sh', status: 'failed', warnings: [] },
    reason: `it ran while the plugin was loaded, and ended with exit code 127: sh: 1: ${far}: not found`,
  };
  expect(namingHidden({ ...report('failed'), components: [hook] }, declared, isolation).components[0]).toMatchObject({
    reason: expect.stringContaining(told),
    fix: expect.stringContaining('--isolation none'),
  });
  const whats = (around: { hidden: string[]; shown: string[] }) =>
    hiddenPrograms(declared, around).map(({ what }) => what);
  const network = 'the network, from which it is fetched';
  expect(whats({ hidden: [home], shown: [] })).toEqual([far, far, far, network]);
  expect(whats({ hidden: [home], shown: [join(home, 'tools')] })).toEqual([network]);
  expect(whats({ hidden: [], shown: [] })).toEqual([]);
  // What is there already need not be fetched.
  mkdirSync(join(plugin, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(plugin, 'node_modules/.bin/some-server'), '');
  expect(whats({ hidden: [home], shown: [join(home, 'tools')] })).toEqual([]);
  const fetching: ComponentReport = {
    ...{ kind: 'hook', name: 'npx some-guard', status: 'failed', warnings: [] },
    reason: 'it ran while the plugin was loaded, and ended with exit code 1: npm error code EAI_AGAIN',
  };
  const [named] = namingHidden({ ...report('failed'), components: [fetching] }, declared, isolation).components;
  expect(named).toMatchObject({ reason: expect.stringContaining(network), fix: expect.stringMatching(/^Install/) });
});
