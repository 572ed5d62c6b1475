import { expect, it } from 'vitest';
import { redactAll, redactor } from './redact.js';

it('hides the values of secret variables, the longer first, and no others', () => {
  const redact = redactor({ MY_API_KEY: 'hunter2hunter2', OTHER_TOKEN: 'hunter2', HOME: '/home/somebody', AUTH: 'x' });
  expect(redact('hunter2hunter2 hunter2 /home/somebody x')).toBe('[secret] [secret] /home/somebody x');
});

it.each([
  'sk-ant-api03-abcdefghijkl',
  'ksk_abcdef',
  `ghp_${'a'.repeat(36)}`,
  `AIza${'b'.repeat(35)}`,
  'AKIAABCDEFGHIJKLMNOP',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
])('hides what looks like a key: %s', (key) => {
  expect(redactor({})(`before ${key} after`)).toBe('before [secret] after');
});

it('keeps the word that announces a bearer', () => {
  expect(redactor({})('Authorization: Bearer abcdefghijklmnop')).toBe('Authorization: Bearer [secret]');
});

it('leaves ordinary words alone', () => {
  const text = 'ask-anything-you-like, task-list-number-one, skeleton keys, Bearer of bad news';
  expect(redactor({})(text)).toBe(text);
});

it('goes through whole values, names included', () => {
  expect(redactAll({ a: ['ksk_abcdef', 1, null], ksk_abcdef: { b: true } }, redactor({}))).toEqual({
    a: ['[secret]', 1, null],
    '[secret]': { b: true },
  });
});

const secret = 'correct-horse-battery';
const key = 'sk-ant-api03-abcdefghijklmnop';
const twice = (text: string) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64');

it.each([
  ['a value in Base64', Buffer.from(secret).toString('base64')],
  ['a value in the middle of Base64', Buffer.from(`USER=x ${secret} y`).toString('base64')],
  ['a value in Base64 for addresses', Buffer.from(`~~~?${secret}?`).toString('base64url')],
  ['a value in hexadecimal', Buffer.from(secret).toString('hex')],
  ['what looks like a key, in Base64', Buffer.from(`ANTHROPIC_API_KEY=${key}\n`).toString('base64')],
  [
    'what looks like a key, in lines of Base64',
    (
      Buffer.from(`${'PATH=/bin:/usr/bin\n'.repeat(5)}KEY=${key}\n`)
        .toString('base64')
        .match(/.{1,76}/g) ?? []
    ).join('\n'),
  ],
  ['a value in hexadecimal, in capitals', Buffer.from(secret).toString('hex').toUpperCase()],
  ['a value in Base64 twice', twice(secret)],
  ['what looks like a key, in Base64 twice', twice(`KEY=${key}`)],
  ['user and password', `Basic ${Buffer.from('somebody:opensesame').toString('base64')}`],
])('hides %s', (_what, text) => {
  const hidden = redactor({ MY_PASSWORD: secret })(`before ${text} after`);
  expect(hidden).toMatch(/^before (Basic )?\S{0,12}\[secret\]\S{0,12} after$/);
});

const odd = 'a"b/c<d>&e f+g\'h-é';
const bytesOf = (text: string) => Buffer.from(text).toString('hex').match(/../g) ?? [];

it.each([
  ['hexadecimal with spaces', secret, bytesOf(secret).join(' ')],
  [
    'hexadecimal in groups and lines',
    secret,
    bytesOf(secret)
      .join('')
      .replace(/(.{20})/g, '$1\n  '),
  ],
  ['an address', odd, encodeURIComponent(odd)],
  ['an address in lower case', odd, encodeURIComponent(odd).replace(/%../g, (code) => code.toLowerCase())],
  ['HTML', odd, 'a&quot;b/c&lt;d&gt;&amp;e f+g&#39;h-é'],
  ['HTML with numbers', odd, 'a&#34;b&#x2F;c&#60;d&#x3e;&#38;e f&#x2B;g&#x27;h-&#233;'],
  ['JSON', odd, JSON.stringify(odd).slice(1, -1)],
  [
    'short lines of Base64',
    secret,
    (
      Buffer.from(secret)
        .toString('base64')
        .match(/.{1,5}/g) ?? []
    ).join('\n'),
  ],
  [
    'lines of Base64 in JSON',
    secret,
    (
      Buffer.from(secret)
        .toString('base64')
        .match(/.{1,9}/g) ?? []
    ).join('\\n'),
  ],
])('hides a value in %s', (_what, value, text) => {
  const hidden = redactor({ MY_PASSWORD: value })(`before: ${text} after`);
  expect(hidden).toMatch(/^before: \[secret\]\S{0,4} after$/);
});

it('leaves other Base64 alone', () => {
  const image = Buffer.from(Array.from({ length: 600 }, (_, index) => (index * 7919) % 256)).toString('base64');
  expect(redactor({ MY_PASSWORD: secret })(`${image} and/a/long/path/of/folders`)).toBe(
    `${image} and/a/long/path/of/folders`,
  );
});

it('hides a value as long as a file, in Base64 too', () => {
  const long = 'a line of credentials, "quoted"\n'.repeat(4000);
  const redact = redactor({ MY_CREDENTIALS: long });
  for (const text of [long, encodeURIComponent(long), Buffer.from(long).toString('base64')]) {
    expect(redact(`before ${text} after`)).toMatch(/^before \[secret\]\S{0,4} after$/);
  }
});

it('gets through a text of 10 MB without a gap', () => {
  const redact = redactor({ API_KEY: 'hunter2-hunter2' });
  const text = redact(`${'x'.repeat(10_000_000)} hunter2-hunter2 sk-${'y'.repeat(100)}`);
  expect(text.slice(-20)).toBe('x [secret] [secret]'.padStart(20, 'x'));
});

it('knows a text again, but not with other secrets', () => {
  const text = 'the same words, with hunter2hunter2 in them';
  const first = redactor({ MY_TOKEN: 'hunter2hunter2' });
  expect([first(text), first(text)]).toEqual(Array(2).fill('the same words, with [secret] in them'));
  expect(redactor({})(text)).toBe(text);
  expect(redactor({ MY_TOKEN: 'the same words' })(text)).toBe('[secret], with hunter2hunter2 in them');
});
