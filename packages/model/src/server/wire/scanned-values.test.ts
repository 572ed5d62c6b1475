import { skipValue } from '@understudy/kit';
import { expect, it } from 'vitest';
import { seeded } from '../../../../../test/helpers/seeded.js';
import { ScannedValues } from './scanned-values.js';

const LONG = 'as "long" as a message \\ with [brackets} — is. '.repeat(30);

it('finds the ends that a scan finds, whatever came before', () => {
  const random = seeded(16);
  const pick = (most: number): number => Math.floor(random() * most);
  const known = new ScannedValues();
  let list: unknown[] = [];
  let checked = 0;
  for (let times = 0; times < 500; times++) {
    const kept = list.slice(0, pick(list.length + 2));
    list = [
      ...kept,
      ...Array.from({ length: pick(4) }, () => ({ text: LONG.slice(0, pick(LONG.length)), at: pick(9) })),
    ];
    const value = [list, { list }, LONG.slice(pick(9)), pick(10) ** 9][pick(4)];
    const text = JSON.stringify(value, undefined, pick(3));
    const name = ['messages', 'tools'][pick(2)] ?? '';
    const before = 'x'.repeat(pick(5));
    const extent = known.skip(name, Buffer.from(`${before}${text},"more":1}`), before.length, 1);
    expect(extent.to - before.length).toBe(Buffer.byteLength(text));
    if (!Array.isArray(value) || extent.ends === undefined) continue;
    expect(extent.ends).toEqual(endsOf(text, value));
    checked++;
  }
  expect(checked).toBeGreaterThan(50);
});

/** Where the elements of a list are, by cutting them out. */
function endsOf(text: string, list: readonly unknown[]): number[] {
  const bytes = Buffer.from(text);
  let at = 1;
  return list.map((_, place) => {
    while (/[\s,]/.test(String.fromCharCode(bytes[at] ?? 0))) at++;
    at = skipValue(bytes, at);
    expect(JSON.parse(bytes.subarray(0, at).toString().concat(']'))).toHaveLength(place + 1);
    return at;
  });
}

it('does not scan again what it knows: the ends are those of before', () => {
  const known = new ScannedValues();
  const text = JSON.stringify([LONG, { text: LONG }]);
  const first = known.skip('tools', Buffer.from(`${text}}`), 0, 1);
  const again = known.skip('tools', Buffer.from(`  ${text}}`), 2, 1);
  expect(again.ends).toBe(first.ends);
  expect(known.skip('other', Buffer.from(`${text}}`), 0, 1).ends).not.toBe(first.ends);
});

it('knows a few values of a name, and of a few names', () => {
  const known = new ScannedValues();
  const listOf = (number: number) => Buffer.from(`${JSON.stringify([number, LONG])}}`);
  const endsOfList = (name: string, number: number) => known.skip(name, listOf(number), 0, 1).ends;
  const first = endsOfList('tools', 0);
  expect(endsOfList('tools', 0)).toBe(first);
  for (let number = 1; number <= 8; number++) endsOfList('tools', number);
  expect(endsOfList('tools', 0)).not.toBe(first);
  for (let number = 0; number < 20; number++) endsOfList(`name ${number}`, 0);
  expect(endsOfList('name 19', 0)).not.toBe(endsOfList('name 19', 0));
});

it('does not take the beginning of a longer number, or of a text that goes on, for the whole', () => {
  const known = new ScannedValues();
  const digits = '1'.repeat(2000);
  const skip = (text: string) => known.skip('n', Buffer.from(`${text}}`), 0, 1).to;
  expect([skip(digits), skip(`${digits}23`)]).toEqual([2000, 2002]);
  expect([skip(`"${digits}"`), skip(`"${digits}\\"more"`)]).toEqual([2002, 2008]);
});

it.each(['[1,2', `[${'[],'.repeat(300)}`, `{"a":"${LONG}`, '"x'])('says that %s does not end', (text) => {
  const known = new ScannedValues();
  for (let times = 0; times < 2; times++) expect(known.skip('n', Buffer.from(text), 0, 1).to).toBe(-1);
});
