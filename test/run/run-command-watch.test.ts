import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Terminal } from '../../packages/agents/src/terminal/terminal.js';
import { scrubbedEnvironment } from '../../packages/kit/src/process/environment.js';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { type RunningUnderstudy, startUnderstudy } from '../helpers/running-understudy.js';
import { UNDERSTUDY } from '../helpers/understudy.js';

let scratch: Scratch;
let running: RunningUnderstudy | undefined;
let terminal: Terminal | undefined;
beforeEach(() => {
  scratch = createScratch('watch-command');
});
afterEach(async () => {
  running?.signal('SIGKILL');
  await running?.exited;
  await terminal?.end();
  [running, terminal] = [undefined, undefined];
  await scratch.remove();
});

const COMMAND = `name = "the command"
plugins = [".."]
[[responses]]
pattern = { type = "command", name = "hi" }
response = "Hi."
[[steps]]
send = "/greeter:hi"
[steps.expect]
command = { expands_to = "Say hi" }
`;

it('runs again what a changed file touches, survives a broken file, and ends with 130', async () => {
  writeFiles(scratch.path, {
    '.claude-plugin/plugin.json': '{ "name": "greeter" }',
    'commands/hi.md': 'Say hi.\n',
    'rehearsals/command.rehearsal.toml': COMMAND,
    'rehearsals/greeting.rehearsal.toml': greeting(),
  });
  running = startUnderstudy(['run', '--stage', 'sim', '--watch'], { cwd: scratch.path });
  const first = await running.says(/watching; Ctrl-C ends/);
  expect(first).toContain('2 passed');

  writeFiles(scratch.path, { 'commands/hi.md': 'Say good morning.\n' });
  const second = await running.says(/watching; Ctrl-C ends/);
  expect(second).toContain('changed: commands/hi.md');
  expect(second).toContain('✗ the command');
  expect(second).toContain('1 failed');
  expect(second).not.toContain('a greeting');

  writeFiles(scratch.path, { 'rehearsals/greeting.rehearsal.toml': 'steps = [' });
  await running.says(/greeting\.rehearsal\.toml:1:\d+ this is not valid TOML[\s\S]*watching; Ctrl-C ends/);

  writeFiles(scratch.path, { 'commands/hi.md': 'Say hi again.\n', 'rehearsals/greeting.rehearsal.toml': greeting() });
  await running.says(/2 passed[\s\S]*watching; Ctrl-C ends/);

  // A check of the user is another part, and is imported anew.
  const house = (passed: boolean) =>
    `export default { understudy: 'check/1', fields: { lit: { description: 'x', expects: 'boolean', judge: () => ({ passed: ${passed}, expected: 'light', seen: '${passed}' }) } } };`;
  const named = `${greeting({ more: 'checks = { house = "../house.mjs" }' })}house.lit = true\n`;
  writeFiles(scratch.path, { 'house.mjs': house(true), 'rehearsals/greeting.rehearsal.toml': named });
  await running.says(/2 passed[\s\S]*watching; Ctrl-C ends/);
  writeFiles(scratch.path, { 'house.mjs': house(false) });
  await running.says(/changed: house\.mjs[\s\S]*house\.lit[\s\S]*1 failed[\s\S]*watching; Ctrl-C ends/);
  writeFiles(scratch.path, { 'house.mjs': house(true) });
  await running.says(/2 passed[\s\S]*watching; Ctrl-C ends/);

  // Nothing changed since: it must not wake up by what it wrote itself.
  await expect(running.says(/passed|failed/, 1_500)).rejects.toThrow('it never said');
  running.signal('SIGINT');
  expect(await running.exited).toBe(130);
}, 90_000);

/** Starts it in a terminal, with a browser that only writes down what it was asked to show. */
async function startAtTerminal(args: string): Promise<Terminal> {
  writeFiles(scratch.path, {
    'bin/xdg-open': '#!/bin/sh\necho "$1" > "$(dirname "$0")/opened"\n',
    'tests/good.rehearsal.toml': greeting({ name: 'good' }),
    'tests/bad.rehearsal.toml': greeting({ name: 'bad', expects: 'nothing of the kind' }),
  });
  const env = { ...scrubbedEnvironment(), DISPLAY: ':0', PATH: `${join(scratch.path, 'bin')}:${process.env['PATH']}` };
  const script = `chmod +x bin/xdg-open; '${process.execPath}' '${UNDERSTUDY}' run tests --stage sim ${args}; echo "ended with $?"; sleep 600`;
  terminal = await Terminal.start({ command: ['/bin/sh', '-c', script], cwd: scratch.path, env, rows: 200 });
  return terminal;
}

it('takes keys at a terminal: all, failed, a filter, quit', async () => {
  const shown = await startAtTerminal('--watch');
  await shown.waitFor(/1 failed[\s\S]*watching; a all, f failed, p filter, q quit\s*$/, 60_000);
  shown.type('f');
  await shown.waitFor(/watching;[\s\S]*✗ bad[\s\S]*1 failed in[\s\S]*watching;[^✓]*$/, 60_000);
  shown.type('p');
  await shown.waitFor('filter (empty: all):', 60_000);
  shown.type('good\r');
  await shown.waitFor(/filter [\s\S]*✓ good[\s\S]*1 passed in[\s\S]*watching;[^✗]*$/, 60_000);
  shown.type('x');
  shown.type('a');
  await shown.waitFor(/filter [\s\S]*✗ bad[\s\S]*1 passed, 1 failed[\s\S]*watching;[^✓]*$/, 60_000);
  shown.type('q');
  expect(await shown.waitFor('ended with', 60_000)).toContain('ended with 0');
  expect(existsSync(join(scratch.path, 'bin/opened'))).toBe(false);
}, 120_000);

it('shows the report of a failed run to the person at the terminal, unless they do not want it', async () => {
  const opened = join(scratch.path, 'bin/opened');
  await (await startAtTerminal('--no-open')).waitFor('ended with 1', 60_000);
  expect(existsSync(opened)).toBe(false);
  await terminal?.end();
  await (await startAtTerminal('')).waitFor('ended with 1', 60_000);
  await expect
    .poll(() => existsSync(opened) && readFileSync(opened, 'utf8').trim())
    .toMatch(/\.understudy\/report\.html$/);
}, 120_000);
