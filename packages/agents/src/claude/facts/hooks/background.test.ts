import { expect, it } from 'vitest';
import { lateWords } from './background.js';
import { announcesBackground } from './output.js';

const CONTEXT = '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"late","other":1}}';

it('a whole first line of JSON announces it', () => {
  expect(announcesBackground('{"async": true, "asyncTimeout": 180000}\n')).toBe(true);
  expect(announcesBackground('{"async": true}')).toBe(false);
  expect(announcesBackground('{"async": false}\n')).toBe(false);
  expect(announcesBackground('text\n{"async": true}\n')).toBe(false);
});

it('only what is JSON is told later', () => {
  expect(lateWords(`{"async":true}\n${CONTEXT}\n`)).toEqual(['late']);
  expect(lateWords(`words\n${CONTEXT}`)).toEqual(['late']);
  expect(lateWords('{\n"systemMessage":"look"\n}\n')).toEqual(['look']);
  expect(lateWords('plain words\n')).toEqual([]);
});
