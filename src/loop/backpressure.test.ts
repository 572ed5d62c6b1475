import { expect, it } from 'vitest';
import { applyBackpressure, missingEvidence } from './backpressure.js';
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
  const { events } = applyBackpressure(
    [event('build.done', 'lint: pass')],
    [event('build.task', 'the parser')],
    WANTED,
    {},
  );
  expect(events).toEqual([
    event('build.blocked', 'the parser\nbuild.done lacks evidence: `tests: pass`, `typecheck: pass`'),
  ]);
});

it('leaves work with evidence and all other events alone', () => {
  const written = [event('build.done', 'tests: pass, lint: pass, typecheck: pass'), event('review.done')];
  expect(applyBackpressure(written, [], WANTED, {})).toEqual({ events: written, counts: {} });
});

it('abandons a task when it is blocked for the third time, and only then', () => {
  let counts = {};
  const topics = [1, 2, 3, 4].map(() => {
    const result = applyBackpressure([event('build.done')], [event('build.task', 'the parser')], WANTED, counts);
    counts = result.counts;
    return result.events.map(({ topic }) => topic);
  });
  expect(topics).toEqual([
    ['build.blocked'],
    ['build.blocked'],
    ['build.blocked', 'build.task.abandoned'],
    ['build.blocked'],
  ]);
});

it('counts blocks per task', () => {
  const first = applyBackpressure([event('build.done')], [event('build.task', 'one')], WANTED, { two: 2 });
  expect(first.counts).toEqual({ one: 1, two: 2 });
});
