import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sandboxProblem } from '../../packages/stage/src/isolation/probe-sandbox.js';
import { runUnderstudy } from '../helpers/understudy.js';

const problem = await sandboxProblem();

/** No scratch folder of ours: there, everything can be written. */
let root: string;
const at = (...names: string[]) => join(root, ...names);
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'of-a-user-')));
  mkdirSync(at('repo'));
  writeFileSync(at('scenario.toml'), 'responses = []\n');
  git(at('repo'), 'init', '-q', '-b', 'main');
  writeFileSync(at('repo/file'), 'one\n');
  git(at('repo'), 'add', '.');
  git(at('repo'), 'commit', '-q', '-m', 'first');
});
afterEach(() => rmSync(root, { recursive: true }));

const IDENTITY = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always'];
const env = () => ({ HOME: at(), GIT_CONFIG_NOSYSTEM: '1', PATH: process.env['PATH'] ?? '' });
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', [...IDENTITY, ...args], { cwd, env: env(), encoding: 'utf8' });

/** What a command does in a repository of the user. `$EVIL` is what must not run outside. */
async function exec(cwd: string, script: string, ...flags: string[]) {
  writeFileSync(
    at('script.sh'),
    `git() { command git ${IDENTITY.join(' ')} "$@"; }\nEVIL='touch ${at('ran')}'\n${script}`,
  );
  const args = ['exec', '--stage', 'sim', '--scenario', at('scenario.toml'), '--agent', 'claude', ...flags];
  const words = ['--', 'bash', '-c', readFileSync(at('script.sh'), 'utf8')];
  return runUnderstudy([...args, ...words], { cwd, env: { ...env(), XDG_CACHE_HOME: at('cache') } });
}
const inSandbox = (cwd: string, script: string) => exec(cwd, script, '--isolation', 'sandbox');

/** What the user does next. */
function useGit(cwd: string): void {
  const tried = (...args: string[]) => {
    try {
      git(cwd, ...args);
    } catch {
      // What it ran counts, not what it said.
    }
  };
  tried('status');
  tried('add', '--all');
  tried('commit', '-q', '--allow-empty', '-m', 'next');
  tried('rebase', '--continue');
  tried('checkout', '-q', '-b', 'next');
}

/** A git folder with a program that `git status` runs. */
const EVIL_FOLDER = `evil() { mkdir -p $1; cp -r .git/objects .git/refs .git/HEAD $1/ 2>/dev/null ||
  { C=$(git rev-parse --git-common-dir); cp -r $C/objects $C/refs $C/HEAD $1/; }
  printf '[core]\\n repositoryformatversion = 0\\n fsmonitor = "%s; false"\\n hooksPath = %s\\n' "$EVIL" "$PWD/evil-hooks" > $1/config
  mkdir -p evil-hooks; printf '#!/bin/sh\\n%s\\n' "$EVIL" > evil-hooks/pre-commit; chmod +x evil-hooks/pre-commit; }\n`;

interface Planting {
  /** Makes the repository what it is before; gives the folder in which the command runs. */
  before?: () => string;
  script: string;
  /** What is printed of it: refused at once, or removed afterwards. */
  told: RegExp;
}

function worktree(): string {
  git(at('repo'), 'worktree', 'add', '-q', at('tree'));
  return at('tree');
}

function withHooks(path: string): string {
  mkdirSync(at('repo', path), { recursive: true });
  writeFileSync(at('repo', path, 'pre-commit'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  git(at('repo'), 'config', 'core.hooksPath', path);
  return at('repo');
}

function submodule(): string {
  git(at(), 'clone', '-q', at('repo'), at('other'));
  git(at('repo'), 'submodule', '--quiet', 'add', at('other'), 'sub');
  git(at('repo'), 'commit', '-q', '-m', 'a submodule');
  return at('repo');
}

const HOOK = `printf '#!/bin/sh\\n%s\\n' "$EVIL" > $H/pre-commit; chmod +x $H/pre-commit`;
const FSMONITOR = `printf '[core]\\n fsmonitor = "%s; false"\\n' "$EVIL"`;

const plantings: Record<string, Planting> = {
  'another common folder': {
    script: `${EVIL_FOLDER} evil evil; echo ../evil > .git/commondir`,
    told: /\.git\/commondir was written/,
  },
  'another common folder of a worktree': {
    before: worktree,
    script: `${EVIL_FOLDER} evil evil; D=$(git rev-parse --git-dir); rm -f $D/commondir; echo $PWD/evil > $D/commondir`,
    told: /commondir.*Read-only file system|commondir.*busy/,
  },
  'another .git file of a worktree': {
    before: worktree,
    script: `${EVIL_FOLDER} evil evil; rm -f .git; mv .git away; echo 'gitdir: ./evil' > .git`,
    told: /\.git: Read-only file system/,
  },
  'a hook in the work tree': {
    before: () => withHooks('.husky'),
    script: `H=.husky; ${HOOK}; mv .husky away; mkdir -p .husky; ${HOOK}`,
    told: /pre-commit: Read-only file system/,
  },
  'a hook that husky calls': {
    before: () => {
      writeFileSync(join(withHooks('.husky/_'), '.husky/_/pre-commit'), '#!/bin/sh\nsh .husky/pre-commit\n');
      return at('repo');
    },
    script: `H=.husky; ${HOOK}`,
    told: /pre-commit: Read-only file system/,
  },
  'a hook in a folder that is moved there': {
    before: () => withHooks('tools/hooks'),
    script: `mv tools away; H=tools/hooks; mkdir -p $H; ${HOOK}`,
    told: /tools\/hooks was written/,
  },
  'hooks where there were none': {
    before: () => {
      rmSync(at('repo/.git/hooks'), { recursive: true });
      return at('repo');
    },
    script: `H=.git/hooks; mkdir -p $H; ${HOOK}`,
    told: /\.git\/hooks was written/,
  },
  'the hook of a repository': { script: `H=.git/hooks; ${HOOK}`, told: /pre-commit: Read-only file system/ },
  'a file that the configuration includes': {
    before: () => {
      git(at('repo'), 'config', 'include.path', '../shared.cfg');
      writeFileSync(at('repo/shared.cfg'), '[alias]\n\tst = status\n');
      return at('repo');
    },
    script: `${FSMONITOR} > shared.cfg`,
    told: /shared\.cfg: Read-only file system/,
  },
  'a file that the configuration would include': {
    before: () => {
      git(at('repo'), 'config', 'include.path', '../shared.cfg');
      return at('repo');
    },
    script: `${FSMONITOR} > shared.cfg`,
    told: /shared\.cfg was written/,
  },
  'the configuration of a submodule': {
    before: submodule,
    script: `${FSMONITOR} >> .git/modules/sub/config; mv .git/modules/sub x; mv .git/modules x`,
    told: /modules\/sub\/config: Read-only file system/,
  },
  'a submodule of its own': {
    script: `git clone -q . sub; mkdir -p .git/modules; mv sub/.git .git/modules/sub; echo 'gitdir: ../.git/modules/sub' > sub/.git
      ${FSMONITOR} >> .git/modules/sub/config; git add sub`,
    told: /modules\/sub\/config was written/,
  },
  'a repository within': {
    script: `git clone -q . sub; ${FSMONITOR} >> sub/.git/config; git add sub; chmod 300 sub/.git`,
    told: /sub\/\.git\/config was written/,
  },
  'a repository elsewhere': {
    script: `${EVIL_FOLDER} evil .evil; git clone -q . sub; rm -rf sub/.git; echo 'gitdir: ../.evil' > sub/.git; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub`,
    told: /sub\/\.git was written/,
  },
  'programs in a rebase that is left open': {
    script: `echo two > file; git commit -qam second; GIT_SEQUENCE_EDITOR=: git rebase -q -x false HEAD~1; printf 'exec %s\\n' "$EVIL" > .git/rebase-merge/git-rebase-todo`,
    told: /would run programs outside/,
  },
};

describe.skipIf(problem !== undefined)('exec in a sandbox, in a repository of the user', () => {
  it.each(Object.entries(plantings))('leaves nothing that git runs outside: %s', async (_, planting) => {
    const cwd = planting.before?.() ?? at('repo');
    const ran = await inSandbox(cwd, `${planting.script}; exit 0`);
    useGit(cwd);
    expect(existsSync(at('ran')), ran.stderr).toBe(false);
    expect(ran.stderr).toMatch(planting.told);
    if (/was written|would run/.test(planting.told.source)) expect(ran.code, ran.stderr).not.toBe(0);
  });

  it('ends everything as soon as a program outside would run something else', async () => {
    const script = `${EVIL_FOLDER} evil evil; echo ../evil > .git/commondir; for i in $(seq 600); do sleep 0.1; done; echo late`;
    const ran = await inSandbox(at('repo'), script);
    expect(ran, ran.stderr).toMatchObject({ code: 137 });
    expect(ran.stdout).not.toContain('late');
    expect(ran.stderr).toMatch(/\.git\/commondir was written/);
    expect(existsSync(at('repo/.git/commondir'))).toBe(false);
  });

  it('lets no file of git lead out of its folder', async () => {
    writeFileSync(at('profile'), 'mine\n');
    const ran = await inSandbox(
      at('repo'),
      `rm .git/logs/HEAD; ln -s ${at('profile')} .git/logs/HEAD; mkfifo .git/ORIG_HEAD`,
    );
    expect(ran.stderr).toMatch(/logs\/HEAD was written/);
    expect(ran.stderr).toMatch(/ORIG_HEAD was written/);
    useGit(at('repo'));
    expect(readFileSync(at('profile'), 'utf8')).toBe('mine\n');
  });

  const WORK = `set -e
    echo two > file; git commit -qam second; git branch topic; git checkout -q topic
    echo three > new; git add new; git commit -qm third
    echo x >> file; git stash -q; git stash pop -q; git stash -q
    git checkout -q main; echo four > four; git add four; git commit -qm fourth
    git rebase -q topic; git merge -q --no-ff topic -m merged || true; git tag v1
    git fetch -q "$ORIGIN" main:refs/remotes/origin/main
    git gc -q; git worktree add -q inner; (cd inner; git commit -q --allow-empty -m inner)
    git init -q made; echo done`;

  it.each([
    ['a repository', () => at('repo')],
    ['a worktree', worktree],
  ])('lets ordinary work arrive: %s', async (_, before) => {
    const cwd = before();
    git(cwd, 'clone', '-q', '--bare', at('repo'), join(cwd, 'origin.git'));
    if (cwd === at('tree')) git(at('repo'), 'checkout', '-q', '-b', 'elsewhere');
    if (cwd === at('tree')) git(cwd, 'checkout', '-q', 'main');
    const ran = await inSandbox(cwd, `ORIGIN=$PWD/origin.git; ${WORK}`);
    expect(ran.stdout, ran.stderr).toBe('done\n');
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).not.toMatch(/outside of its sandbox/);
    expect(git(cwd, 'log', '--format=%s', 'main')).toBe('fourth\nthird\nsecond\nfirst\n');
    expect(git(cwd, 'log', '--format=%s', '-1', 'refs/heads/inner')).toBe('inner\n');
    expect(git(cwd, 'stash', 'list')).toMatch(/on topic/i);
    expect(git(cwd, 'for-each-ref', '--format=%(refname)')).toMatch(
      /refs\/remotes\/origin\/main\nrefs\/stash\nrefs\/tags\/v1/,
    );
    expect(git(cwd, 'status', '--porcelain')).toBe('?? inner/\n?? made/\n?? origin.git/\n');
    expect(git(join(cwd, 'inner'), 'status', '--porcelain')).toBe('');
    git(cwd, 'fsck');
  });
});

it('says without a sandbox, too, what git will run and obey', async () => {
  const script = `H=.git/hooks; ${HOOK}; git config core.editor vi; git commit -q --allow-empty --no-verify -m second`;
  const ran = await exec(at('repo'), script, '--isolation', 'none');
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toMatch(/git will run or obey.*\.git\/config \(changed\)/);
  expect(ran.stderr).toMatch(/git will run or obey.*\.git\/hooks\/pre-commit \(new\)/);
  const sound = await exec(at('repo'), 'git commit -q --allow-empty --no-verify -m third', '--json');
  expect(JSON.parse(sound.stdout)).not.toHaveProperty('planted');
  const told = await exec(at('repo'), 'git config core.pager less', '--json');
  expect(JSON.parse(told.stdout)).toMatchObject({ planted: [expect.stringContaining('.git/config (changed)')] });
});
