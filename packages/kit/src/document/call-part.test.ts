import { expect, it } from 'vitest';
import { callPart } from './call-part.js';

it('gives what the function gives, and throws what it throws', () => {
  expect(callPart(() => callPart(() => 3) + 1)).toBe(4);
  expect(() =>
    callPart(() => {
      throw new TypeError('no lamp');
    }),
  ).toThrow(new TypeError('no lamp'));
});

it('ends what computes for ever, and what would end the process', () => {
  const { exit } = process;
  expect(() =>
    callPart(() => {
      for (;;);
    }, 100),
  ).toThrow('it had not ended after 0.1 s');
  expect(() => callPart(() => process.exit(0))).toThrow('it called process.exit(0)');
  expect(process.exit).toBe(exit);
});
