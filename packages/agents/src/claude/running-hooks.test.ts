import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch } from '@understudy/kit';
import { expect, it, onTestFinished } from 'vitest';
import { RunningHooks } from './running-hooks.js';

/** Starts a shell that waits for its stdin, as a hook of Claude Code or as something else. */
async function startShell(env: Record<string, string>, command = 'echo up; read -r line; exit 0'): Promise<void> {
  const child = spawn('/bin/sh', ['-c', command], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(async () => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    // The next test would see it among the processes.
    await gone;
  });
  await once(child.stdout, 'data');
}

const HOOK = { CLAUDE_PROJECT_DIR: '/w', CLAUDE_CODE_CHILD_SESSION: '1' };

it('names the hook that runs, with its command and its time', async () => {
  const hooks = new RunningHooks();
  hooks.note({ type: 'hook_started', id: 'a', name: 'SessionStart:startup', event: 'SessionStart' });
  hooks.note({ type: 'hook_started', id: 'b', name: 'Setup', event: 'Setup' });
  hooks.note({
    ...{ type: 'hook_finished', id: 'b', name: 'Setup', event: 'Setup', stdout: '', stderr: '' },
    ...{ outcome: 'success', blocked: false },
  });
  await startShell(HOOK);
  expect(hooks.describe(process.pid)).toMatch(
    /^the hook SessionStart:startup is still running.*: echo up; read -r line; exit 0$/,
  );
  expect(new RunningHooks().describe(process.pid, 'a SessionStart hook')).toMatch(/^a SessionStart hook is still/);
});

it('leaves out the recorder before the command', async () => {
  const scratch = createScratch('recorder');
  onTestFinished(() => scratch.remove());
  const recorder = join(scratch.path, 'record-hook.sh');
  writeFileSync(recorder, '#!/bin/sh\necho up; read -r line\n', { mode: 0o755 });
  await startShell(HOOK, `${recorder} 'guard.sh'; exit 0`);
  expect(new RunningHooks().describe(process.pid)).toMatch(/: 'guard\.sh'; exit 0$/);
});

it.runIf(process.platform === 'linux')('does not take a server or a tool for a hook', async () => {
  await startShell({});
  expect(new RunningHooks().describe(process.pid)).toBeUndefined();
});

it('names a hook without a process of its own by what the CLI told', () => {
  const hooks = new RunningHooks();
  hooks.note({ type: 'hook_started', id: 'a', name: 'SessionStart:startup', event: 'SessionStart' });
  expect(hooks.describe(process.pid)).toMatch(/^the hook SessionStart:startup is still running after \d+ ms$/);
});
