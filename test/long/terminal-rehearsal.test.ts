import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it, type TestContext } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { realAgent } from '../helpers/real-agents.js';
import { makesLongProofs } from '../helpers/seeded.js';
import { runUnderstudy } from '../helpers/understudy.js';

const EXAMPLE = resolve('examples/terminal/permission.rehearsal.toml');
const PATIENCE = { timeout: 180_000 };
const scratch = createScratch('terminal-rehearsal');
afterAll(() => scratch.remove());

async function play(agent: string, files: Record<string, string>, context: TestContext) {
  await realAgent(agent, context);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(scratch.path, name), text);
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

it('rehearses the real screen of Claude Code, and sees what it does not show', PATIENCE, async (context) => {
  const example = readFileSync(EXAMPLE, 'utf8');
  const found = await play(
    'claude',
    {
      'dialog.rehearsal.toml': example,
      // The same with the wrong answer and the wrong text.
      'wrong.rehearsal.toml': example
        .replaceAll('Do you want to create note.txt?', 'Do you want to')
        .replace('contains = ["1. Yes", "oak"]', 'contains = ["1. Certainly"], rows = [{ row = -1, text = "nowhere" }]')
        .replace('press = "escape"', 'press = "enter"')
        .replace('"(?i)rejected|declined|interrupted"', '"The note is written"')
        .replace('tools = { all = ["Write"] }', 'tools = { none = ["Write"] }')
        .replace('"matcher": "Write"', '"matcher": "Read"'),
    },
    context,
  );
  expect(found.get('dialog.rehearsal.toml')).toEqual({ status: 'passed', failed: [] });
  const wrong = found.get('wrong.rehearsal.toml');
  expect(wrong?.status).toBe('failed');
  expect(wrong?.failed).toEqual(
    expect.arrayContaining([
      '1 screen: it is not shown',
      expect.stringMatching(/^1 screen: ".*"$/),
      '2 file: note.txt was created',
      expect.stringMatching(/^4 tools: none: /),
      expect.stringMatching(/^4 hook: PostToolUse:Write did not fire/),
    ]),
  );
  const screens = join(scratch.path, '.understudy/artifacts/dialog.claude.scripted/artifacts/screens');
  expect(readFileSync(join(screens, 'step-1.txt'), 'utf8')).toContain('Do you want to create note.txt?');
  expect(readFileSync(join(screens, 'step-1.svg'), 'utf8')).toContain('<svg');
  expect(existsSync(join(screens, 'step-4.svg'))).toBe(true);
});

const ON_OPENCODE = `
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
wait_for = "Good morning from the terminal."`;

if (makesLongProofs)
  it('rehearses the real screen of OpenCode', PATIENCE, async (context) => {
    const found = await play('opencode', { 'opencode.rehearsal.toml': ON_OPENCODE }, context);
    expect(found.get('opencode.rehearsal.toml')).toEqual({ status: 'passed', failed: [] });
  });

it('leaves a rehearsal of a screen out on the stand-in, with the reason', async () => {
  const run = await runUnderstudy(['run', EXAMPLE, '--stage', 'sim'], { cwd: scratch.path });
  expect(run.stdout).toContain('the stand-ins have no screen');
});

const ASK = `#!/bin/bash
read -p "What is your name? " name
echo "The agent says: $(claude -p "Greet $name" < /dev/null)"
read -p "Once more (y/n)? " more
[ "$more" = y ] && exit 3
echo "Bye."
`;

const QUESTION = `
name = "a program that asks"
agents = ["claude"]
terminal = { columns = 80, rows = 20 }
project = { files = { "ask.sh" = '''${ASK}''' } }
[[responses]]
pattern = { type = "contains", text = "Greet Ada" }
response = "Good morning, Ada."
[[steps]]
run = ["bash", "ask.sh"]
wait_for = "your name?"
[steps.expect]
screen = { contains = "What is your name?", not_contains = "Good morning" }
calls = { count = 1, agent = "claude" }
[[steps.expect.call]]
prompt = "Greet Ada"
says = "Good morning"
[[steps]]
send = "Ada"
wait_for = "Once more"
[steps.expect]
screen = { contains = "The agent says: Good morning, Ada.", rows = [{ row = -1, text = "Once more (y/n)?" }] }
[[steps]]
type = "n"
press = "enter"
wait_for = "Bye."
`;

async function playQuestion(text: string, ...args: string[]) {
  writeFileSync(join(scratch.path, 'asked.rehearsal.toml'), text);
  const run = await runUnderstudy(['run', 'asked.rehearsal.toml', '--json', ...args], { cwd: scratch.path });
  const [entry] = runResultSchema.parse(JSON.parse(run.stdout)).entries;
  const failed = entry?.steps.flatMap(({ number, checks }) =>
    checks.filter(({ status }) => status === 'failed').map(({ name, actual }) => `${number} ${name}: ${actual}`),
  );
  return { status: entry?.status, failed };
}

it('rehearses a program in a terminal, and judges its end and its calls', PATIENCE, async (context) => {
  expect(await playQuestion(QUESTION, '--stage', 'sim')).toEqual({ status: 'passed', failed: [] });
  const wrong = QUESTION.replace('type = "n"', 'type = "y"').replace('count = 1', 'count = 2');
  const found = await playQuestion(wrong.replace('wait_for = "Bye."', ''), '--stage', 'sim');
  expect(found.failed).toEqual(['1 exit code: exit code 3', expect.stringMatching(/^1 calls: /)]);
  // Without the last answer it waits for ever, and is ended.
  const waiting = QUESTION.slice(0, QUESTION.lastIndexOf('[[steps]]')).replace(
    'wait_for = "your name?"',
    '$&\ntimeout_ms = 1500',
  );
  expect((await playQuestion(waiting, '--stage', 'sim')).failed).toEqual([
    expect.stringMatching(/^1 exit code: it did not end within \d+ ms, and was killed$/),
  ]);
  await realAgent('claude', context);
  expect(await playQuestion(QUESTION, '--stage', 'scripted')).toEqual({ status: 'passed', failed: [] });
});

it('rehearses the program of the documentation', PATIENCE, async () => {
  const page = readFileSync('docs/terminal.md', 'utf8');
  const [, snippet = ''] = /```toml\n(name = "a program that asks"[\s\S]*?)```/.exec(page) ?? [];
  expect(await playQuestion(snippet, '--stage', 'sim')).toEqual({ status: 'passed', failed: [] });
});

it('rehearses a program that starts the screen of the real Claude Code', PATIENCE, async (context) => {
  await realAgent('claude', context);
  const text = `
name = "a program that starts Claude Code"
agents = ["claude"]
terminal = { columns = 100, rows = 30 }
project = { files = { "start.sh" = "echo starting; claude; echo it ended with $?" } }
[[responses]]
pattern = { type = "contains", text = "hello" }
response = "Good morning from inside."
[[steps]]
run = ["sh", "start.sh"]
wait_for = "❯"
timeout_ms = 60000
[steps.expect]
calls = { count = 1 }
[[steps.expect.call]]
says = "Good morning from inside."
[[steps]]
send = "hello there"
wait_for = "Good morning from inside."
[[steps]]
press = ["ctrl+c", "ctrl+c"]
wait_for = "it ended with"
`;
  expect(await playQuestion(text, '--stage', 'scripted')).toEqual({ status: 'passed', failed: [] });
});
