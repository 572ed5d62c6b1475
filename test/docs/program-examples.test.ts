import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { type RunResult, runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { onPath } from '../helpers/optional-program.js';
import { realAgent } from '../helpers/real-agents.js';
import { sample, seedOr } from '../helpers/seeded.js';
import { runUnderstudy } from '../helpers/understudy.js';

async function run(folders: readonly string[], stage: string): Promise<RunResult> {
  const paths = folders.map((folder) => `examples/programs/${folder}`);
  const { stdout } = await runUnderstudy(['run', ...paths, '--stage', stage, '--json']);
  return runResultSchema.parse(JSON.parse(stdout));
}

const statuses = ({ entries }: RunResult) => entries.map(({ name, status }) => `${status}: ${name}`).sort();

it('runs on sim', async () => {
  expect(statuses(await run(['loop', 'review', 'triage', 'sdk'], 'sim'))).toEqual([
    'passed: each issue gets a severity, also when the agent fails once',
    'passed: files are reviewed side by side, and then summarized',
    'passed: the loop gives up after its last iteration, and a promise in a file is none',
    'passed: the loop stops when the agent says that it is done',
    'passed: three models are asked, and Claude may look at the clock',
  ]);
});

// One of them here, all in a long run; their faults are found with the real CLIs as well (test/faults).
it.for(sample(['loop', 'review', 'triage'], 1, seedOr(1)))(
  '%s runs on scripted, with the real CLIs',
  async (name, context) => {
    await realAgent('claude', context);
    await realAgent('opencode', context);
    const { entries } = await run([name], 'scripted');
    expect(entries.map(({ status }) => status)).toEqual(name === 'loop' ? ['passed', 'passed'] : ['passed']);
  },
);

it('asks the models of the Python SDKs', async (context) => {
  const python = onPath('python3');
  const has =
    python !== undefined &&
    spawnSync(python, ['-c', 'import anthropic, openai, google.genai, claude_agent_sdk']).status === 0;
  if (!has)
    context.skip(
      'skipped: the SDKs of Python (pip install anthropic openai google-genai claude-agent-sdk) are not here',
    );
  expect(statuses(await run(['sdk-python'], 'sim'))).toEqual([
    'passed: the Agent SDK calls the agent, from Python',
    'passed: three models are asked from Python',
  ]);
});
