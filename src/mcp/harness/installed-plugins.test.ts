import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { writePlugin } from '../../../test/helpers/plugin-fixtures.js';
import { InstalledPlugins } from './installed-plugins.js';

let scratch: Scratch;
let plugins: InstalledPlugins;
let market: string;
let log: string;

/** A CLI that writes down what it was asked and how git may fetch, and that adds marketplaces but installs nothing. */
const PROGRAM = `#!/bin/sh
[ "$1" = --version ] && echo '2.1.325 (Claude Code)' && exit
echo "$* GIT_ALLOW_PROTOCOL=$GIT_ALLOW_PROTOCOL" >>"$(dirname "$0")/log"
case "$*" in
*' add '*) echo '{"outcome":"ok","marketplace":"shelf"}' ;;
*) echo '{"outcome":"failed","message":"no"}' ;;
esac
`;

beforeEach(() => {
  scratch = createScratch('installed');
  const program = join(scratch.path, 'claude');
  log = join(scratch.path, 'log');
  writeFileSync(program, PROGRAM);
  chmodSync(program, 0o755);
  vi.stubEnv('UNDERSTUDY_CLAUDE', program);
  market = writePlugin(scratch.path, 'market', {
    '.claude-plugin/marketplace.json': {
      name: 'shelf',
      owner: { name: 'nobody' },
      plugins: [
        { name: 'near', source: './near' },
        { name: 'far', source: { source: 'github', repo: 'someone/far' } },
      ],
    },
  });
  plugins = new InstalledPlugins(join(scratch.path, 'home'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await scratch.remove();
});

it.each(['x@', 'x@nowhere', '@', 'x'])(
  'refuses %j without asking the CLI, which would ask its makers',
  async (name) => {
    await expect(plugins.install(name, undefined)).rejects.toMatchObject({ code: 'PLUGIN_NOT_OFFERED' });
    expect(existsSync(log)).toBe(false);
  },
);

it('fetches no plugin from elsewhere, and has the CLI try one that is here, offline', async () => {
  await expect(plugins.install('far', market)).rejects.toMatchObject({ code: 'PLUGIN_SOURCE_REMOTE' });
  expect(existsSync(log)).toBe(false);
  await expect(plugins.install('near', market)).rejects.toMatchObject({ code: 'PLUGIN_CLI_FAILED' });
  await expect(plugins.install('far@shelf', undefined)).rejects.toMatchObject({ code: 'PLUGIN_SOURCE_REMOTE' });
  await expect(plugins.install('near@shelf', undefined)).rejects.toMatchObject({ code: 'PLUGIN_CLI_FAILED' });
  expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual([
    `plugin marketplace add ${market} --json GIT_ALLOW_PROTOCOL=file`,
    'plugin install near@shelf --json GIT_ALLOW_PROTOCOL=file',
    'plugin install near@shelf --json GIT_ALLOW_PROTOCOL=file',
  ]);
});
