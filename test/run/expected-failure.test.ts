import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const scratch = createScratch('expected-failure');
afterAll(() => scratch.remove());

it('plays the example: a failure that is expected is named everywhere, and red as soon as it passes', async (context) => {
  await realAgent('claude', context);
  const cwd = join(scratch.path, 'example');
  cpSync(resolve('examples/expected-failure'), cwd, { recursive: true });
  const kinds = ['junit', 'ctrf', 'markdown', 'agent', 'json'];
  const reporters = ['list', ...kinds.map((kind) => `${kind}=${kind}.out`)].join(',');
  const run = () => runUnderstudy(['run', '--reporter', reporters, '.'], { cwd });
  const green = await run();
  expect(green.code, green.stdout).toBe(0);
  expect(green.stdout).toContain('x greets in French failed as expected: issue 12: French is missing');
  expect(green.stdout).toContain('1 passed, 2 failed as expected');
  const written = Object.fromEntries(kinds.map((kind) => [kind, readFileSync(join(cwd, `${kind}.out`), 'utf8')]));
  expect(written['junit']).toContain('<skipped>failed as expected: issue 12: French is missing</skipped>');
  expect(written['ctrf']).toContain('"rawStatus": "expected_failure"');
  expect(written['ctrf']).toContain('"message": "failed as expected: issue 13: German is missing"');
  expect(written['markdown']).toContain('issue 13: German is missing');
  expect(written['agent']).toContain('failed as expected 1: issue 12: French is missing');
  expect(JSON.parse(written['json'] ?? '')).toMatchObject({
    passed: true,
    counts: { passed: 1, expected_failures: 2 },
  });
  writeFileSync(join(cwd, 'greet.sh'), '#!/bin/sh\necho "Bonjour, $1!"\n');
  const red = await run();
  expect(red.code).toBe(1);
  expect(red.stdout).toContain('2 failed, 1 failed as expected');
  expect(red.stdout).toMatch(
    /✗ expected failure\n\s+at greeting\.rehearsal\.toml:3:1[\s\S]*expected {2}it fails: issue 12: French is missing\n\s+seen {6}it passes now\n\s+fix {7}Remove `expected_failure`\./,
  );
});

it('does not take what could not be run for a failure that was expected', async () => {
  const cwd = join(scratch.path, 'broken');
  const file = (more: string) => `expected_failure = "a bug"\n${more}[[steps]]\nsend = "hi"\n`;
  writeFiles(cwd, {
    'a.rehearsal.toml': file('default_response = "hi"\nagent = "claude@0.0.1"\n'),
    'b.rehearsal.toml': file('default_response = "hi"\n').replace('"a bug"', '""'),
  });
  const { code, stdout } = await runUnderstudy(['run', '.'], { cwd });
  expect(code).toBe(2);
  expect(stdout).toContain('2 could not run');
  expect(stdout).toContain('b.rehearsal.toml:1:1 `expected_failure` must not be empty');
});
