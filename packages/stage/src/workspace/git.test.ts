import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, runToEnd, type Scratch, scrubbedEnvironment } from '@understudy/kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createProject } from './create-project.js';
import { commitAll, git, gitEnvironment, initRepository, listCommits } from './git.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('git');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await scratch.remove();
});

vi.setConfig({ testTimeout: 30_000 });
const date = '2026-01-01T12:00:00Z';

function project(name: string): string {
  return createProject(join(scratch.path, name), { type: 'library', language: 'javascript' }).folder;
}

it('gives equal projects equal commits when the date is fixed', async () => {
  const ids = [await initRepository(project('a'), { date }), await initRepository(project('b'), { date })];
  expect(ids[0]).toMatch(/^[0-9a-f]{40}$/);
  expect(ids[0]).toBe(ids[1]);
  expect(await initRepository(project('c'), { date: '2026-01-02T12:00:00Z' })).not.toBe(ids[0]);
});

it('commits everything, as the test identity, on main', async () => {
  const folder = project('a');
  await initRepository(folder);
  expect(await git(folder, ['status', '--porcelain'])).toBe('');
  expect(await git(folder, ['branch', '--show-current'])).toBe('main');
  expect(await git(folder, ['config', '--local', 'user.email'])).toBe('understudy@example.com');
  expect(await git(folder, ['log', '-1', '--format=%an <%ae> %cn'])).toBe(
    'Understudy <understudy@example.com> Understudy',
  );
});

it('reads nothing of the user: no configuration, no hooks, no ignore file', async () => {
  const home = join(scratch.path, 'home');
  const hooks = join(home, 'hooks');
  mkdirSync(join(home, '.config/git'), { recursive: true });
  mkdirSync(hooks);
  writeFileSync(
    join(home, '.gitconfig'),
    `[user]\nname = Somebody\n[core]\nhooksPath = ${hooks}\n[init]\ndefaultBranch = old\n`,
  );
  writeFileSync(join(home, '.config/git/ignore'), 'README.md\n');
  writeFileSync(join(hooks, 'pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  vi.stubEnv('HOME', home);
  vi.stubEnv('GIT_DIR', '/nowhere');
  vi.stubEnv('GIT_AUTHOR_NAME', 'Somebody');
  const folder = project('a');
  await initRepository(folder);
  expect(await git(folder, ['log', '--format=%an'])).toBe('Understudy');
  expect(await git(folder, ['ls-files', 'README.md'])).toBe('README.md');
  expect(readdirSync(join(folder, '.git'))).not.toContain('hooks');
});

it('keeps the user out by its variables alone, where there is a home', async () => {
  writeFileSync(join(scratch.path, '.gitconfig'), '[user]\nsigningkey = somebody\n');
  const ask = (environment: Record<string, string>) =>
    runToEnd({
      command: ['git', 'config', 'user.signingkey'],
      cwd: scratch.path,
      env: scrubbedEnvironment({ HOME: scratch.path, ...environment }),
      deadlineMs: 10_000,
    });
  expect((await ask({})).stdout).toBe('somebody');
  expect((await ask(gitEnvironment())).stdout).toBe('');
});

it('lists commits, newest first, with their files', async () => {
  const folder = project('a');
  await initRepository(folder);
  writeFileSync(join(folder, 'test/über x.test.js'), '');
  const id = await commitAll(folder, 'test: add cases\n\nBecause of reasons.');
  const commits = await listCommits(folder);
  expect(commits[0]).toEqual({
    id,
    subject: 'test: add cases',
    body: 'Because of reasons.',
    files: ['test/über x.test.js'],
  });
  expect(commits[1]?.subject).toBe('chore: start the project');
  expect(commits[1]?.files).toContain('src/index.js');
});

it('lists no commits before the first one', async () => {
  await git(scratch.path, ['init', '--quiet']);
  expect(await listCommits(scratch.path)).toEqual([]);
});

it('says what git said', async () => {
  await expect(git(scratch.path, ['log'])).rejects.toThrow(
    expect.objectContaining({ code: 'WORKSPACE_GIT_FAILED', message: expect.stringContaining('not a git repository') }),
  );
});
