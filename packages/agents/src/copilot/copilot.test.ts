import { expect, it } from 'vitest';
import { agentEnvironment } from '../model/server.js';
import { copilot as client } from './client.js';
import { promptOf } from './command-line.js';
import { CopilotReader } from './reader.js';

const exited = { code: 0, signal: null } as Parameters<CopilotReader['verdict']>[0];

function read(...events: object[]) {
  const reader = new CopilotReader();
  const seen = events.flatMap((event) => reader.read(JSON.stringify(event)));
  return { seen, verdict: reader.verdict(exited, '') };
}

const answer = { type: 'assistant.message', data: { content: 'Done.', toolRequests: [] } };
const asks = { type: 'assistant.message', data: { content: '', toolRequests: [{ name: 'bash' }] } };
const success = { type: 'result', sessionId: 's', exitCode: 0 };

it('believes no result without an answer: it says 0 when it is ended in the middle, too', () => {
  expect(read(answer, success).verdict).toEqual({ outcome: 'completed' });
  expect(read(asks, success).verdict).toMatchObject({ outcome: 'failed', reason: 'no_answer' });
  expect(read(success).verdict).toMatchObject({ outcome: 'failed', reason: 'no_answer' });
  expect(read(answer).verdict).toMatchObject({ outcome: 'failed', reason: 'no_answer' });
  const error = { type: 'session.error', data: { message: '401 no', statusCode: 401 } };
  expect(read(error, answer, success).verdict).toEqual({ outcome: 'failed', reason: 'api_error', message: '401 no' });
});

it('tells a denied tool, which is no failure of the turn, and what a subagent says', () => {
  const started = {
    type: 'tool.execution_start',
    data: { toolCallId: 'c', toolName: 'bash', arguments: { command: 'ls' } },
  };
  const denied = {
    type: 'tool.execution_complete',
    data: { toolCallId: 'c', success: false, error: { message: 'Permission denied', code: 'denied' } },
  };
  const agent = { type: 'subagent.started', agentId: 'a', data: { toolCallId: 't', agentName: 'explore' } };
  const inner = { ...answer, agentId: 'a', data: { ...answer.data, parentToolCallId: 't' } };
  const passing = { type: 'model.call_final_result', ephemeral: true, data: { result: 'success' } };
  expect(read(started, denied, agent, inner, passing, asks, success)).toMatchObject({
    seen: [
      { type: 'tool_call', tool: 'bash' },
      { type: 'tool_result', tool: 'bash', status: 'denied', text: 'Permission denied' },
      { type: 'subagent_started', id: 'a', agent: 'explore', callId: 't', background: false },
      { type: 'text', text: 'Done.', parent: 't', agent: 'explore' },
    ],
    verdict: { outcome: 'failed', reason: 'no_answer' },
  });
});

it('takes the time off the prompt', () => {
  const said = '<current_datetime>2026-11-19T14:11:14.442+00:00</current_datetime>\n\nhello';
  expect(client.authored([said])).toEqual([{ text: 'hello' }]);
  expect(client.authored(['<system_notification>done</system_notification>'])).toEqual([]);
});

it('takes the prompt of the words, else what is piped in', () => {
  expect(promptOf(['--allow-tool', 'a', 'b', '--model', 'm', '-p', 'go'], 'piped')).toBe('go');
  expect(promptOf(['--prompt=go on', '--yolo'], '')).toBe('go on');
  expect(promptOf(['--output-format', 'json'], 'piped')).toBe('piped');
});

it('asks the provider of the user through the recorder, under its own model', () => {
  const env = { COPILOT_PROVIDER_BASE_URL: 'https://models.test/v1/', COPILOT_PROVIDER_API_KEY: 'sk' };
  const [[name, upstream] = []] = client.apis?.upstreams(env) ?? [];
  expect(upstream).toEqual({ baseUrl: 'https://models.test/v1', login: { authorization: 'Bearer sk' }, localPath: '' });
  const real = { env: { COPILOT_MODEL: 'theirs' } };
  expect(agentEnvironment('copilot', { url: 'http://127.0.0.1:1', key: 'k' }, { real }).env).toMatchObject({
    ...{ COPILOT_MODEL: 'theirs', COPILOT_PROVIDER_API_KEY: 'k', COPILOT_OFFLINE: 'true' },
    COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:1/to/${name}`,
  });
});
