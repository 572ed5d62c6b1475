import { expect, it } from 'vitest';
import { jsonComplaint } from './json-complaint.js';

/** All seen in the pinned Claude Code. */
it.each([
  ['{', "Expected '}'"],
  ['{"name": 1', "Expected '}'"],
  ['{"type":', 'Unexpected EOF'],
  ['{"a', 'Unterminated string'],
  ['x', 'Unexpected identifier "x"'],
])('says of %s: %s', (text, complaint) => {
  expect(jsonComplaint(text)).toBe(`JSON Parse error: ${complaint}`);
});
