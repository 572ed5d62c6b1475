import { backends, type SuiteCase } from '../../orchestrators/case.js';
import { agentSays, iterationCount, terminationReason } from '../checks/loop-checks.js';
import { exitCode } from '../checks/program-checks.js';
import { script } from './script.js';

const connect: SuiteCase = {
  id: 'connect',
  specifiedAs: (backend) => `${backend}-connect`,
  description: 'A simple prompt is answered',
  tier: 'Connectivity',
  backends,
  expectedIterations: 1,
  quality: [
    {
      name: 'answer',
      optimal: 'the sentence that was asked for, in one iteration',
      acceptable: 'the sentence with words around it',
      concerning: 'the answer needs a second iteration',
    },
  ],
  setup: () => ({
    config: { event_loop: { max_iterations: 2 } },
    prompt:
      'Say hello: answer with the sentence "Hello from the agent." and, as the last line, LOOP_COMPLETE. Use no tools.',
    scenario: script(['Say hello', 'Hello from the agent.\nLOOP_COMPLETE']),
  }),
  check: (observed) => [
    exitCode(observed, 0),
    terminationReason(observed, 'completed'),
    iterationCount(observed, 1),
    agentSays(observed, 1, 'Hello from the agent.'),
  ],
  baselines: [
    {
      condition: 'the CLI is not installed',
      expectedFailure: 'there is no answer',
      whyItMatters: 'an answer that does not come from the CLI would pass too',
      change: (setup) => ({ ...setup, withoutBackend: true }),
      fails: ['exit code 0', 'output 1 has "Hello from the agent."'],
    },
  ],
};

/** Tier 1: does the agent answer at all? */
export const connectivityCases: readonly SuiteCase[] = [connect];
