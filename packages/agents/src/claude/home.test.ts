import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claudePaths, prepareClaude } from './home.js';

let scratch: Scratch;
beforeAll(() => {
  scratch = createScratch('claude-home');
});
afterAll(() => scratch.remove());

it('writes through no link that an agent left in a home', () => {
  const home = join(scratch.path, 'home');
  const { dir, state } = claudePaths(home);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(scratch.path, 'mine'), 'mine');
  symlinkSync(join(scratch.path, 'mine'), state);
  prepareClaude({ home, cwd: scratch.path, model: { kind: 'loopback', url: 'http://127.0.0.1:1', key: 'k' } }, home);
  expect(readFileSync(join(scratch.path, 'mine'), 'utf8')).toBe('mine');
  expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ hasCompletedOnboarding: true });
});
