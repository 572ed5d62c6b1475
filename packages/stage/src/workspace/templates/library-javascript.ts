import type { Template } from './template.js';

const durations = `const UNITS = { d: 86400, h: 3600, m: 60, s: 1 };

/** Gives the seconds of a text such as "1h30m"; throws when it is none. */
export function parse(text) {
  if (!/^(\\d+[dhms])+$/.test(text)) throw new RangeError('not a duration: ' + JSON.stringify(text));
  let seconds = 0;
  for (const [, count, unit] of text.matchAll(/(\\d+)([dhms])/g)) seconds += Number(count) * UNITS[unit];
  return seconds;
}

/** Gives the shortest text for a number of seconds. */
export function format(seconds) {
  if (!Number.isInteger(seconds) || seconds < 0) throw new RangeError('a duration is a whole number of seconds');
  let rest = seconds;
  let text = '';
  for (const [unit, size] of Object.entries(UNITS)) {
    const count = Math.floor(rest / size);
    rest %= size;
    if (count > 0) text += count + unit;
  }
  return text || '0s';
}
`;

const tests = `import assert from 'node:assert/strict';
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
`;

/** Durations as text, a library without dependencies. */
export const libraryJavascript: Template = {
  files: ({ title, slug }) => ({
    'README.md': `# ${title}\n\nReads and writes durations.\n\n\`\`\`js\nparse('1h30m'); // 5400\nformat(5400); // '1h30m'\n\`\`\`\n\nTest: \`npm test\`\n`,
    '.gitignore': 'node_modules/\n',
    'package.json': `${JSON.stringify(
      {
        name: slug,
        version: '0.1.0',
        type: 'module',
        exports: './src/index.js',
        files: ['src'],
        engines: { node: '>=20' },
        scripts: { test: 'node --test' },
      },
      null,
      2,
    )}\n`,
    'src/durations.js': durations,
    'src/index.js': "export { format, parse } from './durations.js';\n",
    'test/durations.test.js': tests,
  }),
  testCommand: ['node', '--test'],
};
