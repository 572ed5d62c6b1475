import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScratch, runToEnd, scrubbedEnvironment } from '@understudy/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openIsolation } from './isolation.js';
import { ownRepositories, surveyGit } from './own-repository.js';
import { sandboxProblem } from './probe-sandbox.js';

/** `node scripts/with-docker.mjs npx vitest run` starts an engine with this image. */
const IMAGE = process.env['UNDERSTUDY_TEST_IMAGE'] ?? '';
const noSandbox = (await sandboxProblem()) !== undefined;

let root = '';
const at = (...names: string[]) => join(root, ...names);
const init = (folder: string) => execFileSync('git', ['init', '-q', folder]);

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'of-a-user-')));
});
afterAll(() => rmSync(root, { recursive: true }));

const repositories = (...projects: string[]) => ownRepositories(surveyGit(projects));

it('keeps what git obeys in a repository of the user, and leaves the rest of it to git', () => {
  init(at('mine'));
  mkdirSync(at('plain'));
  const found = repositories(at('mine'), at('plain'), at('missing'));
  expect(found.map(({ folder }) => folder)).toEqual([at('mine/.git'), at('mine/.git/info')]);
  const kept = found.flatMap((one) => one.kept);
  expect(kept).toEqual(
    expect.arrayContaining([at('mine/.git/hooks'), at('mine/.git/config'), at('mine/.git/info/exclude')]),
  );
  for (const name of ['HEAD', 'objects', 'refs']) expect(kept).not.toContain(at('mine/.git', name));
});

it('keeps all of it where a part cannot be protected by itself', () => {
  init(at('linked'));
  rmSync(at('linked/.git/hooks'), { recursive: true });
  symlinkSync(at('elsewhere'), at('linked/.git/hooks'));
  expect(repositories(at('linked'))).toEqual([{ folder: at('linked/.git'), kept: [at('linked/.git')] }]);
});

it('keeps hooks, included configuration and repositories in the project', () => {
  init(at('husky'));
  mkdirSync(at('husky/.husky/_'), { recursive: true });
  writeFileSync(at('husky/shared.cfg'), '');
  init(at('husky/inner'));
  const settings = { 'core.hooksPath': '.husky/_', 'include.path': '../shared.cfg' };
  for (const [name, value] of Object.entries(settings))
    execFileSync('git', ['config', name, value], { cwd: at('husky') });
  const kept = repositories(at('husky')).flatMap((one) => one.kept);
  const wanted = [at('husky/.husky'), at('husky/shared.cfg'), at('husky/inner/.git/config')];
  expect(kept).toEqual(expect.arrayContaining(wanted));
});

it('leaves a copy of ours alone', async () => {
  const scratch = createScratch('project');
  init(scratch.path);
  expect(repositories(scratch.path)).toEqual([]);
  await scratch.remove();
});

const levels = [
  { level: 'sandbox', isMissing: noSandbox },
  { level: `docker=${IMAGE}`, isMissing: IMAGE === '' },
];
for (const { level, isMissing } of levels) {
  it.skipIf(isMissing)(`holds in a ${level.split('=')[0]}: no hook, no configuration, no other .git`, async () => {
    const cwd = at(`attacked-by-${level.length}`);
    init(cwd);
    const before = readFileSync(join(cwd, '.git/config'), 'utf8');
    const isolation = await openIsolation(level, { writable: [cwd], readable: [], ports: [] });
    const script = `echo hook > .git/hooks/post-commit; echo '[core]' >> .git/config; rm -f .git/config
      mv .git away; mv .git/hooks .git/other; echo 0 > .git/COMMIT_EDITMSG; echo done`;
    const ran = await runToEnd({
      ...{ command: ['/bin/sh', '-c', script], cwd, env: scrubbedEnvironment(), enclosure: isolation.enclosure },
      deadlineMs: 30_000,
    });
    await isolation.close();
    expect(ran, ran.stderr).toMatchObject({ stdout: 'done' });
    expect(readFileSync(join(cwd, '.git/config'), 'utf8')).toBe(before);
    expect(existsSync(join(cwd, '.git/hooks/post-commit'))).toBe(false);
    // What a commit writes is still written.
    expect(readFileSync(join(cwd, '.git/COMMIT_EDITMSG'), 'utf8')).toBe('0\n');
  });
}
