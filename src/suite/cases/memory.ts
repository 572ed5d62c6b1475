import { exitsWith, fileHolds, holds, isTold, prints, says, takesIterations } from '../assertion.js';
import type { Backend, CaseSetup, SuiteCase } from '../case.js';
import { afterCommand, configured, script } from './script.js';

const ALL: readonly Backend[] = ['claude', 'kiro', 'opencode'];
const FILE = '.ralph/agent/memories.md';
const entry = (n: number, content: string) =>
  `### mem-1767225600-${n.toString(16).padStart(4, '0')}\n> ${content}\n<!-- tags: style | created: 2026-01-01 -->\n`;
const REMEMBERED = `# Memories\n\n## Patterns\n\n${entry(1, 'Indent with tabs.')}`;
const plain = (more: Partial<CaseSetup> = {}): CaseSetup => ({
  config: { event_loop: { max_iterations: 2 } },
  prompt: 'How do we indent?',
  scenario: script(
    ['> Indent with tabs.', 'With tabs, as I remember.\nLOOP_COMPLETE'],
    ['How do we indent', 'I do not know.\nLOOP_COMPLETE'],
  ),
  ...more,
});

const add: SuiteCase = {
  id: 'memory-add',
  description: 'A memory is added from the command line',
  tier: 'Memory System',
  backends: ALL,
  expectedIterations: 0,
  setup: () => plain({ steps: [{ memory: ['add', 'Indent with tabs.', '-t', 'pattern', '--tags', 'style,tabs'] }] }),
  check: (observed) => [
    exitsWith(observed, 0),
    fileHolds(observed, FILE, '## Patterns'),
    fileHolds(observed, FILE, '> Indent with tabs.'),
    fileHolds(observed, FILE, '<!-- tags: style, tabs | created: '),
  ],
  baselines: [
    {
      condition: 'nothing is added',
      expectedFailure: 'there is no such memory',
      whyItMatters: 'a file that is always there would pass too',
      change: (setup) => ({ ...setup, steps: [{ memory: ['list'] }] }),
      fails: [`${FILE} has "> Indent with tabs."`],
    },
  ],
};

const SEARCHED = {
  'add tabs': ['add', 'Indent with tabs.'],
  'add names': ['add', 'Name files in kebab-case.', '-t', 'decision'],
};

const search: SuiteCase = {
  id: 'memory-search',
  description: 'A search finds what it is asked for, and nothing else',
  tier: 'Memory System',
  backends: ALL,
  expectedIterations: 0,
  setup: () =>
    plain({
      steps: [{ memory: SEARCHED['add tabs'] }, { memory: SEARCHED['add names'] }, { memory: ['search', 'KEBAB'] }],
    }),
  check: (observed) => [
    exitsWith(observed, 0),
    prints(observed, 3, 'Name files in kebab-case.'),
    holds(
      'nothing else is found',
      observed.runs[2]?.stdout.includes('tabs') === false,
      'no tabs',
      observed.runs[2]?.stdout ?? '',
    ),
  ],
  baselines: [
    {
      condition: 'another word is searched for',
      expectedFailure: 'the memory is not found',
      whyItMatters: 'a search that lists everything would pass too',
      change: (setup) => ({ ...setup, steps: [...(setup.steps ?? []).slice(0, 2), { memory: ['search', 'zebra'] }] }),
      fails: ['call 3 prints "Name files in kebab-case."'],
    },
  ],
};

const list: SuiteCase = {
  id: 'memory-list',
  description: 'The list shows every memory',
  tier: 'Memory System',
  backends: ALL,
  expectedIterations: 0,
  setup: () =>
    plain({ steps: [{ memory: SEARCHED['add tabs'] }, { memory: SEARCHED['add names'] }, { memory: ['list'] }] }),
  check: (observed) => [
    exitsWith(observed, 0),
    prints(observed, 3, 'Indent with tabs.'),
    prints(observed, 3, 'Name files in kebab-case.'),
  ],
  baselines: [
    {
      condition: 'only one was added',
      expectedFailure: 'the other is not listed',
      whyItMatters: 'a fixed answer would pass too',
      change: (setup) => ({
        ...setup,
        steps: [{ memory: ['list'] }, { memory: SEARCHED['add tabs'] }, { memory: ['list'] }],
      }),
      fails: ['call 3 prints "Name files in kebab-case."'],
    },
  ],
};

const injection: SuiteCase = {
  id: 'memory-injection',
  description: 'Memories are put into the prompt, and the agent uses them',
  tier: 'Memory System',
  backends: ALL,
  expectedIterations: 1,
  setup: () => plain({ files: { [FILE]: REMEMBERED } }),
  check: (observed) => [
    exitsWith(observed, 0),
    isTold(observed, 1, '# Memories'),
    isTold(observed, 1, '> Indent with tabs.'),
    isTold(observed, 1, '## Fixes', false),
    says(observed, 1, 'With tabs, as I remember.'),
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
  description: 'What the agent learns in one run it knows in the next',
  tier: 'Memory System',
  backends: ALL,
  expectedIterations: 1,
  setup: () =>
    plain({
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
    exitsWith(observed, 0),
    fileHolds(observed, FILE, '> Indent with tabs.'),
    isTold(observed, 1, '> Indent with tabs.'),
    says(observed, 1, 'With tabs, as I remember.'),
  ],
  baselines: [
    {
      condition: 'memories are switched off',
      expectedFailure: 'the second run knows nothing of the first',
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
  setup: () =>
    plain({
      steps: [...Object.keys(TYPES).map((type) => ({ memory: ['add', `A ${type}.`, '-t', type] })), { run: [] }],
    }),
  check: (observed) => [
    exitsWith(observed, 0),
    ...Object.entries(TYPES).flatMap(([type, section]) => [
      fileHolds(observed, FILE, `## ${section}`),
      isTold(observed, 1, `> A ${type}.`),
    ]),
  ],
  baselines: [
    {
      condition: 'all are of one type',
      expectedFailure: 'the other sections are missing',
      whyItMatters: 'sections that are always there would pass too',
      change: (setup) => ({ ...setup, steps: [{ memory: ['add', 'A pattern.', '-t', 'pattern'] }, { run: [] }] }),
      fails: [`${FILE} has "## Decisions"`, `${FILE} has "## Fixes"`, `${FILE} has "## Context"`],
    },
  ],
};

const corrupted: SuiteCase = {
  id: 'memory-corrupted',
  description: 'A damaged memory file gives what can be read of it, and is not lost',
  tier: 'Memory System',
  backends: ALL,
  expectedIterations: 1,
  pressure: [{ name: 'edge-case', description: 'a damaged file', whyPressure: 'the loop may crash or overwrite it' }],
  setup: () =>
    plain({
      files: { [FILE]: `\u0000\u0001 torn ###\n${REMEMBERED}\n### mem-bad\n> half an ent` },
      steps: [{ memory: ['add', 'One more.'] }, { run: [] }],
    }),
  check: (observed) => [
    exitsWith(observed, 0),
    isTold(observed, 1, '> Indent with tabs.'),
    isTold(observed, 1, '> One more.'),
    fileHolds(observed, FILE, 'half an ent'),
  ],
  baselines: [
    {
      condition: 'the readable part is gone, too',
      expectedFailure: 'the memory is not in the prompt',
      whyItMatters: 'it shows that it comes from the damaged file',
      change: (setup) => ({ ...setup, files: { [FILE]: '\u0000\u0001 torn ###' } }),
      fails: ['prompt 1 has "> Indent with tabs."'],
    },
  ],
};

const large: SuiteCase = {
  id: 'memory-large',
  description: 'A large memory file is cut to the budget, between entries, and the prompt says so',
  tier: 'Memory System',
  backends: ALL,
  expectedIterations: 1,
  pressure: [{ name: 'edge-case', description: 'thousands of memories', whyPressure: 'the prompt may burst' }],
  setup: () =>
    plain({
      config: { event_loop: { max_iterations: 2 }, memories: { budget: 500 } },
      files: {
        [FILE]: `${REMEMBERED}\n${Array.from({ length: 3000 }, (_, n) => entry(n + 16, `Number ${n}.`)).join('\n')}`,
      },
    }),
  check: (observed) => {
    const length = observed.iterations[0]?.prompt.length ?? Number.POSITIVE_INFINITY;
    return [
      exitsWith(observed, 0),
      takesIterations(observed, 1),
      isTold(observed, 1, '> Indent with tabs.'),
      isTold(observed, 1, 'truncated'),
      holds('a prompt within the budget', length < 500 * 4 + 2000, 'fewer than 4000 characters', String(length)),
    ];
  },
  baselines: [
    {
      condition: 'there is no budget',
      expectedFailure: 'the prompt bursts',
      whyItMatters: 'it shows that the budget cuts',
      change: (setup) => configured(setup, { memories: { budget: 0 } }),
      fails: ['prompt 1 has "truncated"', 'a prompt within the budget'],
    },
  ],
};

/** Tier 6: memories. */
export const memoryCases: readonly SuiteCase[] = [add, search, list, injection, persistence, types, corrupted, large];
