import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { realAgent } from '../helpers/real-agents.js';
import { runProgram } from '../helpers/understudy.js';

it('the example passes with the built package', async (context) => {
  await realAgent('claude', context);
  const vitest = resolve('node_modules/vitest/vitest.mjs');
  const run = await runProgram([process.execPath, vitest, 'run'], { cwd: resolve('examples/vitest') });
  expect(run.stdout + run.stderr).toMatch(/Tests +2 passed/);
  expect(run.code).toBe(0);
}, 90_000);
