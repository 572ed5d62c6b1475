import { expect, it } from 'vitest';
import { readArguments } from './options.js';

it.each([
  [['exec', '--oss', 'x'], '--oss'],
  [['exec', '-i', 'a.png', 'x'], '--image'],
  [['exec', '--worktree', 'x'], '--worktree'],
  [['exec', 'fork', 'id'], '`codex exec fork`'],
  [['mcp', 'login', 'x'], '`codex mcp login`'],
  [['mcp', 'add', 'x', '--oauth-client-id', 'y', '--url', 'z'], '--oauth-client-id'],
])('refuses %j by name', (argv, what) => {
  expect(readArguments(argv)).toEqual({ kind: 'refused', what });
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
