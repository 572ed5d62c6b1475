import { expect, it } from 'vitest';
import { HOSTILE, HOSTILE_PARTS, harmfulIn } from '../../../../test/helpers/hostile-text.js';
import { visible, visibleJson, visibleOnOneLine } from './visible.js';

it.each(Object.entries(HOSTILE_PARTS))('makes visible: %s', (_name, part) => {
  expect(harmfulIn(part)).not.toEqual([]);
  expect(harmfulIn(visible(part))).toEqual([]);
  expect(harmfulIn(visibleOnOneLine(part))).toEqual([]);
  expect(visible(part)).toMatch(/\\u\{[0-9a-f]+\}/);
});

it('leaves what a person wrote', () => {
  const text = 'Grüße, 世界 👩‍💻\n\tlevel = "ok"\\n';
  expect(visible(text)).toBe(text);
  expect(visible('one\r\ntwo\r\n')).toBe('one\ntwo\n');
  expect(visibleOnOneLine('one\r\n\ttwo 👩‍💻')).toBe('one\\r\\n\\ttwo 👩‍💻');
});

it('keeps the value of JSON', () => {
  const value = { [HOSTILE]: [HOSTILE, 'two\nlines'] };
  const json = visibleJson(value);
  expect(harmfulIn(json)).toEqual([]);
  expect(JSON.parse(json)).toEqual(value);
});
