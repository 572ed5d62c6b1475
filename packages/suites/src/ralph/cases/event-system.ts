import type { SuiteCase } from '../../orchestrators/case.js';
import {
  eventAbsent,
  eventPublished,
  iterationCount,
  promptContains,
  terminationReason,
} from '../checks/loop-checks.js';
import { exitCode } from '../checks/program-checks.js';
import { DONE, EVIDENCE, event, script } from './script.js';

const REPORT = 'An unclosed <event topic="lost"> is no event.\n<event topic="report.ready">\n  two findings\n</event>';

const eventParsing: SuiteCase = {
  id: 'events',
  specifiedAs: () => 'claude-events',
  description: 'Events are read from the agent’s text, with topic and payload',
  tier: 'Event System',
  backends: ['claude', 'kiro', 'opencode'],
  expectedIterations: 2,
  quality: [
    {
      name: 'events',
      optimal: 'one well-formed event for what was found',
      acceptable: 'well-formed events, more than needed',
      concerning: 'broken events that must be written again',
    },
  ],
  setup: () => ({
    config: { event_loop: { max_iterations: 3 } },
    prompt: [
      'Report what you found, and use no tools.',
      `- If the pending event is task.start, answer with exactly these lines:\n${REPORT}`,
      '- If it is report.ready, end with the line LOOP_COMPLETE.',
    ].join('\n'),
    scenario: script(['Event: report.ready', DONE], ['Event: task.start', REPORT]),
  }),
  check: (observed) => [
    exitCode(observed, 0),
    eventPublished(observed, 'report.ready', { payload: 'two findings' }),
    eventAbsent(observed, 'lost'),
    promptContains(observed, 2, 'Event: report.ready - two findings'),
    iterationCount(observed, 2),
  ],
  baselines: [
    {
      condition: 'the event is malformed',
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

const CLAIM = 'It should work now, tests are implied.';

const backpressure: SuiteCase = {
  id: 'backpressure',
  specifiedAs: () => 'claude-backpressure',
  description: 'Work counts as done with evidence, and is blocked without it',
  tier: 'Event System',
  backends: ['claude', 'kiro', 'opencode'],
  expectedIterations: 3,
  quality: [
    {
      name: 'evidence',
      optimal: 'all evidence with the first build.done',
      acceptable: 'evidence after one block',
      concerning: 'blocked several times, or false evidence',
    },
  ],
  setup: () => ({
    config: { event_loop: { max_iterations: 4 } },
    prompt: [
      'Build the parser. This is an exercise: there is nothing to write, use no tools.',
      `- If the pending event is task.start, answer only with ${event('build.done', CLAIM)}`,
      `- If it is build.blocked, answer only with ${event('build.done', EVIDENCE)}`,
      '- If it is build.done, end with the line LOOP_COMPLETE.',
    ].join('\n'),
    scenario: script(
      ['Event: build.done', DONE],
      ['Event: build.blocked', event('build.done', EVIDENCE)],
      ['Event: task.start', event('build.done', CLAIM)],
    ),
  }),
  check: (observed) => [
    exitCode(observed, 0),
    eventPublished(observed, 'build.blocked', { payload: 'tests: pass' }),
    eventPublished(observed, 'build.done', { payload: 'typecheck: pass' }),
    iterationCount(observed, 3),
    terminationReason(observed, 'completed'),
  ],
  baselines: [
    {
      condition: 'the agent gives its evidence at once',
      expectedFailure: 'nothing is blocked',
      whyItMatters: 'an orchestrator that blocks everything would pass too',
      change: (setup) => ({
        ...setup,
        scenario: script(['Event: build.done', DONE], ['Event: task.start', event('build.done', EVIDENCE)]),
      }),
      fails: ['event build.blocked with "tests: pass"', '3 iterations'],
    },
  ],
};

/** Tier 3: events. */
export const eventCases: readonly SuiteCase[] = [eventParsing, backpressure];
