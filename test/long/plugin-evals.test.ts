import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startModelServer } from '../../packages/agents/src/model/server.js';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import type { ModelServer } from '../../packages/model/src/server/server.js';
import { defineScenario } from '../../packages/script/src/load.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const KEY = 'sk-ant-loopback-loopback-0123456789';
let scratch: Scratch;
let model: ModelServer;
beforeEach(async () => {
  scratch = createScratch('plugin-evals');
  // The first answer is for the arm with the plugin, the second for the one without it, and so on.
  model = await startModelServer({
    key: KEY,
    scenario: defineScenario({
      responses: [{ pattern: { type: 'contains', text: 'Greet' }, response: 'Good morning to you.' }],
      default_response: 'Done.',
    }),
  });
});
afterEach(async () => {
  await model.close();
  await scratch.remove();
});

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runUnderstudy(['run', '.', '--json', ...args], { cwd: scratch.path, env });
  if (stdout === '') throw new Error(stderr);
  return { code, entries: (JSON.parse(stdout) as RunResult).entries };
}

it('says on replay what the graders say of the recorded answers, when the model is gone', {
  timeout: 600_000,
}, async (context) => {
  await realAgent('claude', context);
  writeFiles(scratch.path, {
    '.claude-plugin/plugin.json': '{"name":"tidy","version":"1.0.0","description":"d"}',
    'evals/polite/prompt.md': '---\nmax_turns: 2\n---\n\nGreet the guests.\n',
    'evals/polite/graders/says.md': '---\ntype: regex\ntarget: last_message\n---\nGood morning\n',
  });
  const live = await run(['--stage', 'live', '--record', '--repeat', '2'], {
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: KEY,
  });
  expect(live.entries).toMatchObject([
    { status: 'passed', rate: { passed: 2, runs: 2 }, without: { what: 'the plugin', passed: 2, runs: 2 } },
  ]);
  await model.close();
  expect(existsSync(join(scratch.path, 'evals/cassettes/polite.claude.cassette.jsonl'))).toBe(true);

  const replayed = await run(['--stage', 'replay']);
  expect(replayed.entries).toMatchObject([{ status: 'passed', without: { passed: 1, runs: 1 } }]);
  expect(replayed.entries[0]?.checks.map(({ name }) => name)).toEqual([
    'grader says',
    'every recorded answer is used',
    'every request is answered',
  ]);

  writeFiles(scratch.path, {
    'evals/polite/graders/says.md': '---\ntype: regex\ntarget: last_message\n---\nGood night\n',
  });
  expect((await run(['--stage', 'replay'])).entries).toMatchObject([{ status: 'failed' }]);
  writeFiles(scratch.path, { 'evals/polite/prompt.md': '---\nmax_turns: 2\n---\n\nGreet the cook.\n' });
  const changed = await run(['--stage', 'replay']);
  expect(changed.entries[0]?.status).toBe('failed');
  expect(JSON.stringify(changed.entries[0]?.checks)).toContain('- Greet the guests.\\n+ Greet the cook.');
});
