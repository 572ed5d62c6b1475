import { describe, expect, it } from 'vitest';
import { projectSlug } from '../../claude-code/config-paths.js';
import { resolveModel } from '../../claude-code/models.js';
import { globToRegExp } from '../../claude-code/permissions/path-glob.js';
import { mergeSettings } from '../../claude-code/settings.js';
import { type CommandDefinition, expandCommand } from '../../claude-code/slash-commands.js';

it('files a project under its path', () => {
  expect(projectSlug('/home/me/my.app')).toBe('-home-me-my-app');
  expect(projectSlug(`/${'x'.repeat(300)}`)).not.toBe(projectSlug(`/${'x'.repeat(301)}`));
});

it('knows the short names of models', () => {
  expect(resolveModel('opus')).toBe('claude-opus-5-5');
  expect(resolveModel('sonnet[1m]')).toBe('claude-sonnet-5-5');
  expect(resolveModel('my-model')).toBe('my-model');
});

it.each([
  ['**/*.ts', 'a.ts', true],
  ['**/*.ts', 'x/y/a.ts', true],
  ['src/*.ts', 'src/x/a.ts', false],
  ['*.{js,ts}', 'a.ts', true],
  ['a?c', 'abc', true],
  ['[!a]b', 'cb', true],
  ['x.ts', 'xats', false],
])('the glob %s on %s is %s', (glob, path, fits) => {
  expect(globToRegExp(glob).test(path)).toBe(fits);
});

describe('settings', () => {
  const file = (settings: object) => ({
    source: 'userSettings' as const,
    root: '/',
    settings: settings as Record<string, unknown>,
  });

  it('are joined: the later wins, lists add up', () => {
    expect(
      mergeSettings([
        file({ model: 'a', permissions: { allow: ['x'] } }),
        file({ model: 'b', permissions: { allow: ['y'] } }),
      ]),
    ).toEqual({ model: 'b', permissions: { allow: ['x', 'y'] } });
  });
});

describe('a command', () => {
  const command = (body: string): CommandDefinition => ({
    name: 'c',
    kind: 'command',
    source: 'project',
    description: '',
    argumentHint: '',
    allowedTools: [],
    body,
  });
  const expand = (body: string, args: string): string => expandCommand(command(body), args, (line) => `ran ${line}`);

  it('is given its arguments, all or one by one', () => {
    expect(expand('all $ARGUMENTS, first $0, second $1', 'a b')).toBe('all a b, first a, second b');
    expect(expand('one $ARGUMENTS[1]', 'a b')).toBe('one b');
  });

  it('that asks for none gets them at its end', () => {
    expect(expand('body', 'a b')).toBe('body\n\nARGUMENTS: a b');
    expect(expand('body', '')).toBe('body');
  });

  it('runs what is in backquotes after an exclamation mark', () => {
    expect(expand('now: !`echo run`', '')).toBe('now: ran echo run');
  });
});
