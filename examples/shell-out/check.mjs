// Runs commit-message.sh, unchanged, on the stand-in: only PATH and UNDERSTUDY_SCENARIO are ours.
// Fails when the program does not say what the scenario makes it say.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('./', import.meta.url));
const understudy = fileURLToPath(new URL('../../dist/bin/understudy.js', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'shell-out-'));
try {
  const shims = join(root, 'bin');
  execFileSync(process.execPath, [understudy, 'shim', shims, '--stage', 'sim'], { stdio: 'ignore' });
  const log = join(root, 'log.jsonl');
  const env = {
    PATH: `${shims}:${process.env.PATH}`,
    HOME: root,
    UNDERSTUDY_SCENARIO: join(here, 'commit-message.toml'),
    UNDERSTUDY_LOG: log,
  };
  const git = (...args) => execFileSync('git', args, { cwd: root, env, stdio: 'ignore' });
  git('init');
  writeFileSync(join(root, 'hello.txt'), 'hello\n');
  git('add', 'hello.txt');
  const said = execFileSync(join(here, 'commit-message.sh'), { cwd: root, env, encoding: 'utf8' });
  assert.equal(said, 'Add a greeting\n');
  const prompts = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.match(prompts[0].prompt, /\+hello/, 'the change was piped in');
  assert.match(prompts[1].matched[0], /turns\[0\]/, 'the second call was the next turn');
  assert.equal(prompts[0].session_id, prompts[1].session_id);
  console.log(`ok: the program said ${JSON.stringify(said.trim())} after ${prompts.length} calls of claude`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
