import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readReport } from '../../packages/verdict/src/reporters/markdown/read-markdown.js';
import { loopFaults } from '../faults/catalogue/loop.js';
import { plantLoop } from '../faults/faulty-loop.js';
import { runProgram, runUnderstudy } from '../helpers/understudy.js';

const root = mkdtempSync(join(tmpdir(), 'understudy-report-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const PLANTED = ['pending events are left out', 'memories are not injected', 'the table of hats is left out'];

// The size is shown with longer prompts in write-markdown.test.ts, in every run.
it('reports a loop with three faults in less than 40 kB', { timeout: 300_000 }, async () => {
  const folder = join(root, 'three');
  mkdirSync(folder);
  const changes = loopFaults.filter(({ name }) => PLANTED.includes(name)).flatMap((fault) => fault.changes);
  const ralph = await plantLoop(root, changes);
  const args = ['e2e', '--stage', 'sim', 'claude', '--ralph', ralph, '--skip-analysis', '--skip-baselines'];
  const { code, stdout } = await runUnderstudy(args, { cwd: folder });
  expect(code, stdout).toBe(1);
  const report = readFileSync(join(folder, '.e2e-tests/report.md'), 'utf8');
  const { failures } = readReport(report);
  expect(failures.length).toBeGreaterThanOrEqual(10);
  expect(Buffer.byteLength(report) / failures.length).toBeLessThan(4000);
  expect(readdirSync(join(folder, '.e2e-tests/report-contexts')).length).toBeGreaterThanOrEqual(failures.length);
  for (const { fixes } of failures) {
    for (const { file_to_modify: file } of fixes) expect(file).toMatch(/^the part of the orchestrator /);
  }
  // By hand, in the workspace, the orchestrator does the same again.
  const [again = ''] = /(?<=with its environment:\*\* `)[^`]+/.exec(report) ?? [];
  const alone = await runProgram(['/bin/sh', '-c', again], { cwd: '/' });
  expect(alone.stdout, alone.stderr).toContain('Loop terminated');
});
