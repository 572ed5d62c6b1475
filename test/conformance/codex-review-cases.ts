import { casesWith, NOTIFY, usage } from './codex-case.js';
import type { ScriptedCase, ScriptedRun } from './scripted-case.js';

const review = (...args: string[]): ScriptedRun => ({ args: ['exec', 'review', ...args] });

const FINDING = {
  title: '[P1] Wrong sum',
  body: 'The sum is wrong.\n\nIt is less.\n',
  confidence_score: 0.9,
  priority: 1,
  code_location: { absolute_file_path: '/x/a.txt', line_range: { start: 2, end: 3 } },
};
const REVIEW = {
  findings: [FINDING],
  overall_correctness: 'patch is incorrect',
  overall_explanation: ' One bug.\n',
  overall_confidence_score: 0.8,
};
const WITHOUT = (object: object, key: string): object =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

/** What a reviewer says in the end. */
const LAST_WORDS: Record<string, object | string> = {
  'one finding': REVIEW,
  'two findings': { ...REVIEW, findings: [FINDING, { ...FINDING, title: 'Other', body: '' }] },
  'no findings': { ...REVIEW, findings: [] },
  'findings without more words': { ...REVIEW, overall_explanation: '' },
  'nothing in JSON': { ...REVIEW, findings: [], overall_explanation: '' },
  'JSON among words': `Here it is:\n\`\`\`json\n${JSON.stringify(REVIEW)}\n\`\`\`\nBye.`,
  'other JSON first': `{"a":1} ${JSON.stringify(REVIEW)}`,
  'more than is asked for': { ...REVIEW, more: 1 },
  'a finding without a priority': { ...REVIEW, findings: [WITHOUT(FINDING, 'priority')] },
  'a finding without a place': { ...REVIEW, findings: [WITHOUT(FINDING, 'code_location')] },
  'a finding with half a priority': { ...REVIEW, findings: [{ ...FINDING, priority: 1.5 }] },
  'no score': WITHOUT(REVIEW, 'overall_confidence_score'),
  'no verdict': WITHOUT(REVIEW, 'overall_correctness'),
  words: 'All is well.',
  'nothing at all': '',
};

const ANSWERS = Object.entries(LAST_WORDS).map(([text, said]) => ({
  pattern: { type: 'exact', text },
  response: typeof said === 'string' ? said : JSON.stringify(said),
}));

const WORKS = {
  text: 'I will look.',
  thinking: 'Hmm.',
  usage,
  tool_calls: [{ tool: 'shell', input: { command: 'echo hi; exit 3' } }],
  then: {
    tool_calls: [
      {
        tool: 'shell',
        input: { command: "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: n.txt\n+x\n*** End Patch\nEOF" },
      },
    ],
    usage,
    then: { text: JSON.stringify(REVIEW), usage },
  },
};

const SCENARIO = {
  responses: [
    ...ANSWERS,
    { pattern: { type: 'contains', text: 'works' }, response: WORKS },
    { pattern: { type: 'contains', text: 'fails' }, failure: { type: 'server_error' } },
    {
      pattern: { type: 'contains', text: 'unanswered' },
      response: { tool_calls: [{ tool: 'Nonsense', input: {} }] },
    },
    { pattern: { type: 'any' }, response: '<{{prompt}}>' },
  ].map((rule) => ({ ...rule, optional: true })),
};

const one = casesWith({ git: 'with a commit', scenario: SCENARIO });

export const REVIEW_CASES: readonly ScriptedCase[] = [
  one('a review of changes', review('--uncommitted')),
  one('a review of a branch', review('--base', 'main')),
  one('a review of a branch that is not there', review('--base', 'none')),
  one('a review of a commit', review('--commit', 'HEAD')),
  one('a review of a commit with a title', review('--commit=abc1234', '--title', 'My title')),
  one('a review of changes with a title', review('--title', 't', '--uncommitted')),
  one('a review as it is asked for', { ...review('look at x'), input: 'more\n' }),
  one('a review as stdin asks for it', { ...review('-'), input: 'from stdin\n' }),
  one('a review as an empty stdin asks for it', review('-')),
  one(
    'a review, with events',
    { args: ['exec', '--json', 'review', '--uncommitted', '-o', 'last.txt'] },
    { written: ['last.txt'] },
  ),
  one('a review that works', review('works')),
  one('a review that works, with events', review('--json', 'works', '-o', 'last.txt'), { written: ['last.txt'] }),
  one('a review that leaves nothing', review('--ephemeral', 'works')),
  ...Object.keys(LAST_WORDS).map((words) => one(`a review with ${words}`, review('--ephemeral', words))),
  one('a review with nothing at all, in a file', review('nothing at all', '-o', 'last.txt'), { written: ['last.txt'] }),
  one('a review that fails', review('fails', '-o', 'last.txt'), { written: ['last.txt'] }),
  one('a review that fails, with events', review('--json', 'fails')),
  one('a review that nothing answers', review('--json', 'unanswered')),
  one('a review with another model', review('--json', '-m', 'gpt-5.5', 'words')),
  one('a review in color', { args: ['exec', '--color', 'always', 'review', 'works'] }),
  one('a review of the program itself', { args: ['review', '--uncommitted'] }),
  one('a review of the program itself, with a model', {
    args: ['-m', 'gpt-5.5', 'review', '-c', 'model_reasoning_effort=low', 'words'],
  }),
  one('a review, and then more', [
    review('--json', 'words'),
    { args: ['exec', '--json', 'resume', '--last', 'go on'] },
  ]),
  one('a review that a program could hear of', review('words'), {
    home: { '.codex/config.toml': NOTIFY },
    written: ['told.txt'],
  }),
  one('a review with a schema that is not there', review('--output-schema', 'none', 'words')),
  one('a review of nothing', review()),
  one('a review of two things', review('--uncommitted', 'x')),
  one('a review of two other things', review('--commit', 'HEAD', '--base', 'main')),
  one('a review of three things', review('--commit', 'HEAD', '--base', 'main', '--uncommitted')),
  one('a review with two prompts', review('one', 'two')),
  one('a review with an unknown flag', review('--bogus')),
  one('a review of the program itself with an unknown flag', { args: ['review', '--json', 'x'] }),
  casesWith({ scenario: SCENARIO })('a review without a repository', review('x')),
  one('help about reviews', [review('--help'), { args: ['review', '-h'] }], { onlyCode: true }),
];
