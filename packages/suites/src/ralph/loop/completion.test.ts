import { expect, it } from 'vitest';
import { isComplete } from './completion.js';

const PROMISE = 'LOOP_COMPLETE';

it('takes the promise as the last line that is not empty', () => {
  expect(isComplete('All done.\nLOOP_COMPLETE', [], PROMISE)).toBe(true);
  expect(isComplete('All done.\n  LOOP_COMPLETE  \n\n', [], PROMISE)).toBe(true);
});

it('does not take it from the middle of a sentence or from an earlier line', () => {
  expect(isComplete('I will write LOOP_COMPLETE when I am done.', [], PROMISE)).toBe(false);
  expect(isComplete('LOOP_COMPLETE\nbut one more thing', [], PROMISE)).toBe(false);
  expect(isComplete('LOOP_COMPLETED', [], PROMISE)).toBe(false);
});

it('looks past events, and not into them', () => {
  expect(isComplete('LOOP_COMPLETE\n<event topic="note">bye</event>\n', [], PROMISE)).toBe(true);
  expect(isComplete('working\n<event topic="note">LOOP_COMPLETE</event>', [], PROMISE)).toBe(false);
});

it('takes an event of that topic only as the last of its batch', () => {
  expect(isComplete('', [{ topic: 'build.done' }, { topic: PROMISE }], PROMISE)).toBe(true);
  expect(isComplete('', [{ topic: PROMISE }, { topic: 'build.task' }], PROMISE)).toBe(false);
});
