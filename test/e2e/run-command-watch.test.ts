import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../src/process/scratch.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { type RunningUnderstudy, startUnderstudy } from '../helpers/running-understudy.js';

let scratch: Scratch;
let running: RunningUnderstudy | undefined;
beforeEach(() => {
  scratch = createScratch('watch-command');
});
afterEach(async () => {
  running?.signal('SIGKILL');
  await running?.exited;
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
  expect(second).toContain('✗ the command');
  expect(second).toContain('1 failed');
  expect(second).not.toContain('a greeting');

  writeFiles(scratch.path, { 'rehearsals/greeting.rehearsal.toml': 'steps = [' });
  const third = await running.says(/watching; Ctrl-C ends/);
  expect(third).toContain('DOCUMENT_SYNTAX');

  writeFiles(scratch.path, { 'commands/hi.md': 'Say hi again.\n', 'rehearsals/greeting.rehearsal.toml': greeting() });
  const fourth = await running.says(/watching; Ctrl-C ends/);
  expect(fourth).toContain('2 passed');

  // Nothing changed since: it must not wake up by what it wrote itself.
  await expect(running.says(/passed|failed/, 1_500)).rejects.toThrow('it never said');
  running.signal('SIGINT');
  expect(await running.exited).toBe(130);
}, 90_000);
