import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const claude = await realAgent('claude');
const stages = ['sim', ...(claude === undefined ? [] : ['scripted'])];
const PATIENCE = { timeout: 90_000 };

/** A model that writes a file, asked by a program that does not let the agent do so. */
function play(stage: string, call: string) {
  const scratch = createScratch('example');
  onTestFinished(() => scratch.remove());
  writeFiles(scratch.path, {
    'a.rehearsal.toml': `name = "an agent that may not write"
agents = ["claude"]
[[responses]]
pattern = { type = "any" }
[responses.response]
tool_calls = [{ tool = "Write", input = { file_path = "x.txt", content = "x" }${call} }]
then = { text = "I could not." }
[[steps]]
run = ["claude", "-p", "go", "--disallowedTools", "Write"]
[steps.expect]
stdout = "I could not."
call = [{ told = { message = "No such tool available: Write" } }]
`,
  });
  return runUnderstudy(['run', '.', '--stage', stage], { cwd: scratch.path });
}

it.each(stages)('is red where a script calls a tool that the agent does not offer, on %s', PATIENCE, async (stage) => {
  const { code, stdout } = await play(stage, '');
  expect(stdout).toContain('responses[0] calls the tool "Write", which this request does not offer');
  expect(stdout).toContain('say `offered = false`');
  expect(code).toBe(1);
});

it.each(stages)('is red for a tool that Claude Code offers on request only, on %s', PATIENCE, async (stage) => {
  const scratch = createScratch('example');
  onTestFinished(() => scratch.remove());
  const call = `[default_response]
tool_calls = [{ tool = "Grep", input = { pattern = "x" } }]
[tool_execution]
mode = "live"
`;
  writeFiles(scratch.path, { 's.toml': call });
  const args = ['exec', '--stage', stage, '--agent', 'claude', '--scenario', 's.toml', '--'];
  const bare = await runUnderstudy([...args, 'claude', '-p', 'go'], { cwd: scratch.path });
  expect(`${bare.stdout}${bare.stderr}`).toContain('calls the tool "Grep", which this request does not offer');
  expect(bare.code).not.toBe(0);
  const named = await runUnderstudy([...args, 'claude', '-p', 'go', '--tools', 'default,Grep'], { cwd: scratch.path });
  expect(`${named.stdout}${named.stderr}`).not.toContain('does not offer');
});

it.each(stages)('shows what the agent says to a call of such a tool, on %s', PATIENCE, async (stage) => {
  const { code, stdout } = await play(stage, ', offered = false');
  expect(stdout).toContain('1 passed');
  expect(code).toBe(0);
});

it('says that only the real agent can play it, where a stand-in has no words for it', PATIENCE, async () => {
  const scratch = createScratch('example');
  onTestFinished(() => scratch.remove());
  writeFiles(scratch.path, {
    's.toml': '[default_response]\ntool_calls = [{ tool = "Teleport", offered = false }]\n',
  });
  const exec = ['exec', '--stage', 'sim', '--scenario', 's.toml', '--agent', 'codex', '--'];
  const { code, stderr } = await runUnderstudy([...exec, 'codex', 'exec', '--skip-git-repo-check', 'go'], {
    cwd: scratch.path,
  });
  expect(stderr).toContain('This stand-in cannot play it');
  expect(code).not.toBe(0);
});
