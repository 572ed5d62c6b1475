import { endsBecause, exitsWith, says, takesIterations } from '../assertion.js';
import { backends, type SuiteCase } from '../case.js';
import { script } from './script.js';

/** Tier 1: is there anybody? */
export const connectivityCases: readonly SuiteCase[] = backends.map((backend) => ({
  id: `${backend}-connect`,
  description: 'A simple prompt is answered',
  tier: 'Connectivity',
  backends: [backend],
  expectedIterations: 1,
  setup: () => ({
    config: { event_loop: { max_iterations: 2 } },
    prompt: 'Say hello, and nothing else.',
    scenario: script(['Say hello', 'Hello from the agent.\nLOOP_COMPLETE']),
  }),
  check: (observed) => [
    exitsWith(observed, 0),
    endsBecause(observed, 'completed'),
    takesIterations(observed, 1),
    says(observed, 1, 'Hello from the agent.'),
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
}));
