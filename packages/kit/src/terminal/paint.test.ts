import { expect, it } from 'vitest';
import { HOSTILE, harmfulIn } from '../../../../test/helpers/hostile-text.js';
import { createPaint, forTerminal } from './paint.js';

const paint = createPaint(true);

it('prints our colors, one inside another', () => {
  const line = paint.red(`a ${paint.green('b')} c`);
  expect(forTerminal(line)).toBe('\u001B[31ma \u001B[32mb\u001B[39m\u001B[31m c\u001B[39m');
});

it('prints no color and no code of the text itself', () => {
  const printed = forTerminal(`${paint.bold(HOSTILE)} \u001B[32mpassed\u001B[39m`);
  expect(harmfulIn(printed)).toEqual([]);
  expect(printed.startsWith('\u001B[1m\\u{1b}]52')).toBe(true);
  expect(printed).toContain('\\u{1b}[32mpassed');
});
