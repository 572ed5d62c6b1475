import type { Backend, CaseSetup, SuiteCase } from '../../orchestrators/case.js';
import { promptContains } from '../checks/loop-checks.js';
import { condition, exitCode, fileContains, programMatches, programPrints } from '../checks/program-checks.js';
import { MEMORIES, memoryEntry, memoryId, REMEMBERED } from './memory-setup.js';
import { afterCommand, script } from './script.js';

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

const FIRST_ID = memoryId(1);
const SECOND_ID = memoryId(2);
const UNKNOWN_ID = memoryId(0xffff);

const show: SuiteCase = {
  id: 'memory-show',
  description: 'One memory is shown by its id, and an id that does not exist is an error',
  tier: 'Memory System',
  backends: ALL,
  expectedIterations: 1,
  pressure: [{ name: 'edge-case', description: 'an id that does not exist', whyPressure: 'it may be shown as empty' }],
  quality: [
    {
      name: 'showing',
      optimal: 'the one memory that was asked for',
      acceptable: 'the memory after a list of all',
      concerning: 'the file is read by hand',
    },
  ],
  setup: () => ({
    ...runs(`ralph tools memory show ${SECOND_ID} > shown.txt`),
    files: { [MEMORIES]: TWO },
    steps: [{ memory: ['show', UNKNOWN_ID] }, { run: [] }],
  }),
  check: (observed) => {
    const shown = observed.read('shown.txt') ?? '';
    const unknown = observed.runs[0]?.code;
    return [
      exitCode(observed, 0),
      fileContains(observed, 'shown.txt', KEBAB),
      condition('nothing else is shown', shown !== '' && !shown.includes('tabs'), 'no tabs', shown),
      condition('an unknown id is an error', (unknown ?? 0) !== 0, 'an exit code that is not 0', String(unknown)),
      programMatches(observed, 1, new RegExp(`memory.*${UNKNOWN_ID}`, 'i')),
    ];
  },
  baselines: [
    {
      condition: 'the other memory is shown, and the id exists',
      expectedFailure: 'another content, and no error',
      whyItMatters: 'a command that shows everything, or that always fails, would pass too',
      change: (setup) => ({
        ...setup,
        ...runs(`ralph tools memory show ${FIRST_ID} > shown.txt`),
        steps: [{ memory: ['show', SECOND_ID] }, { run: [] }],
      }),
      fails: [`shown.txt has "${KEBAB}"`, 'an unknown id is an error'],
    },
  ],
};

const remove: SuiteCase = {
  id: 'memory-delete',
  description: 'A memory that is deleted is gone from the file and from the next prompt; the others stay',
  tier: 'Memory System',
  backends: ALL,
  expectedIterations: 1,
  pressure: [{ name: 'conflict', description: 'two memories, one to delete', whyPressure: 'the wrong one may go' }],
  quality: [
    {
      name: 'deletion',
      optimal: 'the one memory, once',
      acceptable: 'a list before and after',
      concerning: 'the file is edited by hand',
    },
  ],
  setup: () => ({
    ...runs(`ralph tools memory delete ${SECOND_ID}`),
    files: { [MEMORIES]: TWO },
    steps: [{ run: [] }, { memory: ['list'] }],
  }),
  check: (observed) => {
    const left = observed.read(MEMORIES);
    return [
      exitCode(observed, 0),
      promptContains(observed, 1, `> ${KEBAB}`),
      condition('it is gone', left !== undefined && !left.includes(KEBAB), `no "${KEBAB}"`, left ?? 'no such file'),
      fileContains(observed, MEMORIES, '> Indent with tabs.'),
      programPrints(observed, 2, 'Indent with tabs.'),
    ];
  },
  baselines: [
    {
      condition: 'nothing is deleted',
      expectedFailure: 'the memory is still there',
      whyItMatters: 'a file that never had it would pass too',
      change: (setup) => ({ ...setup, ...runs('true') }),
      fails: ['it is gone'],
    },
  ],
};

/** Tier 6: the commands for memories, called by the user and by the agent. */
export const memoryCommandCases: readonly SuiteCase[] = [add, search, list, show, remove];
