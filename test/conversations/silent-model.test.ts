import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const claude = await realAgent('claude');
const stages = ['sim', ...(claude === undefined ? [] : ['scripted'])];

it.each(stages)('ends when a scripted model only calls a tool, on %s', { timeout: 90_000 }, async (stage) => {
  const scratch = createScratch('example');
  onTestFinished(() => scratch.remove());
  writeFiles(scratch.path, {
    's.toml': `[tool_execution]
mode = "live"
[[responses]]
pattern = { type = "any" }
response = { tool_calls = [{ tool = "Bash", input = { command = "echo ran >> ran.txt; cat ran.txt" } }] }
`,
  });
  const args = ['exec', '--stage', stage, '--agent', 'claude', '--scenario', 's.toml', '--'];
  const { code, stdout } = await runUnderstudy([...args, 'claude', '-p', 'go', '--output-format', 'json'], {
    cwd: scratch.path,
  });
  // The CLI asks once for words, and the model has none: the rule is not played again.
  expect(JSON.parse(stdout)).toMatchObject({ subtype: 'success', result: '', num_turns: 3 });
  expect(code).toBe(0);
});
