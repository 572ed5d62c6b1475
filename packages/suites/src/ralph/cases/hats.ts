import type { SuiteCase } from '../../orchestrators/case.js';
import {
  agentSays,
  eventAbsent,
  eventPublished,
  hatSequence,
  iterationCount,
  promptContains,
  terminationReason,
} from '../checks/loop-checks.js';
import { exitCode } from '../checks/program-checks.js';
import { hatBackendCases } from './hat-backends.js';
import { ALL, BUILDER, built, hat, objective, PLANNER, withHats } from './hat-setup.js';
import { configured, DONE, event, script } from './script.js';

const single: SuiteCase = {
  id: 'hat-single',
  description: 'One hat does its work, and the coordinator takes over',
  tier: 'Hat Collections',
  backends: ALL,
  expectedIterations: 2,
  pressure: [
    {
      name: 'complexity',
      description: 'a role and a task at the same time',
      whyPressure: 'the agent may do more than its part',
    },
  ],
  quality: [
    {
      name: 'role',
      optimal: 'the hat does its part and then hands over',
      acceptable: 'it hands over after checking its work',
      concerning: 'it does the coordinator’s work, too',
    },
  ],
  setup: () => ({
    config: withHats({ builder: BUILDER }, 'build.task'),
    prompt: objective('Build the parser.', 'build.done'),
    scenario: script(['Event: build.done', DONE], ['Builder Instructions', built]),
  }),
  check: (observed) => [
    exitCode(observed, 0),
    hatSequence(observed, ['builder', 'ralph']),
    promptContains(observed, 1, '## ACTIVE HAT'),
    eventPublished(observed, 'build.done', { by: 'builder' }),
  ],
  baselines: [
    {
      condition: 'there is no hat',
      expectedFailure: 'the coordinator is alone',
      whyItMatters: 'a loop that ignores hats would pass too',
      change: (setup) => configured(setup, { hats: {} }),
      fails: ['hats builder → ralph', 'event build.done by builder'],
    },
  ],
};

const workflow: SuiteCase = {
  id: 'hat-multi-workflow',
  description: 'The planner plans, the builder builds, the coordinator closes',
  tier: 'Hat Collections',
  backends: ALL,
  expectedIterations: 3,
  pressure: [
    { name: 'complexity', description: 'two roles and a handover', whyPressure: 'one hat may do the other’s work' },
  ],
  quality: [
    {
      name: 'handover',
      optimal: 'each hat once, with everything that the next one needs in its event',
      acceptable: 'a hat asks one question',
      concerning: 'hats that pass the same work back and forth',
    },
  ],
  setup: () => ({
    config: withHats({ planner: PLANNER, builder: BUILDER }, 'plan.start'),
    prompt: objective('Plan and build the parser.', 'build.done'),
    scenario: script(
      ['Event: build.done', DONE],
      ['Builder Instructions', built],
      ['Planner Instructions', event('build.task', 'the lexer')],
    ),
  }),
  check: (observed) => [
    exitCode(observed, 0),
    hatSequence(observed, ['planner', 'builder', 'ralph']),
    eventPublished(observed, 'build.task', { by: 'planner', payload: 'the lexer' }),
    eventPublished(observed, 'build.done', { by: 'builder' }),
    promptContains(observed, 2, 'Event: build.task - the lexer'),
    promptContains(observed, 2, 'Plan and build the parser.'),
  ],
  baselines: [
    {
      condition: 'the builder waits for another event',
      expectedFailure: 'the plan is never built',
      whyItMatters: 'both hats must do their part, not only one of them',
      change: (setup) =>
        configured(setup, { hats: { planner: PLANNER, builder: { ...BUILDER, triggers: ['never.sent'] } } }),
      fails: ['hats planner → builder → ralph', 'event build.done by builder'],
    },
  ],
};

const BY_NAME = '<event topic="build.task" target="auditor">by name</event>';

const routing: SuiteCase = {
  id: 'hat-event-routing',
  description:
    'Each event reaches its hat: target first, then the specific trigger, then the wildcard, else the coordinator',
  tier: 'Hat Collections',
  backends: ALL,
  expectedIterations: 4,
  pressure: [
    { name: 'conflict', description: 'two triggers match one event', whyPressure: 'the wrong hat may take it' },
    { name: 'edge-case', description: 'an event that no hat asks for', whyPressure: 'it may be lost' },
  ],
  quality: [
    {
      name: 'routing',
      optimal: 'every event reaches its hat at once',
      acceptable: 'the coordinator handles an event without a hat',
      concerning: 'events reach a hat that cannot handle them',
    },
  ],
  setup: () => ({
    config: withHats(
      {
        watcher: hat('Watcher', 'build.*', `Write only ${BY_NAME}.`),
        builder: hat('Builder', 'build.task', `Write only ${event('build.started')}.`),
        auditor: hat('Auditor', 'audit.start', `Write only ${event('nobody.listens')}.`),
      },
      'build.task',
      6,
    ),
    prompt: objective('Route these events.', 'nobody.listens'),
    scenario: script(
      ['Event: nobody.listens', DONE],
      ['Auditor Instructions', event('nobody.listens')],
      ['Watcher Instructions', BY_NAME],
      ['Builder Instructions', event('build.started')],
    ),
  }),
  check: (observed) => [
    exitCode(observed, 0),
    hatSequence(observed, ['builder', 'watcher', 'auditor', 'ralph']),
    promptContains(observed, 3, 'Event: build.task - by name'),
  ],
  baselines: [
    {
      condition: 'the builder has no trigger of its own',
      expectedFailure: 'its event goes to the wildcard',
      whyItMatters: 'it shows that the specific trigger decides',
      change: (setup) => configured(setup, { hats: { ...setup.config.hats, builder: hat('Builder', 'x.y', 'Wait.') } }),
      fails: ['hats builder → watcher → auditor → ralph'],
    },
  ],
};

const instructions: SuiteCase = {
  id: 'hat-instructions',
  description: 'The agent is given its hat’s instructions, and follows them',
  tier: 'Hat Collections',
  backends: ALL,
  expectedIterations: 2,
  pressure: [
    {
      name: 'conflict',
      description: 'a style of speech and a task at the same time',
      whyPressure: 'the task may push the instructions aside',
    },
  ],
  quality: [
    {
      name: 'instructions',
      optimal: 'followed exactly, from the first word',
      acceptable: 'followed, after something else',
      concerning: 'followed only in part',
    },
  ],
  setup: () => ({
    config: withHats({ builder: BUILDER }, 'build.task'),
    prompt: objective('Build the parser.', 'build.done'),
    // The agent follows the instructions because it was given them, and for no other reason.
    scenario: script(
      ['Event: build.done', DONE],
      ['Begin with the words I am the Builder', `I am the Builder. I build.\n${built}`],
      ['Event: build.task', `I build.\n${built}`],
    ),
  }),
  check: (observed) => [
    exitCode(observed, 0),
    promptContains(observed, 1, '### Builder Instructions'),
    agentSays(observed, 1, 'I am the Builder'),
    promptContains(observed, 2, 'Begin with the words I am the Builder', false),
  ],
  baselines: [
    {
      condition: 'the hat has no instructions',
      expectedFailure: 'the agent does not say who it is',
      whyItMatters: 'it shows that the instructions make the difference',
      change: (setup) => configured(setup, { hats: { builder: { ...BUILDER, instructions: '' } } }),
      fails: ['prompt 1 has "### Builder Instructions"', 'output 1 has "I am the Builder"'],
    },
  ],
};

const REVIEWER = hat('Reviewer', 'review.start', 'Say only this: "It looks fine to me." Write no event.');

const defaultPublishes: SuiteCase = {
  id: 'hat-default-publishes',
  description: 'The default event of a hat is published when the agent writes none',
  tier: 'Hat Collections',
  backends: ALL,
  expectedIterations: 2,
  pressure: [{ name: 'ambiguity', description: 'no instruction to write its event', whyPressure: 'it may forget it' }],
  quality: [
    {
      name: 'events',
      optimal: 'the hat writes its event itself',
      acceptable: 'the default event is published once',
      concerning: 'the default event is published every time',
    },
  ],
  setup: () => ({
    config: withHats({ reviewer: { ...REVIEWER, default_publishes: 'review.done' } }, 'review.start'),
    prompt: objective('Review the parser.', 'review.done'),
    scenario: script(['Event: review.done', DONE], ['Reviewer Instructions', 'It looks fine to me.']),
  }),
  check: (observed) => [
    exitCode(observed, 0),
    eventPublished(observed, 'review.done', { by: 'reviewer' }),
    iterationCount(observed, 2),
    terminationReason(observed, 'completed'),
  ],
  baselines: [
    {
      condition: 'there is no default',
      expectedFailure: 'nothing is published, and the loop does not make progress',
      whyItMatters: 'it shows that the event comes from the default',
      change: (setup) => configured(setup, { hats: { reviewer: REVIEWER } }),
      fails: ['event review.done by reviewer', 'terminated: completed'],
    },
  ],
};

const topology: SuiteCase = {
  id: 'hat-topology',
  description: 'The coordinator is shown a table of all hats',
  tier: 'Hat Collections',
  backends: ALL,
  expectedIterations: 1,
  pressure: [{ name: 'ambiguity', description: 'the question names no hat', whyPressure: 'the agent may guess' }],
  quality: [
    {
      name: 'overview',
      optimal: 'the coordinator names the hats from the table',
      acceptable: 'it names them after looking for them in files',
      concerning: 'it names hats that do not exist',
    },
  ],
  setup: () => ({
    config: {
      event_loop: { max_iterations: 2 },
      hats: { planner: PLANNER, builder: BUILDER },
    },
    prompt: [
      'Which hats are there? Delegate nothing and use no tools.',
      'Answer from the table of hats with one sentence of this form: "A first and a second.", with the names of the two',
      'hats in small letters, in the order of the table. Then end with the line LOOP_COMPLETE.',
    ].join(' '),
    scenario: script(['| Planner | plan.start | build.task | Plans |', `A planner and a builder.\n${DONE}`]),
  }),
  check: (observed) => [
    exitCode(observed, 0),
    promptContains(observed, 1, '| Hat | Triggers On | Publishes | Description |'),
    promptContains(observed, 1, '| Builder | build.task | build.done | Builds |'),
    agentSays(observed, 1, 'A planner and a builder.'),
    eventAbsent(observed, 'build.task'),
  ],
  baselines: [
    {
      condition: 'there are no hats',
      expectedFailure: 'there is no table',
      whyItMatters: 'a table that is always there would pass too',
      change: (setup) => configured(setup, { hats: {} }),
      fails: [
        'prompt 1 has "| Hat | Triggers On | Publishes | Description |"',
        'output 1 has "A planner and a builder."',
      ],
    },
  ],
};

/** Tier 5: hats. */
export const hatCases: readonly SuiteCase[] = [
  single,
  workflow,
  routing,
  instructions,
  ...hatBackendCases,
  defaultPublishes,
  topology,
];
