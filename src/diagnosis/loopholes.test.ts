import { expect, it } from 'vitest';
import { sampleContext, sampleResult } from '../../test/helpers/suite-report.js';
import type { ReportedContext, ReportedResult } from '../results/schema.js';
import { findLoopholes } from './loopholes.js';

const failed = (category: string, name: string) => ({ name, category, passed: false, expected: 'x', actual: 'y' });

function found(output: string, assertions: ReportedResult['assertions'], context: Partial<ReportedContext> = {}) {
  const iterations = [{ iteration: 1, hat: 'h', backend: 'claude', command: 'c', prompt: 'p', output }];
  const result = sampleResult('hat-single@claude', 'failed', {
    assertions,
    context: sampleContext({ iterations, ...context }),
  });
  return findLoopholes([result, sampleResult('other@claude', 'passed')]);
}

it('acknowledged and not done', () => {
  const event = failed('EventEmitted', 'event build.done');
  expect(found('As the Builder, I will build.', [event])).toEqual([
    {
      title: 'Instructions are acknowledged and not followed',
      pattern: expect.any(String),
      evidence: ['hat-single@claude: it said "As the Builder, I will build.", but this failed: event build.done'],
      suggested_counter: expect.any(String),
      new_test: 'hat-single-acts-on-it',
    },
  ]);
  expect(found('I build.', [event])).toEqual([]);
  expect(found('As the Builder, I will build.', [failed('ExitCode', 'exit code 0')])).toEqual([]);
});

it('claimed and not done', () => {
  const titles = (said: string, category: string) => found(said, [failed(category, 'f')]).map(({ title }) => title);
  expect(titles('The file has been written.', 'FileCreated')).toEqual(['A deed is claimed and not done']);
  expect(titles('I created it.', 'FileContains')).toEqual(['A deed is claimed and not done']);
  expect(titles('The file has been written.', 'EventEmitted')).toEqual([]);
  expect(titles('I could not write it.', 'FileCreated')).toEqual([]);
});

it('completed without the work', () => {
  const completed = { termination_reason: 'completed' };
  expect(found('', [failed('EventEmitted', 'event x')], completed)[0]?.title).toBe(
    'The loop completes without the work',
  );
  expect(found('', [failed('EventEmitted', 'event x')], { termination_reason: 'max_iterations' })).toEqual([]);
  const unwanted = { ...failed('EventEmitted', 'no event x'), expected: 'no x' };
  expect(found('', [unwanted], completed)).toEqual([]);
});

it('accepted without evidence', () => {
  const done = (payload: string) => ({ events_emitted: [{ topic: 'build.done', payload, timestamp: 't' }] });
  const custom = [failed('Custom', 'c')];
  expect(found('', custom, done('it is implied'))[0]?.evidence).toEqual([
    'hat-single@claude: build.done was published with "it is implied"',
  ]);
  expect(found('', custom, done('tests: pass'))).toEqual([]);
});

it('green without the thing under test', () => {
  const baseline = { condition: 'no hats', expected_failure: 'f', why_it_matters: 'w', still_green: ['exit code 0'] };
  const of = (red: boolean) =>
    findLoopholes([sampleResult('a@kiro', 'failed', { assertions: [], baselines: [{ ...baseline, red }] })]);
  expect(of(false)).toMatchObject([
    { evidence: ['a@kiro: without it ("no hats") these still held: exit code 0'], new_test: 'a-needs-its-subject' },
  ]);
  expect(of(true)).toEqual([]);
});
