import { endsBecause, exitsWith, isTold, neverPublishes, publishes, takesIterations } from '../assertion.js';
import type { SuiteCase } from '../case.js';
import { configured, DONE, EVIDENCE, event, script } from './script.js';

const eventParsing: SuiteCase = {
  id: 'claude-events',
  description: 'Events are taken out of the agent’s text, with topic and payload',
  tier: 'Event System',
  backends: ['claude', 'kiro', 'opencode'],
  expectedIterations: 2,
  setup: () => ({
    config: { event_loop: { max_iterations: 3 } },
    prompt: 'Report what you found.',
    scenario: script(
      ['Event: report.ready', DONE],
      [
        'Event: task.start',
        `An unclosed <event topic="lost"> is no event.\n<event topic="report.ready">\n  two findings\n</event>`,
      ],
    ),
  }),
  check: (observed) => [
    exitsWith(observed, 0),
    publishes(observed, 'report.ready', { payload: 'two findings' }),
    neverPublishes(observed, 'lost'),
    isTold(observed, 2, 'Event: report.ready - two findings'),
    takesIterations(observed, 2),
  ],
  baselines: [
    {
      condition: 'the event is written wrongly',
      expectedFailure: 'no event is published',
      whyItMatters: 'an event from anywhere else would pass too',
      change: (setup) => ({
        ...setup,
        scenario: script(['Event: task.start', "<event topic='report.ready'>two findings"]),
      }),
      fails: ['event report.ready with "two findings"'],
    },
  ],
};

const backpressure: SuiteCase = {
  id: 'claude-backpressure',
  description: 'Work counts as done when its evidence is there, and is blocked before',
  tier: 'Event System',
  backends: ['claude', 'kiro', 'opencode'],
  expectedIterations: 3,
  setup: () => ({
    config: { event_loop: { max_iterations: 4 } },
    prompt: 'Build the parser.',
    scenario: script(
      ['Event: build.done', DONE],
      ['Event: build.blocked', event('build.done', EVIDENCE)],
      ['Event: task.start', event('build.done', 'It should work now, tests are implied.')],
    ),
  }),
  check: (observed) => [
    exitsWith(observed, 0),
    publishes(observed, 'build.blocked', { payload: 'tests: pass' }),
    publishes(observed, 'build.done', { payload: 'typecheck: pass' }),
    takesIterations(observed, 3),
    endsBecause(observed, 'completed'),
  ],
  baselines: [
    {
      condition: 'no backpressure is configured',
      expectedFailure: 'build.done is accepted without evidence',
      whyItMatters: 'it shows that the block comes from the orchestrator',
      change: (setup) => configured(setup, { backpressure: { enabled: false } }),
      fails: ['event build.blocked with "tests: pass"', '3 iterations'],
    },
  ],
};

/** Tier 3: events. */
export const eventCases: readonly SuiteCase[] = [eventParsing, backpressure];
