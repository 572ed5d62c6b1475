import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { writeFloodingCli } from '../helpers/flooding-cli.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('ends-badly');
});
afterEach(() => scratch.remove());

async function run(send: string, expectation: string) {
  const cli = writeFloodingCli(scratch.path);
  const rehearsal = `allow_unused = true\nresponses = []\n[[steps]]\nsend = "${send}"\nexpect = ${expectation}\n`;
  writeFiles(scratch.path, { 'a.rehearsal.toml': rehearsal });
  return runUnderstudy(['run', '--stage', 'scripted'], { cwd: scratch.path, env: { UNDERSTUDY_CLAUDE: cli } });
}

it('a CLI that dies tells why with the failure', async () => {
  const { code, stdout } = await run('die', '{ says = "plan" }');
  expect(stdout).toContain("in the middle of the turn (exit code 2): Error: Cannot find module 're2js'");
  expect(code).toBe(1);
});

it('what comes when the turn is over is named, and no driver is blamed', async () => {
  const { code, stdout } = await run('stray', '{ says = "plan" }');
  expect(stdout).toContain('a text of the agent ("FORGED: all tests passed") came while no prompt was under way');
  expect(stdout).not.toContain('please report');
  expect(stdout).toContain('1 failed');
  expect(code).toBe(1);
});
