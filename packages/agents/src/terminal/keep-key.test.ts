import { expect, it } from 'vitest';
import { takeKeepKey } from './keep-key.js';

it.each([
  ['one byte', 'a\u001cb', 'ab', true],
  ['kitty’s protocol', '\u001b[92;5u', '', true],
  ['kitty’s protocol with num lock and another layout', '\u001b[92:35;133:1u', '', true],
  ['xterm’s other keys', '\u001b[27;5;92~x', 'x', true],
  ['a release of the key', '\u001b[92;5:3u', '', false],
  ['another key', '\u001b[93;5u\u001b[A\r', '\u001b[93;5u\u001b[A\r', false],
  ['the same key with Alt', '\u001b[92;3u', '\u001b[92;3u', false],
])('knows the key as %s', (_, typed, rest, pressed) => {
  expect(takeKeepKey(typed)).toEqual({ rest, pressed });
});
