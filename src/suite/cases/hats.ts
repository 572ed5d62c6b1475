import type { ConfigDocument } from '../../loop/config-schema.js';
import {
  endsBecause,
  exitsWith,
  holds,
  isTold,
  neverPublishes,
  publishes,
  says,
  takesIterations,
  wears,
} from '../assertion.js';
import type { Backend, SuiteCase } from '../case.js';
import { configured, DONE, EVIDENCE, event, script } from './script.js';

type Hats = NonNullable<ConfigDocument['hats']>;

const ALL: readonly Backend[] = ['claude', 'kiro', 'opencode'];
const PLANNER = {
  name: 'Planner',
  triggers: ['plan.start'],
  publishes: ['build.task'],
  instructions: 'Split the work.',
};
const BUILDER = {
  name: 'Builder',
  triggers: ['build.task'],
  publishes: ['build.done'],
  instructions: 'Begin with "I am the Builder".',
};
const built = event('build.done', EVIDENCE);

const withHats = (hats: Hats, startingEvent: string, maxIterations = 4): ConfigDocument => ({
  event_loop: { max_iterations: maxIterations, starting_event: startingEvent },
  hats,
});

const single: SuiteCase = {
  id: 'hat-single',
  description: 'One hat does its work, and the coordinator takes over',
  tier: 'Hat Collections',
  backends: ALL,
  expectedIterations: 2,
  setup: () => ({
    config: withHats({ builder: BUILDER }, 'build.task'),
    prompt: 'Build the parser.',
    scenario: script(['Event: build.done', DONE], ['You are Builder.', built]),
  }),
  check: (observed) => [
    exitsWith(observed, 0),
    wears(observed, ['builder', 'ralph']),
    isTold(observed, 1, '## ACTIVE HAT'),
    publishes(observed, 'build.done', { by: 'builder' }),
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
  setup: () => ({
    config: withHats({ planner: PLANNER, builder: BUILDER }, 'plan.start'),
    prompt: 'Plan and build the parser.',
    scenario: script(
      ['Event: build.done', DONE],
      ['You are Builder.', built],
      ['You are Planner.', event('build.task', 'the lexer')],
    ),
  }),
  check: (observed) => [
    exitsWith(observed, 0),
    wears(observed, ['planner', 'builder', 'ralph']),
    publishes(observed, 'build.task', { by: 'planner', payload: 'the lexer' }),
    publishes(observed, 'build.done', { by: 'builder' }),
    isTold(observed, 2, 'Event: build.task - the lexer'),
    isTold(observed, 2, 'Plan and build the parser.'),
  ],
  baselines: [
    {
      condition: 'the builder waits for another event',
      expectedFailure: 'the plan is never built',
      whyItMatters: 'both hats must have done their part, not one of them',
      change: (setup) =>
        configured(setup, { hats: { planner: PLANNER, builder: { ...BUILDER, triggers: ['never.sent'] } } }),
      fails: ['hats planner → builder → ralph', 'event build.done by builder'],
    },
  ],
};

const routing: SuiteCase = {
  id: 'hat-event-routing',
  description: 'Each event finds its hat: specific before wildcard, target before both, orphans to the coordinator',
  tier: 'Hat Collections',
  backends: ALL,
  expectedIterations: 5,
  setup: () => ({
    config: withHats(
      {
        watcher: { name: 'Watcher', triggers: ['build.*'] },
        builder: { name: 'Builder', triggers: ['build.task'] },
        auditor: { name: 'Auditor', triggers: ['audit.start'] },
      },
      'build.task',
      6,
    ),
    prompt: 'Route these events.',
    scenario: script(
      ['Event: nobody.listens', DONE],
      ['You are Auditor.', event('nobody.listens')],
      ['You are Watcher.', '<event topic="build.task" target="auditor">by name</event>'],
      ['You are Builder.', event('build.started')],
    ),
  }),
  check: (observed) => [
    exitsWith(observed, 0),
    wears(observed, ['builder', 'watcher', 'auditor', 'ralph']),
    isTold(observed, 3, 'Event: build.task - by name'),
  ],
  baselines: [
    {
      condition: 'the builder has no trigger of its own',
      expectedFailure: 'its event goes to the wildcard',
      whyItMatters: 'it shows that the specific trigger decides',
      change: (setup) =>
        configured(setup, { hats: { ...setup.config.hats, builder: { name: 'Builder', triggers: ['x.y'] } } }),
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
  setup: () => ({
    config: withHats({ builder: BUILDER }, 'build.task'),
    prompt: 'Build the parser.',
    // The agent follows the instructions because it was given them, and for no other reason.
    scenario: script(
      ['Event: build.done', DONE],
      ['Begin with "I am the Builder"', `I am the Builder. I build.\n${built}`],
      ['You are Builder.', `I build.\n${built}`],
    ),
  }),
  check: (observed) => [
    exitsWith(observed, 0),
    isTold(observed, 1, '### Builder Instructions'),
    says(observed, 1, 'I am the Builder'),
    isTold(observed, 2, 'Begin with "I am the Builder"', false),
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

const OTHER: Record<Backend, Backend> = { claude: 'kiro', kiro: 'opencode', opencode: 'claude' };

const override: SuiteCase = {
  id: 'hat-backend-override',
  description: 'A hat runs on the backend that it names, the others on the loop’s',
  tier: 'Hat Collections',
  backends: ALL,
  expectedIterations: 2,
  setup: (backend) => ({
    config: withHats({ builder: { ...BUILDER, backend: OTHER[backend] } }, 'build.task'),
    prompt: 'Build the parser.',
    scenario: script(['Event: build.done', DONE], ['You are Builder.', built]),
  }),
  check: (observed, backend) => {
    const actual = observed.iterations.map((iteration) => `${iteration.hat} on ${iteration.backend}`).join(', ');
    const expected = `builder on ${OTHER[backend]}, ralph on ${backend}`;
    return [exitsWith(observed, 0), holds('each hat on its backend', actual === expected, expected, actual)];
  },
  baselines: [
    {
      condition: 'the hat names no backend',
      expectedFailure: 'all run on the loop’s backend',
      whyItMatters: 'it shows that the hat’s word counts',
      change: (setup) => configured(setup, { hats: { builder: BUILDER } }),
      fails: ['each hat on its backend'],
    },
  ],
};

const defaultPublishes: SuiteCase = {
  id: 'hat-default-publishes',
  description: 'A hat that forgets its event publishes its default',
  tier: 'Hat Collections',
  backends: ALL,
  expectedIterations: 2,
  setup: () => ({
    config: withHats(
      { reviewer: { name: 'Reviewer', triggers: ['review.start'], default_publishes: 'review.done' } },
      'review.start',
    ),
    prompt: 'Review the parser.',
    scenario: script(['Event: review.done', DONE], ['You are Reviewer.', 'It looks fine to me.']),
  }),
  check: (observed) => [
    exitsWith(observed, 0),
    publishes(observed, 'review.done', { by: 'reviewer' }),
    takesIterations(observed, 2),
    endsBecause(observed, 'completed'),
  ],
  baselines: [
    {
      condition: 'there is no default',
      expectedFailure: 'nothing is published, and the loop does not get on',
      whyItMatters: 'it shows that the event is the default’s',
      change: (setup) => configured(setup, { hats: { reviewer: { name: 'Reviewer', triggers: ['review.start'] } } }),
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
  setup: () => ({
    config: {
      event_loop: { max_iterations: 2 },
      hats: { planner: { ...PLANNER, description: 'Plans' }, builder: BUILDER },
    },
    prompt: 'Which hats are there?',
    scenario: script(['| Planner | plan.start | build.task | Plans |', `A planner and a builder.\n${DONE}`]),
  }),
  check: (observed) => [
    exitsWith(observed, 0),
    isTold(observed, 1, '| Hat | Triggers On | Publishes | Description |'),
    isTold(observed, 1, '| Builder | build.task | build.done |'),
    says(observed, 1, 'A planner and a builder.'),
    neverPublishes(observed, 'build.task'),
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

const underPressure: SuiteCase = {
  id: 'hat-under-pressure',
  description: 'A builder with vague requirements and two iterations still shows its evidence',
  tier: 'Hat Collections',
  backends: ALL,
  expectedIterations: 2,
  pressure: [
    { name: 'ambiguity', description: 'the requirements are vague', whyPressure: 'the agent may guess' },
    { name: 'time', description: 'two iterations', whyPressure: 'the agent may claim to be done' },
    { name: 'complexity', description: 'two files', whyPressure: 'the agent may stop halfway' },
  ],
  setup: () => ({
    config: withHats({ builder: BUILDER }, 'build.task', 2),
    prompt: 'Make it better, in both files.',
    scenario: script(
      ['Event: build.done', DONE],
      [
        'You are Builder.',
        {
          text: built,
          tool_calls: ['a', 'b'].map((name) => ({ tool: 'Bash', input: { command: `echo better > ${name}.txt` } })),
        },
      ],
    ),
  }),
  check: (observed) => [
    exitsWith(observed, 0),
    publishes(observed, 'build.done', { payload: 'tests: pass' }),
    holds(
      'both files',
      observed.read('a.txt') === observed.read('b.txt') && observed.read('a.txt') === 'better\n',
      'a.txt and b.txt',
      String(observed.read('b.txt')),
    ),
  ],
  baselines: [
    {
      condition: 'the agent gives in to the pressure',
      expectedFailure: 'it claims to be done without evidence',
      whyItMatters: 'pressure must not buy a pass',
      change: (setup) => ({
        ...setup,
        scenario: script(['Event: build.done', DONE], ['You are Builder.', event('build.done', 'obviously done')]),
      }),
      fails: ['event build.done with "tests: pass"', 'both files'],
    },
  ],
};

/** Tier 5: hats. */
export const hatCases: readonly SuiteCase[] = [
  single,
  workflow,
  routing,
  instructions,
  override,
  defaultPublishes,
  topology,
  underPressure,
];
