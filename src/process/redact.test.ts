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
