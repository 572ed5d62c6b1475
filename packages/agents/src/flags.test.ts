import { expect, it } from 'vitest';
import { readWords, UnknownFlag } from './flags.js';

const TABLE = {
  model: { value: 'one', short: 'm' },
  title: { value: 'optional' },
  continue: { value: 'none', short: 'c' },
  folder: { value: 'each' },
} as const;
const parse = (...argv: string[]) => {
  const { flags, words } = readWords(argv, TABLE);
  return { flags: Object.fromEntries(flags), words };
};

it('reads long, short and joined flags', () => {
  expect(parse('a', '--model', 'x', '-c', 'b')).toEqual({ flags: { model: 'x', continue: true }, words: ['a', 'b'] });
  expect(parse('-m', 'y', '--title=a=b')).toEqual({ flags: { model: 'y', title: 'a=b' }, words: [] });
});

it('gives a flag whose value is optional none when another flag follows', () => {
  expect(parse('--title', '-c', 'x')).toEqual({ flags: { title: true, continue: true }, words: ['x'] });
});

it('takes everything behind -- as words, and a lone dash too', () => {
  expect(parse('-', '--', '--model')).toEqual({ flags: {}, words: ['-', '--model'] });
});

it('names what it does not know', () => {
  expect(() => parse('--modell=x')).toThrow(UnknownFlag);
  expect(() => parse('-z')).toThrow('unknown flag -z');
});

it('keeps each value of a flag that may be given again', () => {
  const { lists } = readWords(['--folder', 'a', '--folder=b', 'c'], TABLE);
  expect(lists.get('folder')).toEqual(['a', 'b']);
});
