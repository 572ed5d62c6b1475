import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { realAgent } from '../helpers/real-agents.js';
import { startUnderstudy } from '../helpers/running-understudy.js';
import { type RunResult, runProgram, runUnderstudy } from '../helpers/understudy.js';

function world(): { root: string; shims: string; scenario: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'shim-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const scenario = join(root, 'sce nario.json');
  const responses = [
    { pattern: { type: 'contains', text: 'hello' }, response: 'Hello back.' },
    { pattern: { type: 'exact', text: 'never said' }, response: 'x' },
  ];
  writeFileSync(scenario, JSON.stringify({ logged_in: true, responses }));
  return { root, shims: join(root, 'shims'), scenario };
}

function shell(command: string, root: string, env: Record<string, string> = {}): Promise<RunResult> {
  const PATH = `${join(root, 'shims')}:${process.env['PATH']}`;
  return runProgram(['/bin/sh', '-c', `${command} < /dev/null`], { cwd: root, env: { HOME: root, PATH, ...env } });
}

const HELLO = {
  claude: 'claude -p hello',
  opencode: 'opencode run hello',
  'kiro-cli': 'kiro-cli chat --no-interactive hello',
  codex: 'codex exec --skip-git-repo-check hello',
  gemini: 'gemini -p hello',
};

it('writes the five stand-ins under the names of the real programs, and takes the place of nothing else', async () => {
  const { root, shims, scenario } = world();
  expect((await runUnderstudy(['shim', '--stage', 'sim', shims, '--scenario', scenario])).code).toBe(0);
  expect(readdirSync(shims).sort()).toEqual(Object.keys(HELLO).sort());
  for (const command of Object.values(HELLO)) {
    const run = await shell(command, root, { CLAUDE_CONFIG_DIR: join(root, '.claude') });
    expect(run.stdout, `${command}: ${run.stderr}`).toContain('Hello back.');
  }
  const none = await shell('codex exec --skip-git-repo-check hello', root, { UNDERSTUDY_SCENARIO: '/none.json' });
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('/none.json') });
  writeFileSync(join(shims, 'codex'), '#!/bin/sh\necho the real one\n');
  expect(await runUnderstudy(['shim', '--stage', 'sim', shims])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('codex'),
  });
});

it('starts the real CLIs on a scripted model, and leaves nothing behind', { timeout: 120_000 }, async (context) => {
  await realAgent('codex', context);
  const { root, shims, scenario } = world();
  const running = startUnderstudy(['shim', '--stage', 'sim', shims, '--stage', 'scripted', '--scenario', scenario], {
    cwd: root,
  });
  onTestFinished(() => running.signal('SIGKILL'));
  await running.says(/press Ctrl-C/);
  const script = readFileSync(join(shims, 'codex'), 'utf8');
  const home = /HOME=(\S+)/.exec(script)?.[1] ?? '';
  expect(existsSync(home)).toBe(true);
  const secret = { OPENAI_API_KEY: 'sk-real', CODEX_HOME: '/nowhere', https_proxy: 'http://127.0.0.1:9' };
  const run = await shell('codex exec --json --skip-git-repo-check hello', root, secret);
  expect(run.stdout, run.stderr).toContain('Hello back.');
  const again = await shell('codex exec --skip-git-repo-check resume --last "hello again"', root, secret);
  expect(again.stdout, again.stderr).toBe('Hello back.\n');
  expect((await shell('codex exec --skip-git-repo-check unheard', root)).code).toBe(1);
  running.signal('SIGINT');
  expect(await running.exited).toBe(130);
  expect(running.output()).toMatch(/unanswered: .*unheard[\s\S]*unused: responses\[1\]/);
  expect([existsSync(home), existsSync(shims)]).toEqual([false, false]);
});

it('says what it needs', async () => {
  const { root, shims, scenario } = world();
  expect(await runUnderstudy(['shim', '--stage', 'sim', shims, '--stage', 'scripted'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--scenario FILE'),
  });
  expect((await runUnderstudy(['shim', '--stage', 'sim', shims, '--stage', 'live', '--scenario', scenario])).code).toBe(
    2,
  );
  expect((await runUnderstudy(['shim', '--stage', 'sim', shims, '--scenario', join(root, 'none.toml')])).code).toBe(2);
  expect(existsSync(shims)).toBe(false);
});

it('a program whose model was killed says so', { timeout: 120_000 }, async (context) => {
  await realAgent('codex', context);
  const { root, shims, scenario } = world();
  const running = startUnderstudy(['shim', '--stage', 'sim', shims, '--stage', 'scripted', '--scenario', scenario], {
    cwd: root,
  });
  await running.says(/press Ctrl-C/);
  const home = /HOME=(\S+)/.exec(readFileSync(join(shims, 'codex'), 'utf8'))?.[1] ?? '';
  running.signal('SIGKILL');
  await running.exited;
  await expect.poll(() => existsSync(home), { timeout: 20_000 }).toBe(false);
  expect(await shell('codex exec hello', root)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the scripted model of codex has ended'),
  });
});
