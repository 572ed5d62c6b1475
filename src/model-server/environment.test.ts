import { parse } from 'smol-toml';
import { expect, it } from 'vitest';
import { agentEnvironment, servedAgents } from './environment.js';

const URL = 'http://127.0.0.1:4010';

it('names no address but the server, and no key that is one', () => {
  for (const agent of servedAgents) {
    const text = JSON.stringify(agentEnvironment(agent, URL));
    expect(text.match(/https?:\/\/[\w.:]+/g)).toEqual([URL]);
    expect(text).toContain('sk-understudy-scripted-model-key');
  }
});

it('limits retries where the CLI lets it', () => {
  expect(agentEnvironment('claude', URL, { retries: 2 }).env['CLAUDE_CODE_MAX_RETRIES']).toBe('2');
  expect(agentEnvironment('claude', URL).env).not.toHaveProperty('CLAUDE_CODE_MAX_RETRIES');
  const codex = parse(agentEnvironment('codex', URL, { retries: 2 }).files['.codex/config.toml'] ?? '');
  expect(codex['model_providers']).toMatchObject({
    understudy: { request_max_retries: 2, stream_max_retries: 2, base_url: `${URL}/v1` },
  });
  const gemini = JSON.parse(agentEnvironment('gemini', URL, { retries: 2 }).files['.gemini/settings.json'] ?? '');
  expect(gemini.general.maxAttempts).toBe(3);
});
