import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidDocumentError } from '@understudy/kit';
import { afterAll, expect, it } from 'vitest';
import { genericCases } from './cases/index.js';
import { contractSchema } from './contract-schema.js';
import { endStateOf } from './ending.js';
import { asksFor, loadContract } from './load-contract.js';
import { placeholderNames } from './placeholders.js';

const folder = mkdtempSync(join(tmpdir(), 'understudy-contract-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function contract(text: string) {
  const file = join(folder, 'my.orchestrator.toml');
  writeFileSync(file, text);
  return loadContract(file);
}

function problemsOf(text: string) {
  try {
    contract(text);
  } catch (error) {
    if (error instanceof InvalidDocumentError)
      return error.problems.map(({ code, location, fix, frame }) => ({ code, line: location.line, fix, frame }));
    throw error;
  }
  return [];
}

it('loads a small contract, with defaults', () => {
  const loaded = contract('agents = ["claude"]\nrun = ["./loop.sh", "{{prompt}}", "{{iterations}}"]\n');
  expect(loaded).toMatchObject({ name: 'my', promise: 'LOOP_COMPLETE', on_agent_failure: 'retry', folder });
  expect([asksFor(loaded, 'iterations'), asksFor(loaded, 'deadline')]).toEqual([true, false]);
});

it('shows a placeholder that does not exist, with its line and the nearest name', () => {
  expect(problemsOf('agents = ["claude"]\nrun = ["./loop.sh", "{{prompt}}", "{{iteration}}"]\n')).toMatchObject([
    {
      code: 'CONTRACT_UNKNOWN_PLACEHOLDER',
      line: 2,
      fix: 'Change it to {{iterations}}.',
      frame: expect.stringContaining('{{iteration}}'),
    },
  ]);
});

it.each([
  ['a prompt that reaches nobody', 'run = ["./loop.sh"]', 'CONTRACT_NO_PROMPT'],
  ['an unknown field', 'run = ["./loop.sh", "{{prompt}}"]\nrestart = true', 'UNKNOWN_FIELD'],
  ['two endings that are the same', 'run = ["a", "{{prompt}}"]\nfailed = { exit_code = 0 }', 'CONTRACT_SAME_ENDING'],
  ['an ending without a condition', 'run = ["a", "{{prompt}}"]\nstopped = {}', 'CONTRACT_SAME_ENDING'],
  [
    'a pattern that cannot be compiled',
    'run = ["a", "{{prompt}}"]\nstopped = { stdout = { type = "regex", pattern = "(" } }',
    'INVALID_VALUE',
  ],
])('refuses %s', (_, text, code) => {
  expect(problemsOf(`agents = ["claude"]\n${text}\n`)).toMatchObject([{ code }]);
});

it('refuses an agent that nobody knows', () => {
  expect(problemsOf('agents = ["claud"]\nrun = ["a", "{{prompt}}"]\n')).toMatchObject([{ code: 'UNKNOWN_VALUE' }]);
});

it('tells endings apart by exit code, output and files', () => {
  const loaded = contract(`agents = ["claude"]
run = ["a", "{{prompt}}"]
complete = { exit_code = 0, stdout = "all done" }
stopped = { exit_code = [0, 2], file = { path = "state", contains = "limit" } }
`);
  const state = (code: number | null, stdout: string, file?: string, timedOut = false) =>
    endStateOf(loaded, { code, stdout, stderr: '', timedOut }, () => file);
  expect(state(0, 'It is all done.')).toBe('complete');
  expect(state(0, '', 'limit reached')).toBe('stopped');
  expect(state(2, '', 'limit reached')).toBe('stopped');
  expect(state(2, '')).toBe('failed');
  expect(state(0, '')).toBe('unclear');
  expect(state(null, '')).toBe('killed');
  expect(state(0, 'all done', undefined, true)).toBe('killed');
});

it('has the contract of the bash loop in its documentation, and every case and placeholder', () => {
  const page = readFileSync('docs/your-orchestrator.md', 'utf8');
  const [, snippet = ''] = /^```toml\n([\s\S]*?)^```$/m.exec(page) ?? [];
  expect(snippet).toBe(readFileSync('examples/orchestrators/bash.orchestrator.toml', 'utf8'));
  const missing = [
    ...genericCases(contract(snippet)).map(({ id }) => `\`${id}\``),
    ...placeholderNames.map((name) => `{{${name}}}`),
    ...Object.keys(contractSchema.shape).flatMap((name) => (name === '$schema' ? [] : [name])),
  ].filter((name) => !page.includes(name));
  expect(missing).toEqual([]);
});
