import { expect, it } from 'vitest';
import { tellingLine } from './telling-line.js';

it.each([
  [
    'Error: Bun not found. Please install Bun\n  https://bun.sh\nAfter installation, restart your terminal.\n',
    /^Error: Bun/,
  ],
  [
    "node:internal/modules:1\n  throw err;\n  ^\n\nError: Cannot find module 're2js'\n    at x (y:1:2)\n\nNode.js v20",
    /^Error: Cannot/,
  ],
  [
    'Traceback (most recent call last):\n  File "x.py", line 1\n    raise ValueError("no")\nValueError: no\n',
    /^ValueError: no$/,
  ],
  ['/bin/sh: 1: nodee: not found\n', /nodee: not found$/],
  ['starting\n  [db] connection failed\nbye\n', /^\[db\] connection failed$/],
  ['one\ntwo\n', /^one$/],
])('finds the line that tells what went wrong in %j', (stderr, line) => {
  expect(tellingLine(stderr)).toMatch(line);
});

it('tells nothing where nothing was written', () => {
  expect(tellingLine('\n \n')).toBeUndefined();
});
