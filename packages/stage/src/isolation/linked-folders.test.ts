import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { linkedFolders } from './linked-folders.js';

let scratch: Scratch;
const at = (...names: string[]) => join(scratch.path, ...names);

beforeEach(() => {
  scratch = createScratch('linked');
  for (const folder of ['project/own/node_modules', 'far/node_modules', '.ssh']) {
    mkdirSync(at(folder), { recursive: true });
  }
});
afterEach(() => scratch.remove());

it('finds linked dependencies, and follows no link to anything else', () => {
  expect(linkedFolders([at('project')])).toEqual({ writable: [], readable: [] });
  symlinkSync(at('far/node_modules'), at('project/node_modules'));
  symlinkSync(at('.ssh'), at('project/vendor'));
  symlinkSync(at('project/own/node_modules'), at('project/venv'));
  expect(linkedFolders([at('project')])).toEqual({ writable: [], readable: [at('far/node_modules')] });
});

it('finds the repository of a worktree, and believes only the repository', () => {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, stdio: 'ignore' });
  mkdirSync(at('repository'));
  git(at('repository'), 'init');
  git(at('repository'), 'commit', '--allow-empty', '-m', 'first');
  git(at('repository'), 'worktree', 'add', at('tree'));
  expect(linkedFolders([at('tree')])).toEqual({ writable: [at('repository/.git')], readable: [] });
  expect(linkedFolders([at('repository')])).toEqual({ writable: [], readable: [] });
  writeFileSync(at('project/.git'), `gitdir: ${at('repository/.git/worktrees/tree')}\n`);
  expect(linkedFolders([at('project')])).toEqual({ writable: [], readable: [] });
});
