import { programOf } from '@understudy/stage';
import type { Backend, SuiteCase } from '../../orchestrators/case.js';
import {
  agentSays,
  eventPublished,
  hatSequence,
  iterationCount,
  promptContains,
  terminationReason,
} from '../checks/loop-checks.js';
import { condition, exitCode, fileContains, noProcessLeft } from '../checks/program-checks.js';
import { BUILDER, built, objective, withHats } from './hat-setup.js';
import { afterCommand, configured, DONE, script } from './script.js';

const ALL: readonly Backend[] = ['claude', 'kiro', 'opencode'];

// Where setsid exists, one helper leaves the process group: ending the agent alone does not end it.
const WAIT = '{ command -v setsid >/dev/null && setsid sleep 600 & } ; echo waiting > waiting.txt; sleep 600';

/** A real CLI starts slowly on a busy machine, and a real model thinks before it acts. */
const RUNTIME_SECONDS = { sim: 2, scripted: 20, replay: 20, live: 45 };
/** Who has not begun by then does not begin. */
const MOST_SECONDS = 20;

const timeout: SuiteCase = {
  id: 'timeout-handling',
  description: 'An agent that takes too long is ended, with everything that it started',
  tier: 'Error Handling',
  backends: ALL,
  waits: true,
  expectedIterations: 1,
  quality: [
    {
      name: 'ending',
      optimal: 'ended at the limit, and its output is kept',
      acceptable: 'ended after the grace period',
      concerning: 'ended by the harness, or something is left running',
    },
  ],
  setup: (_backend, stage) => ({
    // Long enough for the agent to be at work when the limit is reached.
    config: { event_loop: { max_runtime_seconds: RUNTIME_SECONDS[stage], max_iterations: 3 } },
    prompt: `Wait for a sign: run this command in your shell, not in the background, and wait for its end: ${WAIT}\nThen say "It came." and end with the line LOOP_COMPLETE.`,
    scenario: script(['Wait for a sign', afterCommand(WAIT, 'It came.\nLOOP_COMPLETE')]),
    timeoutMs: 15_000,
  }),
  // An agent that was not at work yet when the limit was reached shows nothing.
  withMoreTime: (setup, observed) => {
    const { max_runtime_seconds: limit = 0 } = setup.config.event_loop ?? {};
    const began = observed.termination !== 'max_runtime' || observed.read('waiting.txt') !== undefined;
    if (began || limit > MOST_SECONDS) return undefined;
    const more = configured(setup, { event_loop: { ...setup.config.event_loop, max_runtime_seconds: 2 * limit } });
    return { ...more, timeoutMs: 2 * (setup.timeoutMs ?? 0) };
  },
  check: (observed) => [
    exitCode(observed, 2),
    terminationReason(observed, 'max_runtime'),
    iterationCount(observed, 1),
    fileContains(observed, 'waiting.txt', 'waiting'),
    noProcessLeft(observed),
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
  quality: [
    {
      name: 'limit',
      optimal: 'ended right at the limit, and said so',
      acceptable: 'one more check of the limit',
      concerning: 'work is started and lost',
    },
  ],
  setup: () => ({
    config: { event_loop: { max_iterations: 2 } },
    prompt: 'Never finish: say "One more round.", never the promise, and use no tools.',
    scenario: script(['Never finish', 'One more round. ITERATION 9 of 9 done.']),
  }),
  check: (observed) => [
    exitCode(observed, 2),
    terminationReason(observed, 'max_iterations'),
    iterationCount(observed, 2),
  ],
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

/** What each CLI says about a refused key. */
const REFUSALS: Record<Backend, RegExp> = {
  claude: /Invalid API key|Failed to authenticate/,
  kiro: /AccessDenied/,
  opencode: /bad key|invalid.{1,20}key|unauthorized/i,
};

const authFailure: SuiteCase = {
  id: 'auth-failure',
  needsNoModel: true,
  description: 'Bad credentials end the loop with an error about the credentials',
  tier: 'Error Handling',
  backends: ALL,
  expectedIterations: 2,
  quality: [
    {
      name: 'patience',
      optimal: 'two attempts, and the reason as the agent gives it',
      acceptable: 'attempts up to the limit',
      concerning: 'endless attempts, or another reason',
    },
  ],
  setup: () => ({
    config: { event_loop: { max_iterations: 5, max_consecutive_failures: 2 } },
    prompt: 'Say hello.',
    scenario: { responses: [{ pattern: { type: 'any' }, failure: { type: 'auth_error', message: 'bad key' } }] },
  }),
  check: (observed, backend) => {
    const said = observed.iterations.map(({ output, stderr }) => `${output ?? ''}${stderr ?? ''}`).join('\n');
    return [
      exitCode(observed, 1),
      terminationReason(observed, 'consecutive_failures'),
      iterationCount(observed, 2),
      // A usage error would fail as well: it must be the credentials.
      condition('the failure is about credentials', REFUSALS[backend].test(said), String(REFUSALS[backend]), said),
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
      whyItMatters: 'a usage error is not an authentication failure',
      change: (setup) => ({ ...setup, steps: [{ run: ['--', '--no-such-flag'] }] }),
      fails: ['the failure is about credentials'],
    },
  ],
};

const unavailable: SuiteCase = {
  id: 'backend-unavailable',
  needsNoModel: true,
  description: 'A missing CLI is reported at once',
  tier: 'Error Handling',
  backends: ALL,
  expectedIterations: 1,
  quality: [
    {
      name: 'message',
      optimal: 'reported at once, with the name of the program',
      acceptable: 'reported after one attempt',
      concerning: 'visible only in the exit code',
    },
  ],
  setup: () => ({
    config: { event_loop: { max_iterations: 5 } },
    prompt: 'Say hello.',
    scenario: script(['Say hello', 'Hello.\nLOOP_COMPLETE']),
    withoutBackend: true,
  }),
  check: (observed, backend) => {
    const answers = observed.iterations.map(({ output }) => output ?? '').join('');
    const tries = observed.iterations.length;
    const said = `${observed.last?.stdout}\n${observed.last?.stderr}`;
    const complaints = said.split('\n').filter((line) => /\berror\b|\bcannot\b|\bnot found\b/i.test(line));
    return [
      exitCode(observed, 1),
      condition('no agent answered', observed.last?.code !== 0 && answers === '', 'no output of an agent', answers),
      condition('no second try', tries <= 1, 'at most one iteration', String(tries)),
      // Only error lines count: a banner or a path may have the word, too.
      condition(
        'the error names the CLI',
        complaints.some((line) => line.includes(programOf(backend))),
        `an error line with ${programOf(backend)}`,
        complaints.join('\n') || 'no error line',
      ),
    ];
  },
  baselines: [
    {
      condition: 'the CLI is there',
      expectedFailure: 'the agent answers',
      whyItMatters: 'an orchestrator that never finds its CLI would pass too',
      change: (setup) => ({ ...setup, withoutBackend: false }),
      fails: ['exit code 1', 'no agent answered', 'the error names the CLI'],
    },
  ],
};

/** An agent that fails at its first call, and answers at the second. */
const FAILS_ONCE = { pattern: { type: 'any' }, when: { turn: 1 }, failure: { type: 'server_error' } } as const;

const GIVES_UP = {
  condition: 'the first failure is the last one allowed',
  expectedFailure: 'the loop gives up',
  whyItMatters: 'it shows that there was a failure',
};

const recovery: SuiteCase = {
  id: 'failure-recovery',
  description: 'An agent that fails once is called again with the same objective',
  // Only the stand-ins can count prompts across sessions.
  stages: ['sim'],
  tier: 'Error Handling',
  backends: ALL,
  expectedIterations: 2,
  quality: [
    {
      name: 'recovery',
      optimal: 'the same objective again, one failure',
      acceptable: 'a second failure',
      concerning: 'the loop ends, or goes on with something else',
    },
  ],
  setup: () => ({
    config: { event_loop: { max_iterations: 3 } },
    prompt: 'Say hello.',
    scenario: {
      responses: [
        FAILS_ONCE,
        { pattern: { type: 'contains', text: 'Say hello' }, response: 'Hello again.\nLOOP_COMPLETE' },
      ],
    },
  }),
  check: (observed) => [
    exitCode(observed, 0),
    iterationCount(observed, 2),
    promptContains(observed, 2, 'Say hello.'),
    agentSays(observed, 2, 'Hello again.'),
  ],
  baselines: [
    {
      ...GIVES_UP,
      change: (setup) => configured(setup, { event_loop: { max_iterations: 3, max_consecutive_failures: 1 } }),
      fails: ['exit code 0', '2 iterations'],
    },
  ],
};

const failedHat: SuiteCase = {
  id: 'failure-keeps-event',
  description: 'A hat whose agent fails once gets its event again',
  stages: ['sim'],
  tier: 'Error Handling',
  backends: ALL,
  expectedIterations: 3,
  quality: [
    {
      name: 'recovery',
      optimal: 'the same event again, one failure',
      acceptable: 'a second failure',
      concerning: 'the event is lost, and the coordinator starts again',
    },
  ],
  setup: () => ({
    config: withHats({ builder: BUILDER }, 'build.task'),
    prompt: objective('Build the parser.', 'build.done'),
    scenario: {
      default_response: 'I am still thinking about it.',
      responses: [
        FAILS_ONCE,
        { pattern: { type: 'contains', text: 'Event: build.done' }, response: DONE, optional: true },
        { pattern: { type: 'contains', text: 'Builder Instructions' }, response: built, optional: true },
      ],
    },
  }),
  check: (observed) => [
    exitCode(observed, 0),
    hatSequence(observed, ['builder', 'builder', 'ralph']),
    promptContains(observed, 2, 'Event: build.task'),
    eventPublished(observed, 'build.done', { by: 'builder' }),
  ],
  baselines: [
    {
      ...GIVES_UP,
      change: (setup) => configured(setup, { event_loop: { ...setup.config.event_loop, max_consecutive_failures: 1 } }),
      fails: ['exit code 0', 'hats builder → builder → ralph'],
    },
  ],
};

/** Tier 7: errors and limits. */
export const errorCases: readonly SuiteCase[] = [timeout, maxIterations, authFailure, unavailable, recovery, failedHat];
