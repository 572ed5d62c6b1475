import { expect, it } from 'vitest';
import { runProgram } from '../helpers/understudy.js';

const SCRIPT = "console.log(typeof require('agent-understudy').Conversation)";

it('can be required by Node, and tells a loader that cannot require ES modules what to do', async () => {
  const [able, unable] = await Promise.all([
    runProgram([process.execPath, '-e', SCRIPT]),
    runProgram([process.execPath, '--no-experimental-require-module', '-e', SCRIPT]),
  ]);
  expect(able.stdout).toBe('function\n');
  expect(unable.code).toBe(1);
  expect(unable.stderr).toContain('Error: agent-understudy is an ES module');
  expect(unable.stderr).toContain("await import('agent-understudy')");
});
