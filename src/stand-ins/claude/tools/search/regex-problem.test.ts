import { expect, it } from 'vitest';
import { describeRegexProblem } from './regex-problem.js';

it.each(['a{2', 'interface{}', '(?=two)', '(one)\\1', '*a', 'a|*b'])('knows that ripgrep refuses %s', (pattern) => {
  expect(describeRegexProblem(pattern, undefined)).toContain(`    (?:${pattern})\n`);
});

it.each(['[{}]', 'x[{}]+', '[(*]', '[]{}]', '[^{}]', '\\{\\}', '\\[{1}', 'a{2}', 'a*?'])(
  'has nothing to say of %s',
  (pattern) => {
    expect(describeRegexProblem(pattern, undefined)).toBeUndefined();
  },
);
