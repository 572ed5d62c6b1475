import { expect, it } from 'vitest';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { realAgent } from '../helpers/real-agents.js';
import { runUnderstudy } from '../helpers/understudy.js';

const store = { HOME: process.env['HOME'] ?? '' };

it('passes on the real Claude Code with a scripted model', { timeout: 400_000 }, async (context) => {
  await realAgent('claude', context);
  for (const filter of ['hat-multi-workflow', 'claude-tool-use', 'timeout-handling', 'auth-failure']) {
    const cwd = loopWorkspace({});
    const result = await runUnderstudy(['e2e', 'claude', '--stage', 'scripted', '--filter', filter], {
      cwd,
      env: store,
    });
    expect(result.code, result.stdout).toBe(0);
  }
});

it('passes on the real OpenCode with a scripted model', { timeout: 400_000 }, async (context) => {
  await realAgent('opencode', context);
  const cwd = loopWorkspace({});
  const args = ['e2e', 'opencode', '--stage', 'scripted', '--filter', 'claude-backpressure', '--skip-baselines'];
  const result = await runUnderstudy(args, { cwd, env: store });
  expect(result.code, result.stdout).toBe(0);
});

it('has no verdict where everything had to be skipped', async () => {
  const cwd = loopWorkspace({});
  const result = await runUnderstudy(['e2e', 'kiro', '--stage', 'scripted', '--filter', 'connect'], { cwd });
  expect(result).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('NO VERDICT: 0 passed, 0 failed, 1 skipped'),
  });
  expect(result.stdout).toContain('kiro-cli cannot be pointed at a scripted model');
});
