import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it, type TestContext } from 'vitest';
import { createScratch } from '../../src/process/scratch.js';
import { runResultSchema } from '../../src/results/run-result.js';
import { realAgent } from '../helpers/real-agents.js';
import { runUnderstudy } from '../helpers/understudy.js';

const EXAMPLE = resolve('examples/terminal/permission.rehearsal.toml');
const PATIENCE = { timeout: 180_000 };
const scratch = createScratch('terminal-rehearsal');
afterAll(() => scratch.remove());

async function play(files: Record<string, string>, context: TestContext) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(scratch.path, name), text);
  await realAgent('claude', context);
  await realAgent('opencode', context);
  const paths = Object.keys(files);
  const run = await runUnderstudy(['run', ...paths, '--stage', 'scripted', '--keep-workspace', '--json'], {
    cwd: scratch.path,
  });
  const { entries } = runResultSchema.parse(JSON.parse(run.stdout));
  return new Map(
    entries.map(({ file = '', status, steps }) => {
      const failed = steps.flatMap(({ number, checks }) =>
        checks.filter((check) => check.status !== 'passed').map(({ name, actual }) => `${number} ${name}: ${actual}`),
      );
      return [file.split('/').at(-1), { status, failed }];
    }),
  );
}

it('rehearses the real screens, and sees what they do not show', PATIENCE, async (context) => {
  const example = readFileSync(EXAMPLE, 'utf8');
  const found = await play(
    {
      'dialog.rehearsal.toml': example,
      // The same with the wrong answer and the wrong text.
      'wrong.rehearsal.toml': example
        .replace('contains = ["1. Yes", "oak"]', 'contains = ["1. Certainly"], rows = [{ row = -1, text = "nowhere" }]')
        .replace('press = "escape"', 'press = "enter"')
        .replace('"(?i)rejected|declined|interrupted"', '"The note is written"'),
      'opencode.rehearsal.toml': `
        name = "OpenCode on its screen"
        agent = "opencode"
        terminal = { columns = 100, rows = 30 }
        [[responses]]
        pattern = { type = "contains", text = "hello" }
        response = "Good morning from the terminal."
        [[steps]]
        type = "hello there"
        [steps.expect]
        screen = { contains = "hello there", not_contains = "Good morning" }
        [[steps]]
        press = "enter"
        wait_for = "Good morning from the terminal."`,
    },
    context,
  );
  expect(found.get('dialog.rehearsal.toml')).toEqual({ status: 'passed', failed: [] });
  expect(found.get('opencode.rehearsal.toml')).toEqual({ status: 'passed', failed: [] });
  const wrong = found.get('wrong.rehearsal.toml');
  expect(wrong?.status).toBe('failed');
  expect(wrong?.failed).toEqual(
    expect.arrayContaining([
      '1 screen: it is not shown',
      expect.stringMatching(/^1 screen: ".*"$/),
      '2 file: note.txt was created',
    ]),
  );
  const screens = join(scratch.path, '.understudy/artifacts/dialog.claude.scripted/artifacts/screens');
  expect(readFileSync(join(screens, 'step-1.txt'), 'utf8')).toContain('Do you want to create note.txt?');
  expect(readFileSync(join(screens, 'step-1.svg'), 'utf8')).toContain('<svg');
  expect(existsSync(join(screens, 'step-4.svg'))).toBe(true);
});

it('leaves a rehearsal of a screen out on the stand-in, with the reason', async () => {
  const run = await runUnderstudy(['run', EXAMPLE, '--stage', 'sim'], { cwd: scratch.path });
  expect(run.stdout).toContain('the stand-ins have no screen');
});
