import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UntrustedFolder } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { observe } from './observation.js';
import { Workspaces } from './workspace.js';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'suite-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

it('takes facts from files, and a torn last line is no harm', () => {
  mkdirSync(join(cwd, '.ralph'));
  writeFileSync(join(cwd, '.ralph/current-iterations'), '.ralph/iterations-1.jsonl\n');
  const start = {
    type: 'iteration_start',
    iteration: 1,
    hat: 'ralph',
    backend: 'kiro',
    command: [],
    prompt: 'p',
    pending: [],
  };
  writeFileSync(join(cwd, '.ralph/iterations-1.jsonl'), `${JSON.stringify(start)}\n{"type":"iteration_en`);
  const stdout = 'ITERATION 9\nLoop terminated: completed';
  const seen = observe(new UntrustedFolder(cwd), [
    { command: [], code: 0, signal: null, stdout, stderr: '', milliseconds: 1, timedOut: false, leftovers: [] },
  ]);
  expect(seen.iterations).toEqual([{ iteration: 1, hat: 'ralph', backend: 'kiro', command: [], prompt: 'p' }]);
  expect(seen.termination).toBeUndefined();
});

it('clears a workspace before use, has git ignore it, and keeps ids inside', () => {
  const workspaces = new Workspaces(cwd);
  const setup = { config: {}, prompt: 'Do it.', scenario: {} };
  const first = workspaces.create('a', setup, 'kiro');
  writeFileSync(join(first, 'old.txt'), 'old');
  const second = workspaces.create('a', { ...setup, files: { 'deep/x.txt': 'x' } }, 'kiro');
  expect(existsSync(join(second, 'old.txt'))).toBe(false);
  expect(readFileSync(join(second, 'deep/x.txt'), 'utf8')).toBe('x');
  expect(readFileSync(join(second, 'ralph.yml'), 'utf8')).toBe('cli:\n  backend: kiro\n');
  expect(readFileSync(join(cwd, '.e2e-tests/.gitignore'), 'utf8')).toBe('*\n');
  expect(() => workspaces.create('../out', setup, 'kiro')).toThrow('leads out of the workspace');
});
