import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { hooksFile, markdown, writePlugin } from '../helpers/plugin-fixtures.js';
import { realAgent } from '../helpers/real-agents.js';
import type { RehearsedStage } from './fault.js';
import { judgePlugins, type PublicPlugin, publicPlugins } from './public-plugins.js';

/**
 * Plugins that other people wrote: in the folder that UNDERSTUDY_PUBLIC_PLUGINS names, each must be green, but for
 * what its known-problems.json says. Nothing of them is part of this repository.
 */
const scratch = createScratch('public-plugins');
afterAll(() => scratch.remove());

const PATIENCE = { timeout: 1_200_000 };

function unexpected(plugins: readonly PublicPlugin[], said: Map<string, string>): Record<string, string> {
  return Object.fromEntries(
    plugins
      .map(({ name, known }) => ({ name, known, saw: said.get(name) ?? 'nothing was said of it' }))
      .filter(({ known, saw }) => (known === undefined ? saw !== '' : !saw.includes(known)))
      .map(({ name, known, saw }) => [name, known === undefined ? saw : `not found: ${known}`]),
  );
}

it('tells a false alarm, and a known problem that is not found', async () => {
  const folder = join(scratch.path, 'made-up');
  writePlugin(folder, 'sound', { 'commands/go.md': markdown({ description: 'Goes' }, 'Go.') });
  writePlugin(folder, 'broken', { 'hooks/hooks.json': hooksFile('PreToolUze', 'true') });
  writePlugin(folder, 'known', { 'hooks/hooks.json': hooksFile('PreToolUze', 'true') });
  writePlugin(folder, 'mended', { 'commands/go.md': markdown({ description: 'Goes' }, 'Go.') });
  writeFileSync(join(folder, 'known-problems.json'), '{ "known": "PreToolUze", "mended": "no description" }');
  const plugins = publicPlugins(folder);
  const said = await judgePlugins(plugins, 'sim', join(scratch.path, 'rehearsals'));
  expect(unexpected(plugins, said)).toEqual({
    broken: expect.stringContaining('PreToolUze is not a hook event'),
    mended: 'not found: no description',
  });
});

const folder = process.env['UNDERSTUDY_PUBLIC_PLUGINS'];
describe.each<RehearsedStage>(folder === undefined ? [] : ['sim', 'scripted'])('public plugins on %s', (stage) => {
  it('are judged rightly', PATIENCE, async (context) => {
    if (stage === 'scripted') await realAgent('claude', context);
    const plugins = publicPlugins(folder ?? '');
    const said = await judgePlugins(plugins, stage, join(scratch.path, stage));
    console.log(
      `${plugins.length} public plugins on ${stage}, ${[...said.values()].filter(Boolean).length} with problems`,
    );
    expect(unexpected(plugins, said)).toEqual({});
  });
});
