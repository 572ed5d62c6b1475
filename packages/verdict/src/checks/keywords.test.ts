import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkKeywords, keywordsResultSchema } from './keywords.js';
import { hasPassed } from './result.js';

it('finds words in all their forms', () => {
  const result = checkKeywords("I'll systematically investigate the codebase.", [
    'systematic',
    'investigation',
    'plan',
  ]);
  expect(result).toMatchObject({ status: 'passed', found: ['systematic', 'investigation'], missing: ['plan'] });
  expect(result.matchRatio).toBeCloseTo(2 / 3);
  expect(keywordsResultSchema.parse(result)).toEqual(result);
});

it('does not find a word inside another one', () => {
  const result = checkKeywords('Here is an explanation of the planet.', ['plan']);
  expect(result.status).toBe('failed');
  expect(result.suggestion).toContain('only inside another word');
});

it('finds it there when asked to', () => {
  expect(checkKeywords('an explanation', ['plan'], { match: 'substring' }).status).toBe('passed');
});

it('knows exact words', () => {
  expect(checkKeywords('systematically', ['systematic'], { match: 'exact' }).status).toBe('failed');
  expect(checkKeywords('so systematic!', ['systematic'], { match: 'exact' }).status).toBe('passed');
});

it('wants all of them when told so', () => {
  const text = 'The strategy has three steps.';
  expect(checkKeywords(text, ['strategy', 'step'], { require: 'all' }).status).toBe('passed');
  const result = checkKeywords(text, ['strategy', 'risk'], { require: 'all' });
  expect(result).toMatchObject({ status: 'failed', found: ['strategy'], missing: ['risk'], matchRatio: 0.5 });
});

it('counts a denied word unless told otherwise', () => {
  const text = 'This was not systematic.';
  expect(checkKeywords(text, ['systematic']).status).toBe('passed');
  const result = checkKeywords(text, ['systematic'], { skipNegated: true });
  expect(result).toMatchObject({ status: 'failed', matchRatio: 0 });
  expect(result.evidence[0]).toContain('systematic is denied');
  expect(checkKeywords(`${text} Now it is systematic.`, ['systematic'], { skipNegated: true }).status).toBe('passed');
});

it.each([
  ['0 tests passed.', 'passed'],
  ['None of the tests passed.', 'passed'],
  ['I failed to investigate.', 'investigate'],
  ['I refuse to investigate.', 'investigate'],
  ['Nobody investigated.', 'investigate'],
  ['Investigation: not done.', 'investigation'],
])('hears the denial in: %s', (text, word) => {
  expect(checkKeywords(text, [word], { skipNegated: true }).status).toBe('failed');
});

it.each([
  ['This cannot be more systematic.', 'systematic'],
  ['10 of 10 tests passed, 0 failed.', 'passed'],
  ['Nothing but a systematic search helps.', 'systematic'],
])('hears no denial in: %s', (text, word) => {
  expect(checkKeywords(text, [word], { skipNegated: true }).status).toBe('passed');
});

it('heeds case when told so', () => {
  expect(checkKeywords('the css file', ['CSS']).status).toBe('passed');
  expect(checkKeywords('the css file', ['CSS'], { caseSensitive: true }).status).toBe('failed');
  expect(checkKeywords('Planning now', ['Plan'], { caseSensitive: true }).status).toBe('passed');
});

it.each([
  ['pixel-perfect', 'It is pixel perfect now.', true],
  ['code-exploration', 'using code-exploration skills', true],
  ['test first', 'We test. First of all, coffee.', false],
  ['C++', 'written in C++', true],
  ['测试', '先写 测试 再写代码', true],
])('matches the phrase %s in %j: %s', (keyword, text, passed) => {
  expect(hasPassed(checkKeywords(text, [keyword]))).toBe(passed);
});

it.each([[[]], [['']], [['plan', ' ']]])('refuses to check for %j', (keywords) => {
  expect(() => checkKeywords('text', keywords)).toThrow(expect.objectContaining({ code: 'CHECK_NO_KEYWORDS' }));
});

it('adds up, whatever the text', () => {
  const words = fc.uniqueArray(fc.constantFrom('plan', 'test', 'code', 'commit', 'explore'), { minLength: 1 });
  fc.assert(
    fc.property(fc.string(), words, (text, keywords) => {
      const any = checkKeywords(text, keywords);
      const all = checkKeywords(text, keywords, { require: 'all' });
      expect([...any.found, ...any.missing].sort()).toEqual([...keywords].sort());
      expect(any.matchRatio).toBe(any.found.length / keywords.length);
      expect(hasPassed(all)).toBe(any.missing.length === 0);
      if (hasPassed(all)) expect(any.status).toBe('passed');
    }),
  );
});
