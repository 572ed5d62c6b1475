import { expect, it } from 'vitest';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { realAgent } from '../helpers/real-agents.js';
import { runUnderstudy } from '../helpers/understudy.js';

// A choice that shows each part of a real CLI once; `understudy e2e --stage scripted` plays all cases.
const WITHOUT_BASELINES = ['--skip-baselines'];

it.for([
  ['claude', 'hat-multi-workflow', []],
  ['claude', 'claude-tool-use', WITHOUT_BASELINES],
  ['claude', 'timeout-handling', WITHOUT_BASELINES],
  ['claude', 'auth-failure', WITHOUT_BASELINES],
  // It puts prompts in quotes before its model sees them.
  ['opencode', 'hat-instructions', WITHOUT_BASELINES],
  ['opencode', 'claude-tool-use', WITHOUT_BASELINES],
  ['opencode', 'auth-failure', WITHOUT_BASELINES],
] as const)('the real %s passes %s on a scripted model', { timeout: 300_000 }, async ([backend, id, more], context) => {
  await realAgent(backend, context);
  const args = ['e2e', backend, '--loop', '--stage', 'scripted', '--filter', id, '--skip-analysis', ...more];
  const result = await runUnderstudy(args, { cwd: loopWorkspace({}), env: { HOME: process.env['HOME'] ?? '' } });
  expect(result.code, result.stdout).toBe(0);
});
