import { MAX_JSON_DEPTH } from '@understudy/kit';
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

it('takes white space around a large object', () => {
  const body = parseLazily(
    Buffer.from(`\n {"padding":"${padding}","late":[${'nope,'.repeat(3000)}1]} \r\n\t`),
  ) as object;
  // Parsed whole, the mistake in it would have been found.
  expect(Object.keys(body)).toEqual(['padding', 'late']);
});

it('keeps a key that means something to objects', () => {
  const body = parseLazily(Buffer.from(`{"__proto__":{"a":1},"padding":"${padding}"}`)) as object;
  expect(Object.keys(body)).toEqual(['__proto__', 'padding']);
  expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
});

const nested = (depth: number, inside = '') => `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`;

it('refuses what is nested too deeply, in a small body and in a large one', () => {
  for (const inside of ['', `"${padding}"`]) {
    const text = nested(MAX_JSON_DEPTH, inside);
    expect(parseLazily(Buffer.from(text))).toEqual(JSON.parse(text));
    expect(() => parseLazily(Buffer.from(`[${text}]`))).toThrow(/nested deeper than 128 levels/);
  }
  expect(() => parseLazily(Buffer.from(`{"a":"\\"[[","b":${nested(MAX_JSON_DEPTH)}}`))).toThrow(/nested deeper/);
  expect(parseLazily(Buffer.from(`"${'['.repeat(1000)}"`))).toBe('['.repeat(1000));
});

it.each([
  ['never closed', '['.repeat(10_000_000)],
  ['closed', nested(5_000_000)],
])('refuses 10 MB of deep nesting without reading it all: %s', (_name, text) => {
  const bytes = Buffer.from(text);
  const started = process.cpuUsage();
  expect(() => parseLazily(bytes)).toThrow(SyntaxError);
  expect(processorMs(started)).toBeLessThan(100);
});

it.each([
  ['as deep as allowed, many times', `[${`${nested(MAX_JSON_DEPTH - 1)},`.repeat(4000)}1]`],
  ['as deep as allowed, around a large text', nested(MAX_JSON_DEPTH, `"${'x'.repeat(1_000_000)}"`)],
  ['a list of small values', `{"messages":[${'[],'.repeat(300_000)}1]}`],
  ['an object of small values', `{"messages":{${'"a":1,'.repeat(150_000)}"b":1}}`],
])('needs little more time than JSON.parse: %s', (_name, text) => {
  const bytes = Buffer.from(text);
  const parsing = fastest(() => JSON.parse(bytes.toString('utf8')));
  const lazily = fastest(() => (parseLazily(bytes) as { messages?: unknown }).messages);
  expect(lazily).toBeLessThan(4 * parsing + 20);
});

function fastest(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const started = process.cpuUsage();
    work();
    return processorMs(started);
  });
  return Math.min(...times);
}

/** Processor time, which does not grow because the machine has other things to do. */
function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
