import { onTestFinished } from 'vitest';
import { startModelServer } from '../../packages/agents/src/model/server.js';
import { defineScenario } from '../../packages/script/src/load.js';
import type { Backend } from '../../packages/suites/src/orchestrators/case.js';
import { suiteCases } from '../../packages/suites/src/ralph/cases/index.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { runUnderstudy } from './understudy.js';

/** The key of a model on loopback that stands for a real one. */
export const MODEL_KEY = 'sk-ant-loopback-loopback-0123456789';

/** A model on loopback that does what the script of a case says, and the variables with which it is found. */
export async function realModelOf(id: string, backend: Backend) {
  const found = suiteCases.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no case ${id}`);
  const server = await startModelServer({
    key: MODEL_KEY,
    scenario: defineScenario(found.setup(backend, 'live').scenario),
  });
  const close = () => server.close();
  onTestFinished(close);
  return { close, environment: environmentOf(server.url) };
}

function environmentOf(url: string): Record<string, string> {
  const models = { tiny: { name: 'Tiny', limit: { context: 100_000, output: 8_000 } } };
  const options = { baseURL: `${url}/v1`, apiKey: MODEL_KEY };
  const provider = { loopback: { npm: '@ai-sdk/openai-compatible', options, models } };
  return {
    ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: MODEL_KEY },
    OPENCODE_CONFIG_CONTENT: JSON.stringify({ model: 'loopback/tiny', provider }),
  };
}

/** A run of the suite, and its result. */
export async function runRecordable(cwd: string, args: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runUnderstudy(
    ['e2e', '--stage', 'sim', ...args, '--skip-analysis', '--json'],
    { cwd, env },
  );
  if (stdout === '') throw new Error(stderr);
  return { code, run: JSON.parse(stdout) as RunResult };
}
