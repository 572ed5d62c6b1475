import { expect, it } from 'vitest';
import { readCommandTags, writeCommandTags } from './command-tags.js';

it.each([
  ['plan', 'the parser'],
  ['my-plugin:deep:plan', ''],
])('reads what it writes: /%s %s', (name, args) => {
  expect(readCommandTags(`${writeCommandTags(name, args)}\nBody\n`)).toEqual({ name, args, rest: 'Body' });
});

it('reads a command without arguments, and with spaces between the tags', () => {
  const text = ' <command-message>p:x</command-message> <command-name>/p:x</command-name>';
  expect(readCommandTags(text)).toEqual({ name: 'p:x', args: '', rest: '' });
});

it('finds none in other texts', () => {
  expect(readCommandTags('Say <command-name>/x</command-name>')).toBeUndefined();
});
