import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { type RunningUnderstudy, startUnderstudy } from '../helpers/running-understudy.js';

let scratch: Scratch;
let running: RunningUnderstudy | undefined;
beforeEach(() => {
  scratch = createScratch('interrupt');
});
afterEach(async () => {
  running?.signal('SIGKILL');
  await running?.exited;
  await scratch.remove();
});

/** The processes of this machine that were started with this text among their arguments. */
function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}

async function until(holds: () => boolean, milliseconds = 30_000): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`it never came to be; it said:\n${running?.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe.each(['sim', 'scripted'] as const)('on %s', (stage) => {
  it('ends at once with 130, and leaves no process and no folder behind', async (context) => {
    if (stage === 'scripted') await realAgent('claude', context);
    // A tool that never ends, with a name by which its process is found.
    const log = `endless-${process.pid}-${stage}.log`;
    const tmp = join(scratch.path, 'tmp');
    mkdirSync(tmp);
    writeFiles(scratch.path, {
      'a.rehearsal.toml': `project.files = { "${log}" = "" }
[[responses]]
pattern = { type = "any" }
response = { text = "Done.", tool_calls = [{ tool = "Bash", input = { command = "tail -f ${log}" } }] }
[[steps]]
send = "wait"
[[steps]]
send = "again"
`,
    });
    running = startUnderstudy(['run', '--stage', stage], { cwd: scratch.path, env: { TMPDIR: tmp } });
    await until(() => processesWith(`-f\0${log}`).length > 0);
    expect(readdirSync(tmp).length).toBeGreaterThan(0);
    const before = Date.now();
    running.signal('SIGINT');
    expect(await running.exited).toBe(130);
    expect(Date.now() - before).toBeLessThan(30_000);
    expect(running.output()).toContain('1 interrupted in');
    await until(() => processesWith(log).length === 0 && processesWith(tmp).length === 0, 20_000);
    await until(() => readdirSync(tmp).filter((name) => name.startsWith('understudy-')).length === 0, 20_000);
    // What was interrupted did not fail, so there is nothing to look at or to run again.
    expect(existsSync(join(scratch.path, '.understudy'))).toBe(false);
  }, 90_000);
});

it('does not wait for an agent that starts', async () => {
  const marker = `never-ends-${process.pid}`;
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: `tail -f /dev/null ${marker}` }] }] };
  writeFiles(scratch.path, {
    'p/.claude-plugin/plugin.json': '{"name":"p","version":"1.0.0","description":"d"}',
    'p/hooks/hooks.json': JSON.stringify({ hooks }),
    'a.rehearsal.toml': `plugins = ["p"]
default_response = "Hello."
[[steps]]
send = "hi"
`,
  });
  running = startUnderstudy(['run', '--stage', 'sim'], { cwd: scratch.path });
  await until(() => processesWith(marker).length > 0);
  const before = Date.now();
  running.signal('SIGTERM');
  expect(await running.exited).toBe(130);
  // The hook, and with it the start, would have a minute.
  expect(Date.now() - before).toBeLessThan(30_000);
  expect(running.output()).toContain('1 interrupted in');
  await until(() => processesWith(marker).length === 0);
}, 90_000);

/** The seconds that a process has computed. */
function computed(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  return Number(rest.split(' ')[11]) / 100;
}

it.runIf(process.platform === 'linux')(
  'ends while it loads a file of very many rules',
  async () => {
    const rule = (number: number) =>
      `[[responses]]\npattern = { type = "regex", pattern = "^(\\\\d+) of ${number}" }\nresponse = "${number}"\n`;
    const rules = Array.from({ length: 100_000 }, (_, index) => rule(index));
    writeFiles(scratch.path, { 'a.rehearsal.toml': `${rules.join('')}[[steps]]\nsend = "hi"\n` });
    running = startUnderstudy(['run', '--stage', 'sim'], { cwd: scratch.path });
    // By then it has long started, and it is far from having read them all.
    await until(() => computed(running?.pid ?? 0) > 1.5);
    running.signal('SIGTERM');
    await running.exited;
    // A run that had begun would say that it was interrupted.
    expect(running.output()).toBe('');
  },
  180_000,
);
