import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { Terminal } from '../../packages/agents/src/terminal/terminal.js';
import { scrubbedEnvironment } from '../../packages/kit/src/process/environment.js';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';

let terminal: Terminal | undefined;
afterEach(() => terminal?.end());

async function start(cwd: string, ...args: string[]): Promise<Terminal> {
  // A shell around it, so that the screen outlives the program.
  const script = `trap : INT; ${process.execPath} ${UNDERSTUDY} e2e --stage sim --loop ${args.join(' ')}; echo "ended with $?"; sleep 600`;
  terminal = await Terminal.start({ command: ['/bin/sh', '-c', script], cwd, env: scrubbedEnvironment(), rows: 60 });
  return terminal;
}

it('shows what runs now on a terminal, and the tiers in order', async () => {
  const shown = await start(loopWorkspace({}), 'kiro', '--grep', 'kiro-', '--skip-baselines');
  await shown.waitFor(/⋯ \S+@kiro 1\/1 > .* \d+\.\d s[\s\S]*\d of 3/, 60_000);
  const end = await shown.waitFor('ended with', 60_000);
  expect(end).toMatch(/3 cases for the reference loop on stage sim\n {2}✓ kiro \S+ stand-in/);
  expect(end).toMatch(/Tier 1: Connectivity\n✓ connect@kiro.*\n\nTier 2: Orchestration\n✓ single-iter@kiro/);
  expect(end).toContain('PASSED: all cases passed');
  expect(end).toContain('report: .e2e-tests/report.md');
  expect(end).toContain('ended with 0');
  // What ran is gone from the screen when it has ended.
  expect(end).not.toContain('⋯');
});

it('ends with 130 on Ctrl-C, keeps what it knows in the report, and has no verdict', async () => {
  const cwd = loopWorkspace({});
  const shown = await start(cwd, 'kiro', '--grep', 'hat-');
  await shown.waitFor('✓ hat-', 60_000);
  shown.press('ctrl+c');
  const end = await shown.waitFor('ended with', 60_000);
  expect(end).toContain('ended with 130');
  expect(end).toContain('NO VERDICT: interrupted');
  expect(existsSync(join(cwd, '.e2e-tests/report.md'))).toBe(true);
});

it('writes plain lines into a pipe, and only the summary with -q', async () => {
  const cwd = loopWorkspace({});
  const args = ['e2e', '--stage', 'sim', 'kiro', '--loop', '--grep', 'connect@kiro', '--skip-baselines'];
  const { stdout } = await runUnderstudy(args, { cwd });
  expect(stdout).toMatch(/^✓ connect@kiro kiro sim \d+\.\d s$/m);
  expect(stdout).not.toContain('\u001B');
  const quiet = await runUnderstudy([...args, '-q'], { cwd });
  expect(quiet.stdout).toMatch(/^\n1 passed in .*\nPASSED: all cases passed\n/);
  expect(quiet.stdout).not.toContain('connect@kiro');
  const verbose = await runUnderstudy([...args, '-v'], { cwd });
  expect(verbose.stdout).toContain('    ✓ exit code 0');
});
