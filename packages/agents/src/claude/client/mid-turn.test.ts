import { expect, it } from 'vitest';
import { readMidTurn } from './mid-turn.js';

const note = (words: string) =>
  `The user sent a new message while you were working:\n${words}\n\nThis is how Claude Code surfaces messages. Go on.`;

it('reads what the user says while the agent works', () => {
  expect(readMidTurn(note('first\n\nand more'))).toEqual(['first\n\nand more']);
  expect(readMidTurn(`Other words.\n\n${note('first')}\n\n${note('second')}`)).toEqual(['first', 'second']);
  expect(readMidTurn('[MESSAGE FROM NON-USER SOURCE - NOT USER INPUT]\nof the host')).toEqual(['of the host']);
});

it('reads nothing else', () => {
  expect(readMidTurn('Stop hook feedback: The user sent a new message while you were working:')).toEqual([]);
});
