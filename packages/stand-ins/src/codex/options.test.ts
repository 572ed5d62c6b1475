import { expect, it } from 'vitest';
import { border } from './border.js';
import { readArguments } from './options.js';

it.each([
  [['exec', '--oss', 'x'], '--oss'],
  [['exec', '-i', 'a.png', 'x'], '--image'],
  [['exec', '-p', 'work', 'x'], '--profile'],
  [['exec', '--color=always', 'x'], 'in color'],
])('refuses %j by name, and knows its prompt', (argv, what) => {
  expect(readArguments(argv)).toMatchObject({ options: { prompt: 'x', refused: expect.stringContaining(what) } });
});

it.each([
  ['exec', 'fork'],
  ['exec', 'review'],
  ['codex', 'review'],
  ['codex', 'mcp'],
])('refuses %s %s', (above, command) => {
  const asked = readArguments(above === 'codex' ? [command] : [above, command]);
  expect(asked).toMatchObject({ kind: 'refused', what: expect.stringContaining(command) });
});

it('lists flags by what becomes of them', () => {
  const { played, ignored, refused } = border.names.flag ?? {};
  expect([played, ignored, refused]).toEqual([
    expect.arrayContaining(['--output-last-message', '-o']),
    expect.arrayContaining(['--search']),
    expect.arrayContaining(['--profile', '-p']),
  ]);
});

it('takes what an inner command says before what an outer one says', () => {
  const asked = readArguments(['-m', 'a', '-s', 'read-only', 'exec', '-m', 'b', 'resume', '-m', 'c', '--last', 'go']);
  expect(asked).toMatchObject({
    kind: 'exec',
    options: { model: 'c', sandbox: 'read-only', prompt: 'go', resume: { last: true, all: false } },
  });
});

it('knows the names that the help of Codex does not show', () => {
  expect(readArguments(['exec', '--yolo', '--experimental-json', 'x'])).toMatchObject({
    options: { sandbox: 'danger-full-access', skipGitCheck: true, json: true, prompt: 'x' },
  });
});

it('reads short flags in one word, and values behind an equals sign', () => {
  expect(readArguments(['exec', '-mgpt', '--cd=sub', '-c=model_verbosity="low"', 'x'])).toMatchObject({
    options: { model: 'gpt', cd: 'sub', prompt: 'x' },
  });
});
