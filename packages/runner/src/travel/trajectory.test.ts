import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch } from '@understudy/kit';
import type { EntryResult, RunResult } from '@understudy/verdict';
import { expect, it, onTestFinished } from 'vitest';
import { makeTrajectory } from './trajectory.js';

function trajectoryOf(events: readonly Record<string, unknown>[], stage = 'live') {
  const scratch = createScratch('trajectory-test');
  onTestFinished(() => scratch.remove());
  mkdirSync(join(scratch.path, 'logs'));
  const lines = events.map((event, seq) => JSON.stringify({ seq, at: '2026-11-19T10:00:00.000Z', turn: 1, ...event }));
  writeFileSync(join(scratch.path, 'logs/events.jsonl'), lines.join('\n'));
  const entry = { name: 'a', stage, status: 'passed', logs: 'logs' } as EntryResult;
  const run = { understudy_version: '0.1.0' } as RunResult;
  return makeTrajectory(entry, { run, folder: scratch.path });
}

const session = { type: 'session', agent: 'codex', version: '1', stage: 'live', cwd: '/p', sessionId: 's', model: 'm' };
const prompt = { type: 'prompt', id: 'p', text: 'go' };
const call = (id: string, more = {}) => ({ type: 'tool_call', id, tool: 'shell', input: { command: id }, ...more });
const result = (id: string, more = {}) => ({
  type: 'tool_result',
  id,
  tool: 'shell',
  text: 'ok',
  status: 'ok',
  ...more,
});

it('makes one step of an answer and the results of its tools, and counts tokens as Harbor does', () => {
  const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4 };
  const trajectory = trajectoryOf([
    ...[session, prompt, { type: 'thinking', text: 'hm' }, { type: 'text', text: 'I look.' }, call('a'), call('b')],
    ...[result('b'), result('a', { status: 'denied' }), call('c'), result('c'), { type: 'text', text: 'Done.' }],
    { type: 'turn_ended', outcome: 'completed', milliseconds: 1, usage, costUsd: 0.5 },
  ]);
  expect(trajectory).toMatchObject({
    session_id: 's',
    agent: { name: 'codex', version: '1', model_name: 'm' },
    final_metrics: { total_steps: 4, total_prompt_tokens: 10, total_completion_tokens: 2, total_cached_tokens: 4 },
  });
  expect(trajectory).not.toHaveProperty('notes');
  expect(trajectory.steps.map(({ source, message, tool_calls }) => [source, message, tool_calls?.length])).toEqual([
    ...[
      ['user', 'go', undefined],
      ['agent', 'I look.', 2],
      ['agent', '', 1],
      ['agent', 'Done.', undefined],
    ],
  ]);
  expect(trajectory.steps[1]).toMatchObject({
    reasoning_content: 'hm',
    observation: { results: [{ source_call_id: 'b' }, { source_call_id: 'a', extra: { status: 'denied' } }] },
  });
});

it('counts what Anthropic read from a cache as a part of the prompt', () => {
  const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4, cacheWriteTokens: 3 };
  const ended = { type: 'turn_ended', outcome: 'completed', milliseconds: 1, usage };
  const { agent, final_metrics } = trajectoryOf([{ ...session, agent: 'claude' }, prompt, ended]);
  expect(agent.name).toBe('claude-code');
  expect(final_metrics).toMatchObject({ total_prompt_tokens: 17, total_cached_tokens: 4 });
});

it('has subagents as trajectories, with what they said last', () => {
  const { steps, subagent_trajectories: subagents } = trajectoryOf([
    ...[
      session,
      prompt,
      call('a'),
      { type: 'subagent_started', id: 'x', agent: 'helper', prompt: 'help', callId: 'a' },
    ],
    ...[call('b', { parent: 'a' }), result('b', { parent: 'a' })],
    ...[{ type: 'subagent_finished', id: 'x', status: 'completed', summary: 'Helped.' }, result('a')],
  ]);
  expect(steps[1]?.observation?.results[0]).toMatchObject({ subagent_trajectory_ref: [{ trajectory_id: 'a' }] });
  expect(subagents).toMatchObject([
    { trajectory_id: 'a', agent: { name: 'helper' }, steps: [{ message: 'help' }, {}, { message: 'Helped.' }] },
  ]);
});

it('has the words of the CLI in the place of an answer as no words of a model', () => {
  const { steps } = trajectoryOf([
    ...[session, prompt, { type: 'text', text: 'API Error' }],
    { type: 'turn_ended', outcome: 'failed', reason: 'api_error', message: 'API Error', milliseconds: 1 },
  ]);
  expect(steps).toMatchObject([{}, { source: 'agent', llm_call_count: 0 }, { source: 'system' }]);
});

it('has the calls of a program as trajectories, says where a script answered, and refuses where nobody spoke', () => {
  const program = { type: 'program', step: 1, command: ['./x', 'a b'], cwd: '/p', code: 0, stdout: 'out', stderr: '' };
  const inCall = { step: 1, call: 1 };
  const made = trajectoryOf([program, { ...session, ...inCall }, { ...prompt, ...inCall }], 'scripted');
  expect(made.notes).toContain('a script said');
  expect(made.steps).toMatchObject([{ message: "./x 'a b'" }, { llm_call_count: 0 }]);
  expect(made.subagent_trajectories).toMatchObject([{ trajectory_id: 'step-1-call-1', session_id: 's' }]);
  expect(() => trajectoryOf([session])).toThrow(expect.objectContaining({ code: 'EXPORT_REFUSED' }));
});
