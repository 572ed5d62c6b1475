import { expect, it } from 'vitest';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { realAgent } from '../helpers/real-agents.js';
import { LONG, makesLongProofs, sample, seedOr } from '../helpers/seeded.js';
import { runUnderstudy } from '../helpers/understudy.js';

// A choice that shows each part of a real CLI once; `understudy e2e --stage scripted` plays all cases.
const WITHOUT_BASELINES = ['--skip-baselines'];

const CASES = [
  ['claude', 'hat-multi-workflow', []],
  ['claude', 'tool-use', WITHOUT_BASELINES],
  ['claude', 'timeout-handling', WITHOUT_BASELINES],
  ['claude', 'auth-failure', WITHOUT_BASELINES],
  // It puts prompts in quotes before its model sees them.
  ['opencode', 'hat-instructions', WITHOUT_BASELINES],
  ['opencode', 'tool-use', WITHOUT_BASELINES],
  ['opencode', 'auth-failure', WITHOUT_BASELINES],
] as const;
const seed = seedOr(9);

const of = (backend: string) => CASES.filter(([own]) => own === backend);

it.for([...sample(of('claude'), 2, seed), ...(makesLongProofs ? sample(of('opencode'), 1, seed) : [])])(
  `the real %s passes %s on a scripted model (${LONG ? 'all' : `some by seed ${seed}`})`,
  { timeout: 300_000 },
  async ([backend, id, more], context) => {
    await realAgent(backend, context);
    const args = ['e2e', backend, '--loop', '--stage', 'scripted', '--grep', id, '--skip-analysis', ...more];
    const result = await runUnderstudy(args, { cwd: loopWorkspace({}), env: { HOME: process.env['HOME'] ?? '' } });
    expect(result.code, result.stdout).toBe(0);
  },
);
