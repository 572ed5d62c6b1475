import { expect, it } from 'vitest';
import { sampleCheck, sampleContext, sampleEntry, sampleIteration } from '../../../../test/helpers/sample-results.js';
import type { CheckResult, CheckSubject } from '../checks/result.js';
import { findLoopholes } from './loopholes.js';

const failed = (subject: CheckSubject, name = 'f'): CheckResult => sampleCheck('failed', { name, subject });
const EVENT = failed({ kind: 'event', topic: 'build.done', wanted: true }, 'event build.done');
const EXIT = failed({ kind: 'exit_code', code: 0 });
const FILE = failed({ kind: 'file', path: 'a.txt' });

function found(output: string, checks: CheckResult[], context: Parameters<typeof sampleContext>[0] = {}) {
  const seen = sampleContext({ iterations: [sampleIteration({ output })], ...context });
  const entry = sampleEntry('hat-single@claude', 'failed', { checks, context: seen });
  return findLoopholes([entry, sampleEntry('other@claude', 'passed')]);
}

it('acknowledged and not done', () => {
  expect(found('As the Builder, I will build.', [EVENT])).toEqual([
    {
      title: 'Instructions are acknowledged and not followed',
      pattern: expect.any(String),
      evidence: ['hat-single@claude: it said "As the Builder, I will build.", but this failed: event build.done'],
      affected_tests: ['hat-single@claude'],
      suggested_counter: expect.any(String),
      new_test: 'hat-single-acts-on-it',
    },
  ]);
  expect(found('I build.', [EVENT])).toEqual([]);
  expect(found('As the Builder, I will build.', [EXIT])).toEqual([]);
});

it('claimed and not done', () => {
  const titles = (said: string, check: CheckResult) => found(said, [check]).map(({ title }) => title);
  expect(titles('The file has been written.', FILE)).toEqual(['Work is claimed and not done']);
  expect(titles('I created it.', FILE)).toEqual(['Work is claimed and not done']);
  expect(titles('The file has been written.', EVENT)).toEqual([]);
  expect(titles('I could not write it.', FILE)).toEqual([]);
});

it('completed without the work', () => {
  const completed = { termination_reason: 'completed' };
  expect(found('', [EVENT], completed)[0]?.title).toBe('The loop completes without the work');
  expect(found('', [EVENT], { termination_reason: 'max_iterations' })).toEqual([]);
  expect(found('', [failed({ kind: 'event', topic: 'x', wanted: false })], completed)).toEqual([]);
});

it('accepted without evidence', () => {
  const done = (payload: string) => ({ events_emitted: [{ topic: 'build.done', payload, timestamp: 't' }] });
  const custom = [failed({ kind: 'condition' })];
  expect(found('', custom, done('it is implied'))[0]?.evidence).toEqual([
    'hat-single@claude: build.done was published with "it is implied"',
  ]);
  expect(found('', custom, done('tests: pass'))).toEqual([]);
});

it('green without the thing under test', () => {
  const baseline = { condition: 'no hats', expected_failure: 'f', why_it_matters: 'w', still_green: ['exit code 0'] };
  const of = (red: boolean) =>
    findLoopholes([sampleEntry('a@kiro', 'failed', { checks: [], baselines: [{ ...baseline, red }] })]);
  expect(of(false)).toMatchObject([
    { evidence: ['a@kiro: without it ("no hats") these did not fail: exit code 0'], new_test: 'a-needs-its-subject' },
  ]);
  expect(of(true)).toEqual([]);
});

it('finds a claim in a rehearsal, too', () => {
  const step = { number: 1, send: 'go', reached: true, said: 'I created it.', checks: [FILE], duration_ms: 1 };
  const { context: _, case: _case, ...entry } = sampleEntry('a b c', 'failed', { checks: [], steps: [step] });
  expect(findLoopholes([entry])).toMatchObject([{ title: 'Work is claimed and not done', affected_tests: ['a b c'] }]);
});
