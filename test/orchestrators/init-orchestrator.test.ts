import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Terminal } from '../../packages/agents/src/terminal/terminal.js';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';

const LOOPER = `#!/bin/bash
case $1 in --help)
  echo "usage: looper [--task TEXT] [--max N]"; echo "  --max N       limit"; echo "  --task TEXT   what to do"; exit 0 ;;
esac
while [ $# -gt 0 ]; do case $1 in --task) task=$2 ;; --max) max=$2 ;; esac; shift 2; done
for n in $(seq "$max"); do
  [[ $(claude -p "$task" < /dev/null) == *ALL_READY ]] && { echo "finished after $n"; exit 0; }
done
echo "gave up after $n"
`;

it('asks the help, sees how it ends, and writes a contract that connects', { timeout: 60_000 }, async () => {
  const cwd = loopWorkspace({ looper: LOOPER });
  const init = ['orchestrator', 'init', './looper', '--promise', 'ALL_READY'];
  const run = await runUnderstudy(init, { cwd });
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('✓ connects') });
  expect(run.stdout).toContain('Next: understudy orchestrator test --contract looper.orchestrator.toml');
  expect(readFileSync(join(cwd, 'looper.orchestrator.toml'), 'utf8')).toBe(`agents = ["claude"]
run = ["./looper", "--task", "{{prompt}}", "--max", "{{iterations}}"]
promise = "ALL_READY"
# What it does when an agent fails: "retry", "fallback" or "stop".
on_agent_failure = "retry"

[complete]
exit_code = 0
stdout = "finished after"

[stopped]
exit_code = 0
stdout = "gave up after"
`);
  expect(await runUnderstudy(init, { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('SCAFFOLD_EXISTS'),
  });
  // A promise that the program does not know, and a file that it takes for the task.
  const wrong = await runUnderstudy(
    ['orchestrator', 'init', './looper', '--prompt', '--task {{prompt_file}}', '--force'],
    { cwd },
  );
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toContain('✗ connects: the agent gets the prompt');
  expect(wrong.stdout).toContain('Change looper.orchestrator.toml');
});

it('says what is missing, and never waits for an answer without a terminal', async () => {
  const cwd = loopWorkspace({ silent: '#!/bin/sh\nread line\n' });
  expect(await runUnderstudy(['orchestrator', 'init', './silent'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/SCAFFOLD_NO_PROMPT[\s\S]*fix: Say it: --prompt/),
  });
  const missing = await runUnderstudy(['orchestrator', 'init', './nosuch', '--json'], { cwd });
  expect(JSON.parse(missing.stdout)).toMatchObject({ ok: false, error: { code: 'SCAFFOLD_NO_PROGRAM' } });
});

it('asks on a terminal', { timeout: 60_000 }, async () => {
  const cwd = loopWorkspace({ looper: LOOPER });
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd };
  const command = [process.execPath, UNDERSTUDY, 'orchestrator', 'init', './looper'];
  const terminal = await Terminal.start({ command, cwd, env, columns: 150 });
  try {
    for (const [question, answer] of [
      ['get the prompt? [--task {{prompt}}]', ''],
      ['get the agent? [-]', ''],
      ['limit of iterations? [--max {{iterations}}]', ''],
      ['time for an agent? [-]', ''],
      ['agents can it use? [claude]', ''],
      ['work is done? [LOOP_COMPLETE]', 'ALL_READY'],
    ] as const) {
      await terminal.waitFor(question);
      terminal.type(answer);
      terminal.press('enter');
    }
    await terminal.waitFor('Next: understudy orchestrator test');
  } finally {
    await terminal.end();
  }
});
