import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { checkFile } from '@understudy/verdict';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { initRepository } from '../workspace/git.js';
import { EventLog } from './event-log.js';
import { ProjectWatch } from './project-watch.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('watch');
});
afterEach(() => scratch.remove());

function makeFiles(count: number): void {
  for (let number = 0; number < count; number++) writeFileSync(join(scratch.path, `${number}.txt`), '');
}

it('a turn that makes too many files gives a problem and no exception; later turns stay unwatched', () => {
  const watch = new ProjectWatch(scratch.path, { mostEntries: 10 });
  expect(watch.begin()).toEqual([]);
  makeFiles(11);
  const first = watch.changes();
  expect(first.problem).toMatchObject({
    code: 'WORKSPACE_TOO_LARGE',
    fix: expect.stringMatching(/^Write fewer files/),
  });
  expect(first.events).toEqual([
    { type: 'files_not_watched', message: expect.stringContaining('more than 10 files'), fix: expect.any(String) },
  ]);
  const second = watch.changes();
  expect(second.problem).toBeUndefined();
  expect(second.events).toMatchObject([{ type: 'files_not_watched' }]);
});

it('a check on files cannot pass when the files were not watched', () => {
  makeFiles(11);
  const watch = new ProjectWatch(scratch.path, { mostEntries: 10 });
  expect(watch.begin()).toMatchObject([{ type: 'notice', level: 'warning' }]);
  const log = new EventLog();
  const turn = watch.changes().events.map((event) => log.append(event));
  expect(checkFile({ turn, all: turn }, { path: 'a.txt', change: 'unchanged' })).toMatchObject({
    status: 'unjudged',
    actual: expect.stringContaining('not known'),
    suggestion: expect.stringMatching(/^Write fewer files/),
  });
});

it('a project that the turn removed has lost its files', () => {
  mkdirSync(join(scratch.path, 'project'));
  writeFileSync(join(scratch.path, 'project', 'a.txt'), 'a');
  const watch = new ProjectWatch(join(scratch.path, 'project'));
  watch.begin();
  rmSync(join(scratch.path, 'project'), { recursive: true });
  expect(watch.changes()).toEqual({
    events: [{ type: 'file_changed', path: 'a.txt', change: 'deleted', before: 'a' }],
  });
});

it('runs no program that the agent has put into the configuration of its repository', async () => {
  const project = join(scratch.path, 'project');
  const ran = join(scratch.path, 'ran');
  mkdirSync(project);
  writeFileSync(join(project, 'a.txt'), 'a\n');
  await initRepository(project);
  const watch = new ProjectWatch(project);
  watch.begin();
  // It signs, and whoever looks at the signature runs it.
  const program = join(project, 'gpg.sh');
  const signature = '-----BEGIN PGP SIGNATURE-----\n\nx\n-----END PGP SIGNATURE-----';
  writeFileSync(
    program,
    `#!/bin/sh\ncase "$*" in *verify*) touch '${ran}' ;; *) cat >/dev/null; echo '${signature}'; echo '[GNUPG:] SIG_CREATED ' >&2 ;; esac\n`,
    { mode: 0o755 },
  );
  const agent = (...args: string[]) => execFileSync('git', args, { cwd: project, stdio: 'pipe' });
  agent('config', 'gpg.program', program);
  agent('config', 'log.showSignature', 'true');
  agent('commit', '-q', '-S', '--allow-empty', '-m', 'signed');
  agent('log', '-1');
  expect(existsSync(ran), 'git as the agent has set it up runs it').toBe(true);
  rmSync(ran);
  expect(watch.changes().events).toMatchObject([{ type: 'file_changed' }, { type: 'commit', message: 'signed' }]);
  expect(existsSync(ran)).toBe(false);
});

it('sees a commit that only a tag names, and takes no tag of something else for one', async () => {
  const project = join(scratch.path, 'project');
  mkdirSync(project);
  await initRepository(project);
  const watch = new ProjectWatch(project);
  watch.begin();
  const agent = (...args: string[]) => execFileSync('git', args, { cwd: project, stdio: 'pipe', encoding: 'utf8' });
  agent('tag', 'here');
  agent('tag', 'tree', agent('rev-parse', 'HEAD^{tree}').trim());
  expect(watch.changes().events).toEqual([]);
  agent('checkout', '-q', '--detach');
  agent('commit', '-q', '--allow-empty', '-m', 'aside');
  agent('tag', '-a', 'kept', '-m', 'kept');
  agent('checkout', '-q', 'main');
  expect(watch.changes().events).toMatchObject([{ type: 'commit', message: 'aside' }]);
  agent('pack-refs', '--all');
  expect(watch.changes().events).toEqual([]);
});
