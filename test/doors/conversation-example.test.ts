import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realAgent } from '../helpers/real-agents.js';

const root = join(import.meta.dirname, '../..');

it('runs the example that is in the README', { timeout: 120_000 }, async (context) => {
  if (!existsSync(join(root, 'dist/index.js'))) context.skip('build it first: npm run build');
  await realAgent('claude', context);
  const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;
  const run = spawnSync(process.execPath, ['examples/conversation/check.mjs'], {
    cwd: root,
    encoding: 'utf8',
    env: environment,
  });
  expect(run.stdout.match(/^✓/gm)).toHaveLength(5);
  expect(run.status).toBe(0);
});
