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
  expect(scriptIssue({ root }, command)?.reason).toMatch(reason);
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
  expect(scriptIssue({ root }, command)).toBeUndefined();
});

/** A plugin with one script of this text. */
function scriptIn(name: string, text: string): string {
  const root = join(base, name);
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'guard.sh'), text, { mode: 0o755 });
  return root;
}

it.each([
  ['a program that is missing', '#!/usr/bin/env nosuch\nexit 2\n', /no program nosuch on this machine/],
  ['the same behind a flag', '#!/usr/bin/env -S nosuch --now\nexit 2\n', /no program nosuch/],
  ['a path to nothing', '#!/opt/no/such/bash\nexit 2\n', /no program \/opt\/no\/such\/bash/],
  ['line ends of Windows', '#!/bin/sh\r\nexit 2\r\n', /\(CRLF\).*"\/bin\/sh\\r"/],
  [
    'a missing file',
    '#!/bin/sh\nexec "$(dirname "$0")/gone.py" "$@"\n',
    /guard\.sh hands over to gone\.py, which does not/,
  ],
  ['one of the plugin', '#!/bin/sh\nexec node "${CLAUDE_PLUGIN_ROOT}/gone.js"\n', /hands over to gone\.js/],
  ['a missing program behind it', '#!/bin/bash\nexec nosuch --now\n', /hands over to nosuch/],
])('finds a script whose first line, or whose exec, names %s', (name, text, reason) => {
  expect(scriptIssue({ root: scriptIn(`bad ${name}`, text) }, '"${CLAUDE_PLUGIN_ROOT}"/guard.sh')?.reason).toMatch(
    reason,
  );
});

it.each([
  ['a program on the PATH', '#!/usr/bin/env node\n'],
  ['no first line of that kind', 'exit 2\n'],
  ['a program that it looks for first', '#!/bin/sh\ncommand -v nosuch >/dev/null || exit 0\nexec nosuch\n'],
  ['a file that may be missing', '#!/bin/sh\nif true; then\n  exec "$(dirname "$0")/gone.sh"\nfi\n'],
  ['a variable', '#!/bin/sh\nexec "$TOOL" "$@"\n'],
  ['a file that is there', '#!/bin/sh\nexec "$(dirname "$0")/guard.sh"\n'],
])('is content with a script with %s', (name, text) => {
  expect(scriptIssue({ root: scriptIn(`good ${name}`, text) }, '"${CLAUDE_PLUGIN_ROOT}/guard.sh"')).toBeUndefined();
});

it('reads the first line only of a script that is started itself', () => {
  const root = scriptIn('named', '#!/usr/bin/env nosuch\nexit 2\n');
  expect(scriptIssue({ root }, 'sh "${CLAUDE_PLUGIN_ROOT}/guard.sh"')).toBeUndefined();
});

it('does not ask for quotes where no shell is', () => {
  expect(scriptIssue({ root: spaced }, '${CLAUDE_PLUGIN_ROOT}/hooks/check.sh', [])).toBeUndefined();
});
