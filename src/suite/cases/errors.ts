import { endsBecause, exitsWith, holds, leavesNothing, prints, says, takesIterations } from '../assertion.js';
import type { Backend, SuiteCase } from '../case.js';
import { afterCommand, configured, script } from './script.js';

const ALL: readonly Backend[] = ['claude', 'kiro', 'opencode'];

const timeout: SuiteCase = {
  id: 'timeout-handling',
  description: 'An agent that takes too long is ended, with everything that it started',
  tier: 'Error Handling',
  backends: ALL,
  expectedIterations: 1,
  setup: () => ({
    config: { event_loop: { max_runtime_seconds: 1, max_iterations: 3 } },
    prompt: 'Wait for a sign.',
    scenario: script([
      'Wait for a sign',
      // One helper leaves the process group, where there is a way to: ending the agent alone does not end it.
      afterCommand(
        '{ command -v setsid >/dev/null && setsid sleep 600 & } ; echo waiting > waiting.txt; sleep 600',
        'It came.\nLOOP_COMPLETE',
      ),
    ]),
    timeoutMs: 15_000,
  }),
  check: (observed) => [
    exitsWith(observed, 2),
    endsBecause(observed, 'max_runtime'),
    takesIterations(observed, 1),
    leavesNothing(observed),
  ],
  baselines: [
    {
      condition: 'there is no limit',
      expectedFailure: 'the loop waits until the harness ends it',
      whyItMatters: 'it shows that the loop’s own limit ends it, and that the harness has one too',
      change: (setup) => ({ ...configured(setup, { event_loop: { max_runtime_seconds: 600 } }), timeoutMs: 2500 }),
      fails: ['exit code 2', 'terminated: max_runtime', 'no process left'],
    },
  ],
};

const maxIterations: SuiteCase = {
  id: 'max-iterations',
  description: 'The loop ends at its limit, and says so',
  tier: 'Error Handling',
  backends: ALL,
  expectedIterations: 2,
  setup: () => ({
    config: { event_loop: { max_iterations: 2 } },
    prompt: 'Never finish.',
    scenario: script(['Never finish', 'One more round. ITERATION 9 of 9 done.']),
  }),
  check: (observed) => [exitsWith(observed, 2), endsBecause(observed, 'max_iterations'), takesIterations(observed, 2)],
  baselines: [
    {
      condition: 'the agent does finish',
      expectedFailure: 'the limit is not reached',
      whyItMatters: 'a loop that always runs to its limit would pass too',
      change: (setup) => ({ ...setup, scenario: script(['Never finish', 'I did.\nLOOP_COMPLETE']) }),
      fails: ['exit code 2', 'terminated: max_iterations', '2 iterations'],
    },
  ],
};

/** What each CLI says of a key that is not taken. */
const REFUSALS: Record<Backend, RegExp> = {
  claude: /Invalid API key|Failed to authenticate/,
  kiro: /AccessDenied/,
  opencode: /bad key/,
};

const authFailure: SuiteCase = {
  id: 'auth-failure',
  description: 'Bad credentials end the loop with a failure that names them',
  tier: 'Error Handling',
  backends: ALL,
  expectedIterations: 2,
  setup: () => ({
    config: { event_loop: { max_iterations: 5, max_consecutive_failures: 2 } },
    prompt: 'Say hello.',
    scenario: { responses: [{ pattern: { type: 'any' }, failure: { type: 'auth_error', message: 'bad key' } }] },
  }),
  check: (observed, backend) => {
    const said = observed.iterations.map(({ output, stderr }) => `${output}${stderr}`).join('\n');
    return [
      exitsWith(observed, 1),
      endsBecause(observed, 'consecutive_failures'),
      takesIterations(observed, 2),
      // A usage error would fail as well: it must be the credentials.
      holds('the failure is about credentials', REFUSALS[backend].test(said), String(REFUSALS[backend]), said),
    ];
  },
  baselines: [
    {
      condition: 'the credentials are good',
      expectedFailure: 'the agent answers',
      whyItMatters: 'an orchestrator that always fails would pass too',
      change: (setup) => ({ ...setup, scenario: script(['Say hello', 'Hello.\nLOOP_COMPLETE']) }),
      fails: ['exit code 1', 'the failure is about credentials'],
    },
    {
      condition: 'the CLI refuses a flag',
      expectedFailure: 'it fails, but not for the credentials',
      whyItMatters: 'a usage error is no auth failure',
      change: (setup) => ({ ...setup, steps: [{ run: ['--', '--no-such-flag'] }] }),
      fails: ['the failure is about credentials'],
    },
  ],
};

const unavailable: SuiteCase = {
  id: 'backend-unavailable',
  description: 'A CLI that is not there is told at once',
  tier: 'Error Handling',
  backends: ALL,
  expectedIterations: 1,
  setup: () => ({
    config: { event_loop: { max_iterations: 5 } },
    prompt: 'Say hello.',
    scenario: script(['Say hello', 'Hello.\nLOOP_COMPLETE']),
    withoutBackend: true,
  }),
  check: (observed) => [
    exitsWith(observed, 1),
    endsBecause(observed, 'backend_unavailable'),
    prints(observed, 1, 'cannot start'),
  ],
  baselines: [
    {
      condition: 'the CLI is there',
      expectedFailure: 'the agent answers',
      whyItMatters: 'an orchestrator that never finds its CLI would pass too',
      change: (setup) => ({ ...setup, withoutBackend: false }),
      fails: ['exit code 1', 'call 1 prints "cannot start"'],
    },
  ],
};

const recovery: SuiteCase = {
  id: 'failure-recovery',
  description: 'An agent that fails once is tried again with the same events',
  // Only the stand-ins can count prompts over sessions.
  stages: ['sim'],
  tier: 'Error Handling',
  backends: ALL,
  expectedIterations: 2,
  setup: () => ({
    config: { event_loop: { max_iterations: 3 } },
    prompt: 'Say hello.',
    scenario: {
      responses: [
        { pattern: { type: 'any' }, when: { turn: 1 }, failure: { type: 'server_error' } },
        { pattern: { type: 'contains', text: 'Event: task.start' }, response: 'Hello again.\nLOOP_COMPLETE' },
      ],
    },
  }),
  check: (observed) => [exitsWith(observed, 0), takesIterations(observed, 2), says(observed, 2, 'Hello again.')],
  baselines: [
    {
      condition: 'one failure is one too many',
      expectedFailure: 'the loop gives up',
      whyItMatters: 'it shows that there was a failure',
      change: (setup) => configured(setup, { event_loop: { max_iterations: 3, max_consecutive_failures: 1 } }),
      fails: ['exit code 0', '2 iterations'],
    },
  ],
};

/** Tier 7: when things go wrong. */
export const errorCases: readonly SuiteCase[] = [timeout, maxIterations, authFailure, unavailable, recovery];
