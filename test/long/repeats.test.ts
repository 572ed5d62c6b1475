import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { tally, triesOf } from '../helpers/attack.js';
import { prepareAttack } from '../helpers/attacked-commands.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const TRIES = triesOf(300);

const REHEARSAL = `name = "a small change"
agent = "claude"
project = { type = "cli", language = "javascript", git = true }
[[responses]]
pattern = { type = "contains", text = "change" }
response = { text = "Changed.", tool_calls = [
  { tool = "Glob", input = { pattern = "**/*.js" } },
  { tool = "Bash", input = { command = "echo changed > note.txt" } } ] }
[[steps]]
send = "change something"
[steps.expect]
says = "Changed"
tools = { all = ["Glob", "Bash"] }
files = [{ path = "note.txt", change = "created", contains = "changed" }]
`;

let scratch: Scratch;
let busy: ChildProcess[] = [];
beforeEach(() => {
  scratch = createScratch('repeats');
  // More work than there are processors, for as long as the test runs.
  busy = Array.from({ length: availableParallelism() * 2 }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
});
afterEach(async () => {
  for (const child of busy) child.kill('SIGKILL');
  await scratch.remove();
});

interface Entry {
  status: string;
  error?: unknown;
  steps: { checks: { status: string; name: string; actual?: string }[] }[];
}

describe.runIf(TRIES > 0)('the same rehearsal under load', () => {
  it.each(['sim', 'scripted'])('gives the same verdict every time on %s', { timeout: 3_600_000 }, async (stage) => {
    if (stage === 'scripted') await realAgent('claude');
    const { env } = prepareAttack(scratch.path);
    const cwd = join(scratch.path, 'repeats');
    writeFiles(cwd, { 'small.rehearsal.toml': REHEARSAL });
    const { stdout, stderr } = await runUnderstudy(['run', '--stage', stage, '--repeat', String(TRIES), '--json'], {
      cwd,
      env,
    });
    const { entries } = JSON.parse(stdout || stderr) as { entries: Entry[] };
    expect(entries).toHaveLength(TRIES);
    const failures = entries.flatMap(({ status, error, steps }) => {
      const wrong = steps.flatMap(({ checks }) => checks.filter((check) => check.status !== 'passed'));
      return status === 'passed' ? [] : [JSON.stringify({ status, error, wrong })];
    });
    tally('repeats of a rehearsal under load', stage, TRIES, failures);
  });
});
