import { expect, it } from 'vitest';
import { isNegated } from './negation.js';
import { wordsOf } from './words.js';

function negated(text: string, word: string): boolean {
  const words = wordsOf(text);
  return isNegated(
    text,
    words,
    words.findIndex(({ plain }) => plain === word),
  );
}

it.each([
  'This is not systematic.',
  'It isn’t really very systematic.',
  'There is no systematic order.',
  'We did this without any systematic order.',
  'I would never call it systematic.',
  'A guess rather than systematic work.',
  'A guess instead of a systematic search.',
  'This is not yet systematic.',
  'Neither quick nor systematic.',
  'There is no need to be systematic.',
  'This is un-systematic.',
])('hears the denial in: %s', (text) => {
  expect(negated(text, 'systematic')).toBe(true);
});

it.each([
  'This is systematic.',
  'No, this is systematic.',
  'Not only systematic but quick.',
  'It is not just systematic.',
  'It is not quick, it is systematic.',
  'It is not quick but systematic.',
  'I could not find it. A systematic search follows.',
  'Not without systematic work.',
  'Why not be systematic?',
  'Do not forget to be systematic.',
  'If you have no questions the systematic search begins.',
  'There is no doubt that it is systematic.',
  'Nothing was skipped in this systematic search.',
  'I cannot see the file you named so I start a systematic search.',
])('hears no denial in: %s', (text) => {
  expect(negated(text, 'systematic')).toBe(false);
});
