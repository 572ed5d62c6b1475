import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { rehearsalRun } from '../../../../test/helpers/sample-runs.js';
import type { CheckResult } from '../checks/result.js';
import type { EntryResult } from '../results/entry-result.js';
import { countEntries, summarize } from '../results/summarize.js';
import { describeEntry, describeFailure, describeRun } from './describe-result.js';
import { listReporter } from './list.js';

const base: CheckResult = {
  ...{ name: 'a check', category: 'text', status: 'failed', subject: { kind: 'text', words: [] } },
  ...{ expected: '', actual: '', evidence: [] },
};

const failing: EntryResult = {
  id: 'my tests/a.rehearsal.toml claude scripted',
  kind: 'rehearsal',
  tags: [],
  rerun: "understudy run 'my tests/a.rehearsal.toml' --agent claude --stage scripted",
  file: 'my tests/a.rehearsal.toml',
  name: 'explore leads to plan',
  agent: 'claude',
  stage: 'scripted',
  round: 1,
  status: 'failed',
  steps: [
    { number: 1, send: 'fine', reached: true, said: 'ok', checks: [], duration_ms: 1 },
    {
      number: 2,
      name: 'the second',
      send: '/explore\nthe app',
      reached: true,
      said: 'I looked around.',
      checks: [
        { ...base, name: 'fine', status: 'passed' },
        {
          ...{ ...base, name: 'keywords', status: 'failed', expected: 'any of "plan"', actual: 'none of them' },
          ...{ evidence: ['here'], suggestion: 'mention it' },
        },
      ],
      duration_ms: 1,
    },
    { number: 3, send: 'more', reached: false, said: '', checks: [], duration_ms: 0 },
  ],
  checks: [
    { ...base, name: 'every rule is used', category: 'script', expected: 'all', actual: 'second never did' },
    { ...base, name: 'cost', category: 'budget', status: 'unjudged', expected: 'at most 1', actual: 'not reported' },
  ],
  attempts: 1,
  duration_ms: 1234,
  artifacts: '.understudy/artifacts/a',
};
const plain = stripVTControlCharacters;

it('tells step, check, expected, seen, what was said, and how to run it again', () => {
  expect(plain(describeFailure(failing))).toBe(`
  step 2 (the second): > /explore the app
    ✗ keywords
      expected  any of "plan"
      seen      none of them
      | here
      fix       mention it
    the agent said:
      I looked around.

    ✗ every rule is used
      expected  all
      seen      second never did

    ? cost (could not be judged)
      expected  at most 1
      seen      not reported

  step 3 was not reached: the conversation had ended

  events, requests and project: .understudy/artifacts/a
  again: understudy run 'my tests/a.rehearsal.toml' --agent claude --stage scripted`);
});

it('prints a sentence once, however many checks have it as evidence', () => {
  const sentence = 'API Error: 418 understudy: no rule of the scenario answers the prompt "second".';
  const step = failing.steps[1] as EntryResult['steps'][number];
  const outcome = { ...base, name: 'tools', evidence: [sentence, `${sentence.slice(0, 60)}…`], suggestion: sentence };
  const says = { ...base, name: 'says', actual: 'something else', evidence: [sentence, 'short', 'short'] };
  const lines = plain(describeFailure({ ...failing, steps: [{ ...step, said: sentence, checks: [outcome, says] }] }));
  expect(lines.split(sentence.slice(0, 50))).toHaveLength(2);
  expect(lines.split('| short')).toHaveLength(3);
});

it('tells an error of the harness with its way out', () => {
  const error = { code: 'AGENT_NOT_FOUND', message: 'there is no claude', fix: 'fetch it' };
  const text = plain(describeFailure({ ...failing, status: 'error', steps: [], checks: [], error }));
  expect(text).toContain('AGENT_NOT_FOUND: there is no claude\n  fix: fetch it');
});

it('tells each rehearsal in a line, with its round or the reason for leaving it out', () => {
  expect(plain(describeEntry(failing))).toBe('✗ explore leads to plan claude scripted 1.2 s');
  expect(plain(describeEntry({ ...failing, status: 'passed', round: 3 }))).toContain('scripted round 3 1.2 s');
  expect(plain(describeEntry({ ...failing, status: 'skipped', reason: 'no browser' }))).toBe(
    '– explore leads to plan no browser',
  );
});

it('shows the line of an expectation once, expected against seen, and what the agent did', () => {
  const at = { file: 'a.toml', line: 3, column: 1, frame: '> 3 | says = "x"\n    | ^' };
  const says = { ...base, name: 'says', defined_at: at, expected: 'a\nb\nc', actual: 'a\nx\nc' };
  const tools = ['Glob {"pattern":"*"} → ok', 'Read {} → error'];
  const other = {
    ...base,
    name: 'tools',
    defined_at: at,
    expected: 'Read',
    actual: 'Glob',
    evidence: [tools[0] ?? ''],
  };
  const step = { number: 1, send: 'go', reached: true, said: '', tools, checks: [says, other], duration_ms: 1 };
  const { artifacts: _, ...plainEntry } = failing;
  expect(plain(describeFailure({ ...plainEntry, steps: [step], checks: [] }, { rerun: false }))).toBe(`
  step 1: > go
    ✗ says
      at a.toml:3:1
      > 3 | says = "x"
          | ^

      - expected  + seen
        a
      - b
      + x
        c
    ✗ tools
      at a.toml:3:1
      expected  Read
      seen      Glob
      | Glob {"pattern":"*"} → ok
    the agent did:
      Read {} → error`);
});

it('ends with what failed and how to run each again', () => {
  const lines: string[] = [];
  const reporter = listReporter((line) => lines.push(plain(line)));
  reporter.finish(rehearsalRun([failing, { ...failing, status: 'passed' }]));
  expect(lines).toEqual([
    '',
    '✗ explore leads to plan my tests/a.rehearsal.toml',
    '  step 2, keywords: expected any of "plan", seen none of them',
    `  again: ${failing.rerun}`,
    '\n1 passed, 1 failed in 4.2 s',
  ]);
});

it('tells of an empty shard', () => {
  const run = rehearsalRun([], {
    ...summarize([], 'rehearsal', false, true),
    shard: { index: 3, count: 3, cut: 'x', places: [] },
  });
  expect(plain(describeRun(run))).toBe('shard 3 of 3 is empty: there was no rehearsal to run');
});

it('adds up a run, and says when nothing ran', () => {
  const statuses = ['failed', 'passed', 'error', 'unjudged'] as const;
  const counts = countEntries(statuses.map((status) => ({ status })));
  const shown = plain(describeRun({ counts, duration_ms: 2000 }));
  expect(shown).toBe('1 passed, 1 failed, 1 not judged, 1 could not run in 2.0 s');
  expect(plain(describeRun({ counts: countEntries([]), duration_ms: 0 }))).toBe('nothing ran in 0.0 s');
});

it('tells where a workspace was kept, also of one that passed', () => {
  const lines: string[] = [];
  const reporter = listReporter((line) => lines.push(plain(line)));
  reporter.end(failing, { ...failing, status: 'passed' });
  expect(lines).toEqual([
    '✓ explore leads to plan claude scripted 1.2 s',
    '  events, requests and project: .understudy/artifacts/a',
  ]);
});

it('prints entries of groups in the order of the plan, each group with its title', () => {
  const lines: string[] = [];
  const reporter = listReporter((line) => lines.push(plain(line)));
  const { artifacts: _, ...plainEntry } = failing;
  const entry = (name: string, group: string) => ({ ...plainEntry, name, group });
  const [a, b, c] = [entry('a', 'Tier 1'), entry('b', 'Tier 1'), entry('c', 'Tier 2')];
  reporter.start({ command: 'e2e', understudy_version: '1', entries: [a, b, c] });
  for (const ended of [c, b, a]) reporter.end(ended, { ...ended, status: 'skipped', reason: 'no reason' });
  expect(lines).toEqual([
    'scripted: claude',
    '\nTier 1',
    '– a no reason',
    '– b no reason',
    '\nTier 2',
    '– c no reason',
  ]);
});

it('prints nothing but the summary when it is asked to be quiet, and passed checks when asked to be verbose', () => {
  const lines: string[] = [];
  const quiet = listReporter((line) => lines.push(plain(line)), { quiet: true });
  quiet.end(failing, failing);
  expect(lines).toEqual([]);
  const verbose = listReporter((line) => lines.push(plain(line)), { verbose: true });
  verbose.end(failing, { ...failing, status: 'flaky' });
  expect(lines).toContain('    ✓ step 2 (the second): fine');
});
