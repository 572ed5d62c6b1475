import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  disablePlugin,
  enablePlugin,
  installPlugin,
  listPlugins,
  pluginStatus,
  uninstallPlugin,
  updatePlugin,
} from '../../packages/stage/src/plugins/installed.js';
import { addMarketplace, listMarketplaces, removeMarketplace } from '../../packages/stage/src/plugins/marketplace.js';
import { writeGoodPlugin, writePlugin } from '../helpers/plugin-fixtures.js';
import { realAgent } from '../helpers/real-agents.js';

const claude = await realAgent('claude');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-market-')));
afterAll(() => rmSync(root, { recursive: true }));

describe.skipIf(claude === undefined)('a marketplace in a scratch home', () => {
  const home = { agent: claude as NonNullable<typeof claude>, home: join(root, 'home') };

  beforeAll(() => {
    const plugins = join(root, 'market', 'plugins');
    writeGoodPlugin(plugins, 'sound');
    writePlugin(plugins, 'unsound', { 'hooks/hooks.json': '{"hooks": ', 'commands/a.md': 'A' });
    writePlugin(root, 'market', {
      '.claude-plugin/marketplace.json': {
        name: 'shelf',
        owner: { name: 'nobody' },
        plugins: ['sound', 'unsound'].map((name) => ({ name, source: `./plugins/${name}` })),
      },
    });
  });

  it('is added, and tells its name', async () => {
    expect(await addMarketplace(home, join(root, 'market'))).toBe('shelf');
    expect((await listMarketplaces(home)).map(({ name }) => name)).toEqual(['shelf']);
  });

  it('installs a plugin that then really is there', async () => {
    expect(await installPlugin(home, 'sound@shelf')).toMatchObject({ state: 'loaded', version: '1.0.0', errors: [] });
  });

  it('calls a plugin failed that the CLI says it installed', async () => {
    const status = await installPlugin(home, 'unsound@shelf');
    expect(status.state).toBe('failed');
    expect(status.errors.join()).toContain('Hook load failed');
    expect((await listPlugins(home)).map(({ id }) => id)).toEqual(['sound@shelf', 'unsound@shelf']);
  });

  it('disables and enables', async () => {
    expect(await disablePlugin(home, 'sound@shelf')).toMatchObject({ state: 'disabled' });
    expect(await enablePlugin(home, 'sound@shelf')).toMatchObject({ state: 'loaded' });
    expect(await updatePlugin(home, 'sound@shelf')).toMatchObject({ state: 'loaded' });
  });

  it('uninstalls, and then the plugin is gone', async () => {
    await uninstallPlugin(home, 'sound@shelf');
    expect(await pluginStatus(home, 'sound@shelf')).toMatchObject({ state: 'not installed' });
  });

  it('refuses what the CLI refuses, in its words', async () => {
    await expect(installPlugin(home, 'nosuch@shelf')).rejects.toMatchObject({
      code: 'PLUGIN_CLI_FAILED',
      message: expect.stringContaining('"nosuch" not found'),
    });
    await removeMarketplace(home, 'shelf');
    expect(await listMarketplaces(home)).toEqual([]);
  });
});
