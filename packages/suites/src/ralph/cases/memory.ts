import type { Backend, SuiteCase } from '../../orchestrators/case.js';
import { agentSays, promptContains } from '../checks/loop-checks.js';
import { exitCode, fileContains } from '../checks/program-checks.js';
import { memoryCommandCases } from './memory-commands.js';
import { asksHowToIndent, MEMORIES, REMEMBERED } from './memory-setup.js';
import { afterCommand, configured, script } from './script.js';

const ALL: readonly Backend[] = ['claude', 'kiro', 'opencode'];

const SKILL_PROMPT = [
  'Keep this decision for later runs, with the command for memories that you were told of: "Indent with tabs."',
  'If you were told of no such command, say "I was not told how." and do nothing.',
  'Then end with the line LOOP_COMPLETE.',
].join(' ');

const skill: SuiteCase = {
  id: 'memory-skill',
  description: 'The prompt teaches the agent the commands for memories, and the agent uses them',
  tier: 'Memory System',
  backends: ALL,
  expectedIterations: 1,
  pressure: [
    { name: 'ambiguity', description: 'the task does not name the command', whyPressure: 'the agent may invent one' },
  ],
  quality: [
    {
      name: 'use',
      optimal: 'one memory, added with the command',
      acceptable: 'the command after a look at its help',
      concerning: 'the file is written by hand',
    },
  ],
  setup: () => ({
    config: { event_loop: { max_iterations: 2 } },
    prompt: SKILL_PROMPT,
    scenario: script(
      [
        'ralph tools memory add',
        afterCommand('ralph tools memory add "Indent with tabs." -t decision', 'Noted.\nLOOP_COMPLETE'),
      ],
      ['Keep this decision', 'I was not told how.\nLOOP_COMPLETE'],
    ),
  }),
  check: (observed) => [
    exitCode(observed, 0),
    promptContains(observed, 1, 'ralph tools memory add'),
    promptContains(observed, 1, 'ralph tools memory search'),
    fileContains(observed, MEMORIES, '> Indent with tabs.'),
  ],
  baselines: [
    {
      condition: 'memories are switched off',
      expectedFailure: 'the agent does not know the command',
      whyItMatters: 'it shows that the agent learned the command from the prompt',
      // Ralph teaches all its tools as long as one of them is on.
      change: (setup) => configured(setup, { memories: { enabled: false }, tasks: { enabled: false } }),
      fails: ['prompt 1 has "ralph tools memory add"', `${MEMORIES} has "> Indent with tabs."`],
    },
  ],
};

const injection: SuiteCase = {
  id: 'memory-injection',
  description: 'Memories are put into the prompt, and the agent uses them',
  tier: 'Memory System',
  backends: ALL,
  expectedIterations: 1,
  pressure: [{ name: 'ambiguity', description: 'two answers are allowed', whyPressure: 'the agent may guess' }],
  quality: [
    {
      name: 'use',
      optimal: 'the answer comes from the injected memory',
      acceptable: 'it is searched once more',
      concerning: 'known facts are searched again',
    },
  ],
  setup: () => asksHowToIndent({ files: { [MEMORIES]: REMEMBERED } }),
  check: (observed) => [
    exitCode(observed, 0),
    promptContains(observed, 1, '# Memories'),
    promptContains(observed, 1, '> Indent with tabs.'),
    promptContains(observed, 1, '## Fixes', false),
    agentSays(observed, 1, 'With tabs, as I remember.'),
  ],
  baselines: [
    {
      condition: 'no memories are injected',
      expectedFailure: 'the agent does not know',
      whyItMatters: 'it shows that the injection makes the difference',
      change: (setup) => configured(setup, { memories: { inject: 'none' } }),
      fails: ['prompt 1 has "> Indent with tabs."', 'output 1 has "With tabs, as I remember."'],
    },
  ],
};

const LEARN = 'ralph tools memory add "Indent with tabs." -t decision';

const persistence: SuiteCase = {
  id: 'memory-persistence',
  description: 'What the agent learns in one run is known in the next',
  tier: 'Memory System',
  backends: ALL,
  expectedIterations: 1,
  pressure: [
    {
      name: 'complexity',
      description: 'two runs that share nothing but the file',
      whyPressure: 'what was learned may be lost between them',
    },
  ],
  quality: [
    {
      name: 'learning',
      optimal: 'one memory, used by the next run at once',
      acceptable: 'used after a search',
      concerning: 'learned again',
    },
  ],
  setup: () =>
    asksHowToIndent({
      prompt: [
        'How do we indent?',
        'If your memories tell, answer with the sentence "With tabs, as I remember.".',
        `If they do not, run this command in your shell: ${LEARN}`,
        'Then end with the line LOOP_COMPLETE.',
      ].join('\n'),
      steps: [{ run: [] }, { run: [] }],
      scenario: script(
        ['> Indent with tabs.', 'With tabs, as I remember.\nLOOP_COMPLETE'],
        ['How do we indent', afterCommand(LEARN, 'Noted.\nLOOP_COMPLETE')],
      ),
    }),
  check: (observed) => [
    exitCode(observed, 0),
    fileContains(observed, MEMORIES, '> Indent with tabs.'),
    promptContains(observed, 1, '> Indent with tabs.'),
    agentSays(observed, 1, 'With tabs, as I remember.'),
  ],
  baselines: [
    {
      condition: 'memories are switched off',
      expectedFailure: 'the second run knows nothing about the first',
      whyItMatters: 'it shows that the knowledge comes from the memory',
      change: (setup) => configured(setup, { memories: { enabled: false } }),
      fails: ['output 1 has "With tabs, as I remember."'],
    },
  ],
};

const TYPES = { pattern: 'Patterns', decision: 'Decisions', fix: 'Fixes', context: 'Context' };

const types: SuiteCase = {
  id: 'memory-types',
  description: 'Patterns, decisions, fixes and context each have their section, in the file and in the prompt',
  tier: 'Memory System',
  backends: ALL,
  expectedIterations: 1,
  pressure: [
    { name: 'complexity', description: 'four types at once', whyPressure: 'all entries may go to one section' },
  ],
  quality: [
    {
      name: 'sections',
      optimal: 'each memory in its section',
      acceptable: 'one memory in a similar section',
      concerning: 'everything in one section',
    },
  ],
  setup: () =>
    asksHowToIndent({
      steps: [...Object.keys(TYPES).map((type) => ({ memory: ['add', `A ${type}.`, '-t', type] })), { run: [] }],
    }),
  check: (observed) => [
    exitCode(observed, 0),
    ...Object.entries(TYPES).flatMap(([type, section]) => [
      fileContains(observed, MEMORIES, `## ${section}`),
      fileContains(observed, MEMORIES, `> A ${type}.`),
      promptContains(observed, 1, `> A ${type}.`),
    ]),
  ],
  baselines: [
    {
      condition: 'all are of one type',
      expectedFailure: 'the entries of the other sections are missing',
      whyItMatters: 'sections that are always there would pass too',
      change: (setup) => ({ ...setup, steps: [{ memory: ['add', 'A pattern.', '-t', 'pattern'] }, { run: [] }] }),
      fails: ['decision', 'fix', 'context'].map((type) => `${MEMORIES} has "> A ${type}."`),
    },
  ],
};

/** Tier 6: memories. */
export const memoryCases: readonly SuiteCase[] = [...memoryCommandCases, injection, skill, persistence, types];
