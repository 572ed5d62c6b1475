import type { Exit } from '@understudy/kit';
import { describe, expect, it } from 'vitest';
import { CodexReader } from './codex/reader.js';
import type { EventBody } from './events.js';
import { GeminiReader } from './gemini/reader.js';
import { OpenCodeReader } from './opencode/reader.js';
import type { TurnReader, TurnVerdict } from './turn-reader.js';

const exit = (code: number): Exit => ({ code, signal: null });

function read(reader: TurnReader, lines: unknown[], code = 0): { events: EventBody[]; verdict: TurnVerdict } {
  const events = lines.flatMap((line) => reader.read(typeof line === 'string' ? line : JSON.stringify(line)));
  return { events, verdict: reader.verdict(exit(code), '') };
}

describe('OpenCode', () => {
  const step = (reason: string) => ({
    type: 'step_finish',
    part: { reason, tokens: { input: 3, output: 2 }, cost: 0.5 },
  });
  const tool = (state: Record<string, unknown>) => ({
    type: 'tool_use',
    part: { tool: 'bash', callID: 'c', state: { input: { command: 'ls' }, ...state } },
  });

  it('adds up steps and takes "stop" for the end', () => {
    const { verdict } = read(new OpenCodeReader(), [step('tool-calls'), step('stop')]);
    expect(verdict).toMatchObject({ outcome: 'completed', usage: { inputTokens: 6, outputTokens: 4 }, costUsd: 1 });
  });

  it('takes "unknown" with exit code 0 for no answer', () => {
    expect(read(new OpenCodeReader(), [step('unknown')]).verdict).toMatchObject({
      outcome: 'failed',
      reason: 'no_answer',
    });
  });

  it('takes a rejected tool with exit code 0 for a failure', () => {
    const rejected = tool({ status: 'error', error: 'The user rejected permission to use this specific tool call.' });
    const { events, verdict } = read(new OpenCodeReader(), [rejected, step('tool-calls')]);
    expect(events).toMatchObject([{ type: 'tool_call' }, { type: 'tool_result', status: 'denied' }]);
    expect(verdict).toMatchObject({ outcome: 'failed', reason: 'rejected_tool' });
  });

  it('tells a command that failed although its state is "completed"', () => {
    const { events } = read(new OpenCodeReader(), [tool({ status: 'completed', output: 'hi', metadata: { exit: 3 } })]);
    expect(events[1]).toMatchObject({ status: 'error', exitCode: 3 });
  });

  it('tells an error of the API, and silence', () => {
    const error = { type: 'error', error: { name: 'APIError', data: { message: 'bad key', statusCode: 401 } } };
    expect(read(new OpenCodeReader(), [error], 1).verdict).toMatchObject({
      outcome: 'failed',
      reason: 'api_error',
      message: 'bad key',
    });
    expect(read(new OpenCodeReader(), []).verdict).toMatchObject({ outcome: 'failed', reason: 'no_answer' });
  });
});

describe('Codex', () => {
  it('unwraps the login shell, and tells exit codes', () => {
    const item = (command: string) => ({
      type: 'item.completed',
      item: { id: '1', type: 'command_execution', command, aggregated_output: 'x', exit_code: 4, status: 'failed' },
    });
    const started = (command: string) => ({
      type: 'item.started',
      item: { id: '1', type: 'command_execution', command, status: 'in_progress' },
    });
    const commands = [
      "/bin/bash -lc 'echo hi; exit 4'",
      '/bin/bash -lc ls',
      "bash -lc 'echo '\\''a'\\'''",
      'plain command',
    ];
    const { events } = read(new CodexReader(), [...commands.map(started), item('ls')]);
    expect(events.map((event) => (event.type === 'tool_call' ? event.input['command'] : event.type))).toEqual([
      'echo hi; exit 4',
      'ls',
      "echo 'a'",
      'plain command',
      'tool_result',
    ]);
    expect(events.at(-1)).toMatchObject({ status: 'error', exitCode: 4 });
  });

  it('takes the total of a thread for what it is, not for the usage of the turn', () => {
    const turn = (output_tokens: number) => [
      { type: 'thread.started', thread_id: 'th' },
      { type: 'turn.completed', usage: { input_tokens: 10 * output_tokens, output_tokens, cached_input_tokens: 1 } },
    ];
    const totals = new Map();
    const used = (output: number, resumed = false) =>
      read(new CodexReader({ totals, resumed }), turn(output)).verdict.usage;
    expect(used(5)).toEqual({ inputTokens: 50, outputTokens: 5, cacheReadTokens: 1 });
    expect(used(7)).toEqual({ inputTokens: 20, outputTokens: 2, cacheReadTokens: 0 });
    totals.clear();
    expect([used(9, true), used(12, true)?.outputTokens]).toEqual([undefined, 3]);
  });

  it('does not take its warning about the model for a failure', () => {
    const lines = [
      { type: 'thread.started', thread_id: 'th' },
      { type: 'item.completed', item: { id: '0', type: 'error', message: 'Model metadata not found' } },
      { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 2 } },
    ];
    const reader = new CodexReader();
    expect(read(reader, lines).verdict).toMatchObject({
      outcome: 'completed',
      usage: { inputTokens: 1, outputTokens: 2 },
    });
    expect(reader.sessionId).toBe('th');
  });

  it('needs to see the turn completed, whatever the exit code', () => {
    expect(read(new CodexReader(), [{ type: 'turn.started' }]).verdict).toMatchObject({
      outcome: 'failed',
      reason: 'no_answer',
    });
    const failed = { type: 'turn.failed', error: { message: 'unexpected status 401 Unauthorized' } };
    expect(read(new CodexReader(), [failed], 1).verdict).toMatchObject({ outcome: 'failed', reason: 'api_error' });
  });

  it.each([
    ["/bin/bash -lc 'echo hi; exit 3'", 'echo hi; exit 3'],
    ['/bin/bash -lc ls', 'ls'],
    [`/bin/bash -lc "printf 'it'\\\\''s \\"q\\" "'$HOME'"'; exit 0"`, `printf 'it'\\''s "q" $HOME'; exit 0`],
  ])('tells the command that was asked for: %s', (command, asked) => {
    const started = {
      type: 'item.started',
      item: { id: 'i', type: 'command_execution', command, status: 'in_progress' },
    };
    expect(read(new CodexReader(), [started]).events).toMatchObject([{ input: { command: asked } }]);
  });
});

describe('Gemini', () => {
  const say = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true });

  it('joins the pieces of a text and tells it before what follows', () => {
    const lines = [
      say('Hel'),
      say('lo'),
      { type: 'tool_use', tool_name: 'ls', tool_id: '1' },
      say('!'),
      { type: 'result', status: 'success' },
    ];
    const { events, verdict } = read(new GeminiReader(), lines);
    expect(events.map((event) => (event.type === 'text' ? event.text : event.type))).toEqual([
      'Hello',
      'tool_call',
      '!',
    ]);
    expect(verdict.outcome).toBe('completed');
  });

  it('believes the result and not the exit code', () => {
    expect(read(new GeminiReader(), [{ type: 'result', status: 'error' }], 0).verdict).toMatchObject({
      outcome: 'failed',
    });
    const error = { type: 'result', status: 'error', error: { message: '[API Error: bad key]' } };
    expect(read(new GeminiReader(), [error], 145).verdict).toMatchObject({ outcome: 'failed', reason: 'api_error' });
    expect(read(new GeminiReader(), [], 55).verdict).toMatchObject({ outcome: 'failed', reason: 'untrusted_folder' });
    expect(read(new GeminiReader(), [], 0).verdict).toMatchObject({ outcome: 'failed', reason: 'no_answer' });
  });
});

it.each([new OpenCodeReader(), new CodexReader(), new GeminiReader()])(
  'keeps lines that it does not know (%o)',
  (reader) => {
    const { events } = read(reader, ['not json', '{"type":"brand_new"}', '[]', '{"no":"type"}']);
    expect(events.map(({ type }) => type)).toEqual(Array(4).fill('unknown'));
  },
);
