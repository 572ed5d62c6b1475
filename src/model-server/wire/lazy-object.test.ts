import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isBlankList, parseLazily } from './lazy-object.js';

const padding = 'x'.repeat(9000);

it('reads a large object as JSON.parse does, whatever is in it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 1, 2), (value, indent) => {
      const text = JSON.stringify({ padding, ...value }, null, indent);
      expect({ ...(parseLazily(Buffer.from(text)) as object) }).toEqual({ ...JSON.parse(text) });
    }),
    { numRuns: 500 },
  );
});

it('refuses a large text that is cut off or has something behind its end', () => {
  const text = JSON.stringify({ padding, list: [1, { a: 'b"\\' }] });
  for (const broken of [text.slice(0, -1), text.slice(0, -4), `${text}x`, `[${text}`, text.replace(':', ' ')]) {
    expect(() => parseLazily(Buffer.from(broken)), broken.slice(-20)).toThrow(SyntaxError);
  }
});

it('finds a mistake in a long value when that value is looked at', () => {
  const body = parseLazily(Buffer.from(`{"good":1,"bad":[${'nope,'.repeat(3000)}1]}`)) as Record<string, unknown>;
  expect(body['good']).toBe(1);
  expect(() => body['bad']).toThrow(SyntaxError);
});

it('tells an empty list from a long one without parsing it', () => {
  const body = parseLazily(
    Buffer.from(`{"padding":"${padding}","none":[],"broken":[${'nope,'.repeat(3000)}1]}`),
  ) as Record<string, unknown>;
  expect(isBlankList(body, 'none')).toBe(true);
  expect(isBlankList(body, 'absent')).toBe(true);
  expect(isBlankList(body, 'broken')).toBe(false);
});

it('keeps a key that means something to objects', () => {
  const body = parseLazily(Buffer.from(`{"__proto__":{"a":1},"padding":"${padding}"}`)) as object;
  expect(Object.keys(body)).toEqual(['__proto__', 'padding']);
  expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
});
