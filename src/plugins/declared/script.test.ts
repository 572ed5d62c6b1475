import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { scriptIssue } from './script.js';

const base = mkdtempSync(join(tmpdir(), 'understudy-script-'));
afterAll(() => rmSync(base, { recursive: true }));

function pluginAt(name: string): string {
  const root = join(base, name);
  mkdirSync(join(root, 'hooks'), { recursive: true });
  writeFileSync(join(root, 'hooks', 'check.sh'), '#!/bin/sh\n');
  chmodSync(join(root, 'hooks', 'check.sh'), 0o755);
  return root;
}

const plain = pluginAt('plain');
const spaced = pluginAt('with space');

it.each([
  ['a program that is nowhere', plain, 'no-such-program-1 --now', /no-such-program-1, which does not exist/],
  ['one behind a variable', plain, 'MODE=x no-such-program-1', /does not exist on this machine/],
  ['an absolute path to nothing', plain, '/no/such/program', /does not exist on this machine/],
  ['a path of the plugin, taken from the project', plain, './hooks/check.sh', /looks for in the user's project/],
  ['the same behind an interpreter', plain, 'bash hooks/check.sh', /looks for in the user's project/],
  ['a path with a space', spaced, '${CLAUDE_PLUGIN_ROOT}/hooks/check.sh', /not in quotes/],
  ['the same behind an interpreter, with a space', spaced, 'sh $CLAUDE_PLUGIN_ROOT/hooks/check.sh', /not in quotes/],
])('finds %s', (_what, root, command, reason) => {
  expect(scriptIssue(root, command)?.reason).toMatch(reason);
});

it.each([
  ['quotes around a path with a space', spaced, '"${CLAUDE_PLUGIN_ROOT}/hooks/check.sh"'],
  ['quotes around the variable only', spaced, 'sh "$CLAUDE_PLUGIN_ROOT"/hooks/check.sh'],
  ['no quotes where there is no space', plain, '${CLAUDE_PLUGIN_ROOT}/hooks/check.sh'],
  ['what the shell does itself', plain, 'if true; then echo yes; fi'],
  ['a program that may be missing', plain, 'no-such-program-1 || true'],
  ['a script of the project', plain, './scripts/lint.sh'],
  ['a file of the project beside one of the plugin', plain, 'grep -q x hooks/check.sh'],
  ['a program on the PATH', plain, 'node -e "0"'],
])('is content with %s', (_what, root, command) => {
  expect(scriptIssue(root, command)).toBeUndefined();
});

it('does not ask for quotes where no shell is', () => {
  expect(scriptIssue(spaced, '${CLAUDE_PLUGIN_ROOT}/hooks/check.sh', [])).toBeUndefined();
});
