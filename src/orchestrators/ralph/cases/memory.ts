import { agentSays, promptContains } from '../../../checks/program/loop-checks.js';
import { condition, exitCode, fileContains } from '../../../checks/program/program-checks.js';
import { type Backend, type CaseSetup, type SuiteCase, stageNames } from '../../case.js';
import { asksHowToIndent, MEMORIES, memoryEntry, REMEMBERED } from './memory-setup.js';
import { afterCommand, configured, script } from './script.js';

const ALL: readonly Backend[] = ['claude', 'kiro', 'opencode'];

const KEBAB = 'Name files in kebab-case.';
const TWO = `${REMEMBERED}\n## Decisions\n\n${memoryEntry(2, KEBAB)}`;

/** A setup in which the agent runs a command of the loop's own program. */
const runs = (command: string): CaseSetup => ({
  config: { event_loop: { max_iterations: 2 } },
  prompt: `Run this command in your shell, once: ${command}\nThen end with the line LOOP_COMPLETE.`,
  scenario: script(['Run this command', afterCommand(command, 'It ran.\nLOOP_COMPLETE')]),
});

const add: SuiteCase = {
  id: 'memory-add',
  description: 'A memory is added from the command line, by the user and by the agent',
  tier: 'Memory System',
  backends: ALL,
  stages: stageNames,
  expectedIterations: 1,
  pressure: [
    { name: 'conflict', description: 'user and agent both add', whyPressure: 'one entry may overwrite the other' },
  ],
  quality: [
    {
      name: 'entries',
      optimal: 'one entry each, of its type, with its tags',
      acceptable: 'one entry each, with other tags',
      concerning: 'the same thing added twice',
    },
  ],
  setup: () => ({
    ...runs(`ralph tools memory add "${KEBAB}" -t decision`),
    steps: [{ memory: ['add', 'Indent with tabs.', '-t', 'pattern', '--tags', 'style,tabs'] }, { run: [] }],
  }),
  check: (observed) => [
    exitCode(observed, 0),
    fileContains(observed, MEMORIES, '## Patterns'),
    fileContains(observed, MEMORIES, '> Indent with tabs.'),
    fileContains(observed, MEMORIES, '<!-- tags: style, tabs | created: '),
    fileContains(observed, MEMORIES, `> ${KEBAB}`),
  ],
  baselines: [
    {
      condition: 'nothing is added',
      expectedFailure: 'there are no such memories',
      whyItMatters: 'a file that is always there would pass too',
      change: () => ({ ...runs('true'), steps: [{ run: [] }] }),
      fails: [`${MEMORIES} has "> Indent with tabs."`, `${MEMORIES} has "> ${KEBAB}"`],
    },
  ],
};

const search: SuiteCase = {
  id: 'memory-search',
  description: 'A search finds what it is asked for, and nothing else',
  tier: 'Memory System',
  backends: ALL,
  stages: stageNames,
  expectedIterations: 1,
  pressure: [
    { name: 'ambiguity', description: 'the case of the word differs', whyPressure: 'a literal search finds nothing' },
  ],
  quality: [
    {
      name: 'findings',
      optimal: 'what was asked for, and nothing else',
      acceptable: 'one search too many',
      concerning: 'everything listed instead of searched',
    },
  ],
  setup: () => ({ ...runs('ralph tools memory search KEBAB > found.txt'), files: { [MEMORIES]: TWO } }),
  check: (observed) => {
    const found = observed.read('found.txt') ?? '';
    return [
      exitCode(observed, 0),
      fileContains(observed, 'found.txt', KEBAB),
      condition('nothing else is found', found !== '' && !found.includes('tabs'), 'no tabs', found),
    ];
  },
  baselines: [
    {
      condition: 'another word is searched for',
      expectedFailure: 'the memory is not found',
      whyItMatters: 'a search that lists everything would pass too',
      change: (setup) => ({ ...setup, ...runs('ralph tools memory search zebra > found.txt') }),
      fails: [`found.txt has "${KEBAB}"`],
    },
  ],
};

const list: SuiteCase = {
  id: 'memory-list',
  description: 'The list shows every memory',
  tier: 'Memory System',
  backends: ALL,
  stages: stageNames,
  expectedIterations: 1,
  pressure: [
    { name: 'complexity', description: 'memories in two sections', whyPressure: 'one section may be left out' },
  ],
  quality: [
    {
      name: 'listing',
      optimal: 'every memory, once',
      acceptable: 'every memory, in two calls',
      concerning: 'the file is read by hand',
    },
  ],
  setup: () => ({ ...runs('ralph tools memory list > listed.txt'), files: { [MEMORIES]: TWO } }),
  check: (observed) => [
    exitCode(observed, 0),
    fileContains(observed, 'listed.txt', 'Indent with tabs.'),
    fileContains(observed, 'listed.txt', KEBAB),
  ],
  baselines: [
    {
      condition: 'there is only one',
      expectedFailure: 'the other is not listed',
      whyItMatters: 'a fixed answer would pass too',
      change: (setup) => ({ ...setup, files: { [MEMORIES]: REMEMBERED } }),
      fails: [`listed.txt has "${KEBAB}"`],
    },
  ],
};

const injection: SuiteCase = {
  id: 'memory-injection',
  description: 'Memories are put into the prompt, and the agent uses them',
  tier: 'Memory System',
  backends: ALL,
  stages: stageNames,
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
      steps: [{ run: [] }, { run: [] }],
      scenario: script(
        ['> Indent with tabs.', 'With tabs, as I remember.\nLOOP_COMPLETE'],
        [
          'How do we indent',
          afterCommand('ralph tools memory add "Indent with tabs." -t decision', 'Noted.\nLOOP_COMPLETE'),
        ],
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
export const memoryCases: readonly SuiteCase[] = [add, search, list, injection, persistence, types];
