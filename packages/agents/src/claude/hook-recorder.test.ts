import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HookRecorder, recordHooks } from './hook-recorder.js';

let root: string;
let recorder: HookRecorder;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "understudy-record-it's-")));
  recorder = recordHooks(root);
});
afterEach(() => rmSync(root, { recursive: true }));

const asHook = { CLAUDE_PROJECT_DIR: '/w', CLAUDE_CODE_CHILD_SESSION: '1' };

function run(command: string, env: Record<string, string> = asHook, input = '{"hook_event_name":"Stop"}\n') {
  const script = recorder.environment['CLAUDE_CODE_SHELL_PREFIX'] ?? '';
  return runToEnd({
    command: [script, command],
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    input,
    deadlineMs: 10_000,
  });
}

it('keeps what went in and what came out, and changes neither', async () => {
  const outcome = await run(`cat; echo 'to "you"' >&2; exit 2`);
  expect(outcome).toMatchObject({ code: 2, stdout: '{"hook_event_name":"Stop"}', stderr: 'to "you"' });
  expect(recorder.readLog()).toMatchObject([
    {
      ...{ event: 'Stop', command: `cat; echo 'to "you"' >&2; exit 2`, stdin: '{"hook_event_name":"Stop"}\n' },
      ...{ stdout: '{"hook_event_name":"Stop"}\n', stderr: 'to "you"\n', exitCode: 2 },
    },
  ]);
});

it('lets tools and servers through, and keeps nothing of them', async () => {
  expect(await run('echo tool; exit 4', { SHELL: '/bin/sh' })).toMatchObject({ code: 4, stdout: 'tool' });
  expect(await run('echo server', { CLAUDE_PROJECT_DIR: '/w' })).toMatchObject({ code: 0, stdout: 'server' });
  expect(recorder.readLog()).toEqual([]);
});

it('does not wait for what a hook leaves running', async () => {
  const { milliseconds, stdout } = await run('sleep 15 & echo gone');
  expect(stdout).toBe('gone');
  expect(milliseconds).toBeLessThan(10_000);
});

it('takes a payload that is no JSON, and much output', async () => {
  await run('head -c 300000 /dev/zero | tr "\\0" x', asHook, 'no json');
  const [first] = recorder.readLog();
  expect(first).toMatchObject({ event: 'unknown', stdin: 'no json', exitCode: 0 });
  expect(first?.stdout).toHaveLength(300_000);
});

it('keeps runs that are side by side apart', async () => {
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => run(`sleep 0.1; echo ${name}`)));
  expect(
    recorder
      .readLog()
      .map(({ stdout }) => stdout)
      .sort(),
  ).toEqual(['a\n', 'b\n', 'c\n', 'd\n']);
});
