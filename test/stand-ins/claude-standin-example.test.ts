import { expect, it } from 'vitest';
import { runProgram } from '../helpers/understudy.js';

it('runs a program that shells out to claude, unchanged', async () => {
  const { code, stdout, stderr } = await runProgram([process.execPath, 'examples/shell-out/check.mjs']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('ok: the program said "Add a greeting"');
});
