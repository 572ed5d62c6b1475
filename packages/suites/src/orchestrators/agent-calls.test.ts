import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scrubbedEnvironment, UntrustedFolder } from '@understudy/kit';
import { agentOfProgram, recorded, writeProgram } from '@understudy/stage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepCalls, readCalls, readTask } from './agent-calls.js';

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'calls-'));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function call(
  program: string,
  script: string,
  args: readonly string[],
  env: Record<string, string>,
  input = 'the prompt',
) {
  const file = join(workspace, program);
  const agent = agentOfProgram(program) ?? 'claude';
  writeProgram(file, recorded(agent, ['/bin/sh', '-c', script, 'agent'], workspace), readTask);
  return spawnSync(file, args, { timeout: 15_000, env: scrubbedEnvironment(env), input, encoding: 'utf8' });
}

it('keeps what an agent is called with and says, and changes nothing of it', () => {
  const env = keepCalls(workspace, 0, false);
  const first = call('kiro-cli', 'cat; echo; echo oops >&2; exit 7', ['chat', 'two\nlines', ''], env);
  expect(first).toMatchObject({ status: 7, stdout: 'the prompt\n', stderr: 'oops\n' });
  call('opencode', 'echo hello', ['run', 'Say hello.'], env, '');
  const calls = readCalls(new UntrustedFolder(workspace), 0);
  for (const { milliseconds } of calls) expect(milliseconds).toBeGreaterThanOrEqual(0);
  expect(calls.map(({ milliseconds: _, ...rest }) => rest)).toEqual([
    {
      backend: 'kiro',
      command: ['kiro-cli', 'chat', 'two\nlines', ''],
      prompt: 'two\nlines ',
      output: 'the prompt',
      stderr: 'oops\n',
      code: 7,
      failed: true,
      toolCalls: 0,
    },
    {
      backend: 'opencode',
      command: ['opencode', 'run', 'Say hello.'],
      prompt: 'Say hello.',
      output: 'hello',
      stderr: '',
      code: 0,
      failed: false,
      toolCalls: 0,
    },
  ]);
  expect(readCalls(new UntrustedFolder(workspace), 1)).toEqual([]);
});

it('takes Claude’s words from its events', () => {
  const text = (said: string) => ({ type: 'assistant', message: { content: [{ type: 'text', text: said }] } });
  const lines = [text('one'), text('two'), { type: 'result', usage: { output_tokens: 5 } }];
  const script = `printf '%s\\n' '${lines.map((line) => JSON.stringify(line)).join("' '")}'`;
  call('claude', script, ['-p', '--output-format', 'stream-json'], keepCalls(workspace, 0, false));
  expect(readCalls(new UntrustedFolder(workspace), 0)).toMatchObject([
    { output: 'one\ntwo', outputTokens: 5, toolCalls: 0 },
  ]);
});

it('dies of its own signal, with all that it was', () => {
  expect(call('claude', 'kill -TERM $$; sleep 600', [], keepCalls(workspace, 0, false)).signal).toBe('SIGTERM');
});

it('keeps nothing where nobody asked', () => {
  expect(call('claude', 'cat', [], {}).stdout).toBe('the prompt');
  mkdirSync(join(workspace, '.home'), { recursive: true });
  expect(readCalls(new UntrustedFolder(workspace), 0)).toEqual([]);
});

it('reads the task that a prompt points at, for a script and for nobody else', () => {
  const task = join(workspace, 'task file');
  writeFileSync(task, 'Build "it" & $HOME.\n\n');
  const args = ['chat', '--trust-all-tools', `Please read and execute the task in ${task}`, '--wrap', 'never'];
  const said = 'printf "%s|" "$@"';
  expect(call('kiro-cli', said, args, keepCalls(workspace, 0, true), '').stdout).toBe(
    'chat|--trust-all-tools|Build "it" & $HOME.\n\n|--wrap|never|',
  );
  expect(readCalls(new UntrustedFolder(workspace), 0)[0]?.prompt).toBe('Build "it" & $HOME.\n\n');
  expect(call('kiro-cli', said, args, keepCalls(workspace, 1, false)).stdout).toContain('|Please read and');
  // A file that is not there is the agent's to miss.
  const gone = [...args.slice(0, 2), `${args[2]}-gone`];
  expect(call('kiro-cli', said, gone, keepCalls(workspace, 2, true)).stdout).toContain('-gone|');
});
