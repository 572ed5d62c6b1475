import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CONVENTIONAL_TYPES, checkConventionalCommit, conventionalCommitResultSchema } from './conventional-commit.js';

it('takes a message apart', () => {
  const result = checkConventionalCommit('feat(auth)!: add the login page\n\nBecause people asked.');
  expect(result).toMatchObject({
    status: 'passed',
    parts: { type: 'feat', scope: 'auth', breaking: true, description: 'add the login page' },
  });
  expect(conventionalCommitResultSchema.parse(result)).toEqual(result);
});

it.each([
  'fix: x',
  'test: add user auth tests',
  'chore(deps): update',
  'docs!: drop a page',
  'fix: a\r\n\r\nbody',
  'fix: a\n',
])('accepts %j', (message) => {
  expect(checkConventionalCommit(message)).toMatchObject({ status: 'passed' });
});

it.each([
  ['add the login page', 'does not begin with "type: "'],
  ['Feat: add it', 'not in lower case'],
  ['feature: add it', 'not one of the types'],
  ['feat:add it', 'one space'],
  ['feat:  add it', 'one space'],
  ['feat: ', 'no description'],
  ['feat(): add it', 'scope is empty'],
  ['feat (auth): add it', 'does not begin'],
  ['feat: add it\nBody at once', 'no empty line'],
  ['Merge branch "main"', 'does not begin'],
  ['', 'does not begin'],
])('refuses %j: %s', (message, why) => {
  const result = checkConventionalCommit(message);
  expect(result.status).toBe('failed');
  expect(result.actual).toContain(why);
});

it('takes other types and a limit', () => {
  expect(checkConventionalCommit('visual: smaller buttons').status).toBe('failed');
  expect(checkConventionalCommit('visual: smaller buttons', { types: ['visual'] }).status).toBe('passed');
  expect(checkConventionalCommit('fix: 12345', { longestSubject: 10 }).status).toBe('passed');
  expect(checkConventionalCommit('fix: 123456', { longestSubject: 10 }).status).toBe('failed');
});

it('sees a breaking change in the footer', () => {
  expect(checkConventionalCommit('fix: a\n\nBREAKING CHANGE: b').parts?.breaking).toBe(true);
  expect(checkConventionalCommit('fix: a\n\nno breaking change: b').parts?.breaking).toBe(false);
});

it('accepts every message that is built by the rules', () => {
  const text = fc.stringMatching(/^[a-z][a-z ]{0,30}[a-z]$/);
  const scope = fc.option(fc.stringMatching(/^[a-z-]{1,10}$/), { nil: undefined });
  fc.assert(
    fc.property(
      fc.constantFrom(...CONVENTIONAL_TYPES),
      scope,
      fc.boolean(),
      text,
      (type, scope, breaking, description) => {
        const message = `${type}${scope === undefined ? '' : `(${scope})`}${breaking ? '!' : ''}: ${description}`;
        expect(checkConventionalCommit(message)).toMatchObject({
          status: 'passed',
          parts: { type, breaking, description },
        });
      },
    ),
  );
});
