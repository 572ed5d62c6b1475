import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import type { RehearsalResult } from '../rehearsal/result.js';
import { summarise } from '../rehearsal/result.js';
import { describeFailure, describeRehearsal, describeRun } from './describe-result.js';
import { linesReporter } from './lines.js';

const failing: RehearsalResult = {
  file: 'my tests/a.rehearsal.toml',
  name: 'explore leads to plan',
  agent: 'claude',
  stage: 'scripted',
  round: 1,
  status: 'failed',
  steps: [
    { number: 1, send: 'fine', reached: true, said: 'ok', checks: [], milliseconds: 1 },
    {
      number: 2,
      name: 'the second',
      send: '/explore\nthe app',
      reached: true,
      said: 'I looked around.',
      checks: [
        { check: 'fine', category: 'text', passed: true, expected: '', actual: '', evidence: [] },
        {
          ...{ check: 'keywords', category: 'text', passed: false, expected: 'any of "plan"', actual: 'none of them' },
          ...{ evidence: ['here'], suggestion: 'mention it' },
        },
      ],
      milliseconds: 1,
    },
    { number: 3, send: 'more', reached: false, said: '', checks: [], milliseconds: 0 },
  ],
  checks: [
    {
      ...{
        check: 'every rule is used',
        category: 'script',
        passed: false,
        expected: 'all',
        actual: 'second never did',
      },
      evidence: [],
    },
  ],
  attempts: 1,
  milliseconds: 1234,
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

  step 3: > more
    not reached: the conversation had ended

    ✗ every rule is used
      expected  all
      seen      second never did

  events, requests and project: .understudy/artifacts/a
  again: understudy run 'my tests/a.rehearsal.toml' --agent claude --stage scripted`);
});

it('tells an error of the harness with its way out', () => {
  const error = { code: 'AGENT_NOT_FOUND', message: 'there is no claude', fix: 'fetch it' };
  const text = plain(describeFailure({ ...failing, status: 'error', steps: [], checks: [], error }));
  expect(text).toContain('AGENT_NOT_FOUND: there is no claude\n  fix: fetch it');
});

it('tells each rehearsal in a line, with its round or the reason for leaving it out', () => {
  expect(plain(describeRehearsal(failing))).toBe('✗ explore leads to plan claude scripted 1.2 s');
  expect(plain(describeRehearsal({ ...failing, status: 'passed', round: 3 }))).toContain('scripted round 3 1.2 s');
  expect(plain(describeRehearsal({ ...failing, status: 'skipped', reason: 'no browser' }))).toBe(
    '– explore leads to plan no browser',
  );
});

it('adds up a run, and says when nothing ran', () => {
  const run = summarise([failing, { ...failing, status: 'passed' }, { ...failing, status: 'error' }], 2000);
  expect(plain(describeRun(run))).toBe('1 passed, 1 failed, 1 could not run in 2.0 s');
  expect(plain(describeRun(summarise([], 0)))).toBe('nothing ran in 0.0 s');
});

it('tells where a workspace was kept, also of one that passed', () => {
  const lines: string[] = [];
  const reporter = linesReporter((line) => lines.push(plain(line)));
  const entry = { rehearsal: {}, agent: 'claude', stage: 'sim', round: 1 } as unknown as Parameters<
    typeof reporter.end
  >[0];
  reporter.end(entry, { ...failing, status: 'passed' });
  expect(lines).toEqual([
    '✓ explore leads to plan claude scripted 1.2 s',
    '  events, requests and project: .understudy/artifacts/a',
  ]);
});
