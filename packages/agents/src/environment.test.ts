import { parse } from 'smol-toml';
import { expect, it } from 'vitest';
import { agents, clients, servedAgents } from './agents.js';
import { agentEnvironment } from './model/server.js';

const URL = 'http://127.0.0.1:4010';
const server = { url: URL, key: 'sk-understudy-0123456789abcdef' };

it('has each agent, and its client, under its own name', () => {
  for (const [name, agent] of Object.entries(agents)) expect(agent).toMatchObject({ name });
  expect(clients.map(({ name }) => name)).toEqual(servedAgents);
  expect(servedAgents).not.toContain('kiro');
});

it('names no address but that of the server, and has its key', () => {
  for (const agent of servedAgents) {
    const text = JSON.stringify(agentEnvironment(agent, server));
    expect(new Set(text.match(/https?:\/\/[\w.:]+/g))).toEqual(new Set([URL]));
    expect(text).toContain(server.key);
  }
});

it('limits retries where the CLI lets it', () => {
  expect(agentEnvironment('claude', server, { retries: 2 }).env['CLAUDE_CODE_MAX_RETRIES']).toBe('2');
  expect(agentEnvironment('claude', server).env).not.toHaveProperty('CLAUDE_CODE_MAX_RETRIES');
  const codex = parse(agentEnvironment('codex', server, { retries: 2 }).files['.codex/config.toml'] ?? '');
  expect(codex['model_providers']).toMatchObject({
    understudy: { request_max_retries: 2, stream_max_retries: 2, base_url: `${URL}/v1` },
  });
  const gemini = JSON.parse(agentEnvironment('gemini', server, { retries: 2 }).files['.gemini/settings.json'] ?? '');
  expect(gemini.general.maxAttempts).toBe(3);
});

it('leaves it to a project what OpenCode may do: the settings above it say nothing, those below it only what is asked for', () => {
  const { env, files } = agentEnvironment('opencode', server);
  expect(JSON.parse(env['OPENCODE_CONFIG_CONTENT'] ?? '{}')).not.toHaveProperty('permission');
  expect(JSON.parse(files['.config/opencode/opencode.json'] ?? '{}')).toMatchObject({
    permission: { external_directory: 'allow', doom_loop: 'allow' },
  });
});
