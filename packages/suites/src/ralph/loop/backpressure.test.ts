import { expect, it } from 'vitest';
import { Backpressure, missingEvidence } from './backpressure.js';
import type { LoopEvent } from './events.js';

const WANTED = ['tests', 'lint', 'typecheck'];
const event = (topic: string, payload = ''): LoopEvent => ({ topic, payload, ts: '', source: 'builder' });

it('finds evidence in lines, lists and commas', () => {
  expect(missingEvidence('tests: pass\nlint: pass\ntypecheck: pass', WANTED)).toEqual([]);
  expect(missingEvidence('- tests: pass (12 of 12), lint: passed, * typecheck: PASS', WANTED)).toEqual([]);
});

it('does not take words for evidence', () => {
  expect(missingEvidence('all tests pass, lint is fine', WANTED)).toEqual(WANTED);
  expect(missingEvidence('mytests: pass\nlint: passable\ntypecheck: ', WANTED)).toEqual(WANTED);
});

it('lets one failure outweigh a pass', () => {
  expect(missingEvidence('tests: pass\ntests: fail', ['tests'])).toEqual(['tests']);
});

it('sees through colours', () => {
  expect(missingEvidence('\u001b[32mtests: pass\u001b[0m', ['tests'])).toEqual([]);
});

it('turns work without evidence into a block that names what is missing', () => {
  const written = [{ ...event('build.done', 'lint: pass'), target: 'somebody' }];
  expect(new Backpressure(WANTED).apply(written, [event('build.task', 'the parser')])).toEqual([
    event('build.blocked', 'the parser\nbuild.done lacks evidence: `tests: pass`, `typecheck: pass`'),
  ]);
});

it('leaves work with evidence and all other events alone', () => {
  const written = [event('build.done', 'tests: pass, lint: pass, typecheck: pass'), event('review.done')];
  expect(new Backpressure(WANTED).apply(written, [])).toEqual(written);
});

it('abandons a task when it is blocked for the third time, and only then', () => {
  const backpressure = new Backpressure(WANTED);
  const task = event('build.task', 'the parser');
  const rounds = [1, 2, 3, 4].map(() => ({
    topics: backpressure.apply([event('build.done')], [task]).map(({ topic }) => topic),
    abandoned: backpressure.isAbandoned(task),
  }));
  expect(rounds).toEqual([
    { topics: ['build.blocked'], abandoned: false },
    { topics: ['build.blocked'], abandoned: false },
    { topics: ['build.blocked', 'build.task.abandoned'], abandoned: true },
    { topics: ['build.blocked'], abandoned: true },
  ]);
});

it('counts blocks per task', () => {
  const backpressure = new Backpressure(WANTED);
  for (const task of ['one', 'two', 'two', 'two']) {
    backpressure.apply([event('build.done')], [event('build.task', task)]);
  }
  expect(['one', 'two'].map((task) => backpressure.isAbandoned(event('build.task', task)))).toEqual([false, true]);
});
