import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive } from '../../packages/kit/src/process/process-table.js';
import { runProgram } from '../helpers/understudy.js';

const STAND_INS = {
  claude: [
    'understudy-claude.cjs',
    '-p',
    '--dangerously-skip-permissions',
    '--output-format',
    'stream-json',
    '--verbose',
  ],
  opencode: ['understudy-opencode.cjs', 'run', '--format', 'json'],
  kiro: ['understudy-kiro.cjs', 'chat', '--no-interactive', '--trust-all-tools'],
  codex: ['understudy-codex.cjs', 'exec', '--json', '--skip-git-repo-check'],
  gemini: ['understudy-gemini.cjs', '-y', '-o', 'stream-json'],
} as const;

/** Runs one live tool in a stand-in; gives what was printed, and the folder it ran in. */
async function runTool(name: keyof typeof STAND_INS, tool: string, input: object, files: Record<string, string> = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `understudy-${name}-tool-`)));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const cwd = join(root, 'work');
  mkdirSync(cwd);
  for (const [file, content] of Object.entries(files)) writeFileSync(join(cwd, file), content);
  const scenario = {
    tool_execution: { mode: 'live' },
    logged_in: true,
    responses: [{ pattern: { type: 'any' }, response: { tool_calls: [{ tool, input }], then: 'done' } }],
  };
  writeFileSync(join(root, 'scenario.json'), JSON.stringify(scenario));
  const [bundle, ...args] = STAND_INS[name];
  const started = Date.now();
  const run = await runProgram([process.execPath, resolve('dist/bin', bundle), ...args, 'go'], {
    cwd,
    env: {
      HOME: root,
      CLAUDE_CONFIG_DIR: join(root, '.claude'),
      UNDERSTUDY_SCENARIO: join(root, 'scenario.json'),
      UNDERSTUDY_LOG: join(root, 'log.jsonl'),
    },
  });
  return { ...run, cwd, milliseconds: Date.now() - started };
}

describe.each(['claude', 'opencode', 'kiro', 'codex', 'gemini'] as const)(
  'a shell command of the %s stand-in',
  (name) => {
    it('prints characters whose bytes come one by one', async () => {
      const command = "printf 'caf\\303'; sleep 0.3; printf '\\251 \\360\\237'; sleep 0.3; printf '\\230\\200 fin'";
      const { stdout, code } = await runTool(name, 'shell', { command });
      expect(stdout).toContain('café 😀 fin');
      expect(stdout).not.toContain('\ufffd');
      expect(code).toBe(0);
    });
  },
);

describe.each(['claude', 'opencode', 'kiro'] as const)('a shell command of the %s stand-in', (name) => {
  it('ends with its children when its time is over', async () => {
    const command = 'sleep 24 & echo $! > pid; wait';
    const { cwd, stdout, milliseconds } = await runTool(name, 'shell', { command, timeout: 700 });
    expect(stdout).toMatch(/time(d out|out)/);
    expect(milliseconds).toBeLessThan(20_000);
    expect(isAlive(Number(readFileSync(join(cwd, 'pid'), 'utf8')))).toBe(false);
  });

  it('does not keep the program when it leaves something in the background, which ends with the program', async () => {
    const command = 'sleep 60 > /dev/null 2>&1 3>&1 & echo $! > pid; echo bg';
    const { cwd, stdout, milliseconds } = await runTool(name, 'shell', { command });
    expect(stdout).toContain('bg');
    expect(milliseconds).toBeLessThan(20_000);
    await expect.poll(() => isAlive(Number(readFileSync(join(cwd, 'pid'), 'utf8')))).toBe(false);
  });
});

it.each(['opencode', 'gemini'] as const)('%s waits for what holds the output of a command', async (name) => {
  const { stdout } = await runTool(name, 'shell', { command: '(setsid sh -c "sleep 0.6; echo late" &); echo soon' });
  expect(stdout).toMatch(/soon[\s\S]*late/);
});

it('the opencode stand-in does not wait longer than the time of the command', async () => {
  const command = '(setsid sleep 30 &); echo soon';
  const { stdout, milliseconds } = await runTool('opencode', 'shell', { command, timeout: 500 });
  expect(stdout).toMatch(/soon[\s\S]*exceeding timeout 500 ms/);
  expect(milliseconds).toBeLessThan(20_000);
});

it('a command of the codex stand-in that goes on is told as running, and ends with the program', async () => {
  const command = 'echo $$ > pid; echo so far; sleep 60';
  const { cwd, stdout, milliseconds } = await runTool('codex', 'exec_command', { cmd: command, yield_time_ms: 500 });
  expect(stdout).toContain('"type":"item.started"');
  expect(stdout).not.toMatch(/"item.completed".*command_execution/);
  expect(stdout).toContain('"text":"done"');
  expect(milliseconds).toBeLessThan(20_000);
  await expect.poll(() => isAlive(Number(readFileSync(join(cwd, 'pid'), 'utf8')))).toBe(false);
});

describe.each(['opencode', 'kiro'] as const)('the %s stand-in', (name) => {
  it('finds files by name and by content', async () => {
    const files = { 'a.md': 'one\ntwo\n', 'b.txt': 'two\n' };
    expect((await runTool(name, 'glob', { pattern: '*.md' }, files)).stdout).toContain('/work/a.md');
    const { stdout } = await runTool(name, 'grep', { pattern: 'tw.', include: '*.md' }, files);
    expect(stdout).toContain('/work/a.md:2: two');
    expect(stdout).not.toContain('b.txt');
  });
});
