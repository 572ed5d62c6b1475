import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, parse } from '../src/index.js';

test('reads one unit', () => {
  assert.equal(parse('45s'), 45);
});

test('adds units up', () => {
  assert.equal(parse('1d2h3m4s'), 93784);
});

for (const text of ['', 'h', '10', '1h ', '1h-5m', 'x1h']) {
  test('refuses ' + JSON.stringify(text), () => {
    assert.throws(() => parse(text), /not a duration/);
  });
}

test('leaves empty units out', () => {
  assert.equal(format(3600), '1h');
});

test('says zero', () => {
  assert.equal(format(0), '0s');
});

test('refuses negative numbers and fractions', () => {
  assert.throws(() => format(-1), RangeError);
  assert.throws(() => format(1.5), RangeError);
});

test('format is the inverse of parse', () => {
  for (const seconds of [0, 59, 60, 86399, 93784]) assert.equal(parse(format(seconds)), seconds);
});
