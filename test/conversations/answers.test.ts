import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const claude = await realAgent('claude');
const stages = ['sim', ...(claude === undefined ? [] : ['scripted'])];
const PATIENCE = { timeout: 90_000 };

/** An agent that asks the user something, and a user with an answer. */
function asking(answers: string): string {
  const scratch = createScratch('example');
  onTestFinished(() => scratch.remove());
  writeFiles(scratch.path, {
    'ask.rehearsal.toml': `name = "ask"
[[responses]]
pattern = { type = "contains", text = "set it up" }
[responses.response]
then = { text = "As you like." }
[[responses.response.tool_calls]]
tool = "AskUserQuestion"
[[responses.response.tool_calls.input.questions]]
question = "Which one?"
header = "Kind"
multiSelect = false
options = [{ label = "A", description = "the first" }, { label = "B", description = "the second" }]

[[steps]]
send = "set it up"
${answers}
[steps.expect]
says = "As you like."
told = { message = 'Your questions have been answered: "Which one?"="B"' }
`,
  });
  return scratch.path;
}

const run = (cwd: string, stage: string) => runUnderstudy(['run', '.', '--stage', stage], { cwd });

it.each(stages)('answers what the agent asks, on %s', PATIENCE, async (stage) => {
  const { code, stdout } = await run(asking('answers = { "Which one?" = "B" }'), stage);
  expect(stdout).toContain('1 passed');
  expect(code).toBe(0);
});

it.each(stages)('is red for an answer that nobody asked for, on %s', PATIENCE, async (stage) => {
  const { code, stdout } = await run(asking('answers = { "Which one?" = "B", "Why?" = "so" }'), stage);
  expect(stdout).toMatch(/✗ answers[^✗]*expected {2}the agent asks "Why\?"\n\s*seen {6}it asked "Which one\?"/);
  expect(stdout.match(/✗ answers/g)).toHaveLength(1);
  expect(stdout).toMatch(/ask\.rehearsal\.toml:16:33/);
  expect(code).toBe(1);
});

it('tells the agent that nobody has answered', PATIENCE, async () => {
  const { code, stdout } = await run(asking(''), 'sim');
  expect(stdout).toContain('The user did not answer the questions.');
  expect(code).toBe(1);
});
