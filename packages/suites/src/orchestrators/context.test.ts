import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redactor, UntrustedFolder } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { captureContext } from './context.js';
import type { Observation, StepRun } from './observation.js';

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'context-'));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const TOKEN = 'a-token-without-a-shape';
const run: StepRun = {
  ...{ command: ['ralph', 'run', '-p', "it's"], code: 1, signal: null, stdout: 'out', stderr: 'err' },
  ...{ milliseconds: 5, timedOut: false, leftovers: [] },
};
const observation: Observation = {
  ...{ runs: [run], last: run, timedOut: false, leftovers: [], events: [], unlogged: [], termination: 'completed' },
  iterations: [
    { iteration: 1, hat: 'ralph', backend: 'claude', command: ['claude'], prompt: 'x'.repeat(30_000), milliseconds: 2 },
    { iteration: 2, hat: 'ralph', backend: 'claude', command: ['claude'], prompt: 'started, and never ended' },
  ],
  read: () => undefined,
};
const capture = () =>
  captureContext({
    ...{ workspace: new UntrustedFolder(workspace), observation, scratchpadBefore: 'before', scratchpadFile: 'pad.md' },
    redact: redactor({ MY_TOKEN: TOKEN }),
  });

it('tells what was called, what came of it, and which iterations ended', () => {
  expect(capture()).toMatchObject({
    command_line: "ralph run -p 'it'\\''s'",
    exit_code: 1,
    stdout: 'out',
    stderr: 'err',
    termination_reason: 'completed',
    iterations_completed: 1,
    scratchpad_before: 'before',
  });
  expect(capture().scratchpad_after).toBeUndefined();
});

it('cuts long texts in the middle, and says so', () => {
  const prompt = capture().iterations[0]?.prompt ?? '';
  expect(prompt.length).toBeLessThan(21_000);
  expect(prompt).toContain('… 10000 characters left out …');
});

it('lists files with their beginnings; not binaries, links, or what is ours', () => {
  mkdirSync(join(workspace, 'src'));
  mkdirSync(join(workspace, '.home'));
  writeFileSync(join(workspace, '.home/key'), 'ours');
  writeFileSync(join(workspace, 'src/a.txt'), 'y'.repeat(600));
  writeFileSync(join(workspace, 'b.bin'), Buffer.from([1, 0, 2]));
  symlinkSync('/etc/hostname', join(workspace, 'link'));
  expect(capture().workspace_files.sort((a, b) => a.path.localeCompare(b.path))).toEqual([
    { path: 'b.bin', content_preview: '(binary)', size_bytes: 3 },
    { path: 'src/a.txt', content_preview: 'y'.repeat(500), size_bytes: 600 },
  ]);
});

it('shows no part of a secret, wherever a text is cut', () => {
  writeFileSync(join(workspace, 'a.txt'), `${'y'.repeat(490)}${TOKEN}`);
  writeFileSync(join(workspace, 'pad.md'), `${'z'.repeat(9990)}${TOKEN}${'z'.repeat(20_000)}`);
  expect(JSON.stringify(capture())).not.toContain(TOKEN.slice(0, 6));
});

it('reads no file outside of the workspace, and is not stopped by a folder in the place of a file', () => {
  symlinkSync('/etc/hostname', join(workspace, 'PROMPT.md'));
  mkdirSync(join(workspace, 'ralph.yml'));
  expect(capture()).toMatchObject({ prompt_content: '', config_yaml: '' });
});

it('reads only the beginning of a huge file', () => {
  writeFileSync(join(workspace, 'huge.txt'), 'y');
  truncateSync(join(workspace, 'huge.txt'), 6_000_000_000);
  expect(capture().workspace_files).toEqual([
    { path: 'huge.txt', content_preview: '(binary)', size_bytes: 6_000_000_000 },
  ]);
});
