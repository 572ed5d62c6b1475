import { expect, it } from 'vitest';
import { realAgent } from '../helpers/real-agents.js';
import { runProgram } from '../helpers/understudy.js';

it('checks the plugin of the example, and catches it when it is broken', async (context) => {
  await realAgent('claude', context);
  const store = process.env['UNDERSTUDY_STORE'];
  const { code, stdout, stderr } = await runProgram([process.execPath, 'examples/plugin-check/check.mjs'], {
    env: store === undefined ? {} : { UNDERSTUDY_STORE: store },
  });
  expect(stderr).toBe('');
  expect(stdout.match(/^✓/gm)).toHaveLength(5);
  expect(code).toBe(0);
});
