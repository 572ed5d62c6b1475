import { expect, it } from 'vitest';
import { announcesBackground, backgroundContext } from './background.js';

const CONTEXT = '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"late"}}';

it('a whole first line of JSON announces it', () => {
  expect(announcesBackground('{"async": true, "asyncTimeout": 180000}\n')).toBe(true);
  expect(announcesBackground('{"async": true}')).toBe(false);
  expect(announcesBackground('{"async": false}\n')).toBe(false);
  expect(announcesBackground('text\n{"async": true}\n')).toBe(false);
});

it('only JSON context is told later', () => {
  expect(backgroundContext(`{"async":true}\n${CONTEXT}\n`)).toBe('late');
  expect(backgroundContext(CONTEXT)).toBe('late');
  expect(backgroundContext('plain words\n')).toBeUndefined();
});
