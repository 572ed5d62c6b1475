import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { editedCopy, mergedCopy } from '../copy.js';
import { CassetteFile } from '../reader.js';
import { problemsOf } from '../verify.js';
import { importFile } from './import.js';

let scratch: Scratch;
beforeAll(() => {
  scratch = createScratch('cassette-import');
});
afterAll(() => scratch.remove());

const base64 = (text: string) => Buffer.from(text).toString('base64');
const lines = (...entries: unknown[]) => entries.map((entry) => JSON.stringify(entry)).join('\n');

const FILES = {
  aimock: JSON.stringify({
    fixtures: [
      {
        match: { userMessage: 'weather' },
        response: { toolCalls: [{ id: 'call_1', name: 'look', arguments: '{"at":"sky"}' }] },
      },
      { match: { toolCallId: 'call_1' }, response: { content: 'It rains.' } },
      { match: { userMessage: 'crash' }, response: { error: { message: 'overloaded' }, status: 529 } },
    ],
  }),
  ralph: lines(
    { ts: 1000, event: '_meta.loop_start', data: { prompt: 'Build a parser' } },
    { ts: 1010, event: 'ux.terminal.write', data: { bytes: base64('\u001B[32mI will'), stdout: true, offset_ms: 0 } },
    {
      ts: 1020,
      event: 'ux.terminal.write',
      data: { bytes: base64(' plan.\u001B[0m\r\n'), stdout: true, offset_ms: 9 },
    },
    { ts: 1030, event: 'bus.publish', data: { topic: 'build.start', payload: 'step 1' } },
    {
      ts: 1040,
      event: 'ux.terminal.write',
      data: { event: 'ux.terminal.write', data: { bytes: base64('LOOP_COMPLETE'), stdout: true } },
    },
  ),
  'claude-code': lines(
    { type: 'summary', summary: 'x' },
    {
      type: 'user',
      sessionId: 's',
      cwd: '/home/me/app',
      version: '2.1.325',
      timestamp: '2026-11-14T10:00:00.000Z',
      message: { role: 'user', content: 'Read a.py' },
    },
    {
      type: 'assistant',
      sessionId: 's',
      message: { id: 'm1', model: 'claude-x', content: [{ type: 'text', text: 'Looking.' }] },
    },
    {
      type: 'assistant',
      sessionId: 's',
      message: {
        id: 'm1',
        model: 'claude-x',
        content: [{ type: 'tool_use', id: 't1', name: 'Read', input: { file_path: '/home/me/app/a.py' } }],
      },
    },
    {
      type: 'user',
      sessionId: 's',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'print(1)' }] },
    },
    {
      type: 'assistant',
      sessionId: 's',
      message: { id: 'm2', model: 'claude-x', content: [{ type: 'text', text: 'It prints 1.' }] },
    },
  ),
  codex: lines(
    {
      type: 'session_meta',
      payload: { id: 's', cwd: '/home/me/app', cli_version: '0.169.0', timestamp: '2026-11-19T10:00:00.000Z' },
    },
    { type: 'turn_context', payload: { model: 'gpt-x' } },
    { type: 'response_item', payload: { type: 'message', role: 'user', content: [{ text: '<environment_context>' }] } },
    {
      type: 'event_msg',
      payload: {
        type: 'item_completed',
        item: { type: 'UserMessage', content: [{ type: 'text', text: 'Read a.py' }] },
      },
    },
    {
      type: 'response_item',
      payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Looking.' }] },
    },
    {
      type: 'response_item',
      payload: {
        type: 'function_call',
        name: 'exec_command',
        arguments: '{"cmd":"cat /home/me/app/a.py"}',
        call_id: 'c1',
      },
    },
    {
      type: 'response_item',
      payload: { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch', call_id: 'c2' },
    },
    {
      type: 'response_item',
      payload: { type: 'function_call_output', call_id: 'c1', output: 'Process exited with code 3\nOutput:\nno' },
    },
    {
      type: 'response_item',
      payload: { type: 'custom_tool_call_output', call_id: 'c2', output: 'Exit code: 0\nSuccess' },
    },
    {
      type: 'response_item',
      payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It fails.' }] },
    },
    { type: 'event_msg', payload: { type: 'user_message', message: 'And now?' } },
    {
      type: 'response_item',
      payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Nothing.' }] },
    },
  ),
  opencode: JSON.stringify({
    info: { id: 'ses_1', directory: '/home/me/app', version: '1.18.18', time: { created: 1_795_122_423_485 } },
    messages: [
      {
        info: { role: 'user' },
        parts: [
          { type: 'text', text: '"Read a.py"' },
          { type: 'text', text: 'the file', synthetic: true },
        ],
      },
      {
        info: { role: 'assistant', modelID: 'm' },
        parts: [
          { type: 'step-start' },
          { type: 'text', text: 'Looking.' },
          {
            type: 'tool',
            tool: 'read',
            callID: 'c1',
            state: { status: 'error', input: { filePath: '/home/me/app/a.py' }, error: 'no such file' },
          },
        ],
      },
      {
        info: { role: 'assistant', error: { name: 'APIError', data: { message: 'overloaded', statusCode: 529 } } },
        parts: [],
      },
    ],
  }),
  'gemini-cli': lines(
    {
      method: 'generateContentStream',
      response: [
        { candidates: [{ content: { parts: [{ functionCall: { name: 'read_file', args: { path: 'a' } } }] } }] },
      ],
    },
    { method: 'countTokens', response: { totalTokens: 1 } },
    {
      method: 'generateContentStream',
      response: [
        { candidates: [{ content: { parts: [{ text: 'It ' }] } }] },
        { candidates: [{ content: { parts: [{ text: 'prints 1.' }] } }] },
      ],
    },
  ),
};

function imported(format: keyof typeof FILES): string {
  const [source, output] = [join(scratch.path, format), join(scratch.path, `${format}.cassette.jsonl`)];
  writeFileSync(source, FILES[format]);
  expect(importFile(source, output)).toMatchObject({ format });
  expect(problemsOf(output)).toEqual([]);
  return output;
}

function interactions(file: string) {
  const cassette = CassetteFile.open(file);
  const read = cassette.interactions.map((entry) => cassette.read(entry));
  cassette.close();
  return read;
}

it('reads fixtures of aimock: answers to tool results follow the call', () => {
  const [call, then, crash] = interactions(imported('aimock'));
  expect(JSON.stringify(call?.answer.body)).toContain('"input":{"at":"sky"}');
  expect(JSON.stringify(then?.answer.body)).toContain('It rains.');
  expect(then?.conversation).toBe(call?.conversation);
  expect(crash?.answer.status).toBe(529);
});

it('reads a session of Ralph: what was written to the terminal, without its colors', () => {
  const read = interactions(imported('ralph'));
  expect(read.map(({ request, answer }) => [request.body, answer.body])).toMatchObject([
    [{ messages: [{ content: 'Build a parser' }] }, { content: [{ text: 'I will plan.' }] }],
    [{ messages: [{ content: 'build.start: step 1' }] }, { content: [{ text: 'LOOP_COMPLETE' }] }],
  ]);
});

it('reads a transcript of Claude Code, with names in the places of its folders', () => {
  const [first, second] = interactions(imported('claude-code'));
  expect(first?.answer.body).toMatchObject({
    content: [{ text: 'Looking.' }, { name: 'Read', input: { file_path: '{{cwd}}/a.py' } }],
  });
  expect(second?.request.body).toMatchObject({ messages: [{}, {}, { content: [{ content: 'print(1)' }] }] });
});

it('reads a rollout of Codex: what the user said, and not what Codex adds', () => {
  const [first, second, third] = interactions(imported('codex'));
  expect(first?.request.body).toMatchObject({ model: 'gpt-x', messages: [{ content: 'Read a.py' }] });
  expect(first?.answer.body).toMatchObject({
    content: [
      { text: 'Looking.' },
      { name: 'exec_command', input: { cmd: 'cat {{cwd}}/a.py' } },
      { name: 'apply_patch', input: { input: '*** Begin Patch' } },
    ],
  });
  expect(second?.request.body).toMatchObject({ messages: [{}, {}, { content: [{ is_error: true }, {}] }] });
  expect(JSON.stringify(second?.request.body)).not.toMatch(/is_error.*is_error/);
  expect(third?.request.body).toMatchObject({ messages: [{}, {}, {}, {}, { content: 'And now?' }] });
});

it('reads a session of OpenCode: prompts without its quotation marks and additions, errors of tools and models', () => {
  const [first, failed] = interactions(imported('opencode'));
  expect(first?.request.body).toMatchObject({ messages: [{ content: 'Read a.py' }] });
  expect(first?.answer.body).toMatchObject({
    content: [{ text: 'Looking.' }, { name: 'read', input: { filePath: '{{cwd}}/a.py' } }],
  });
  expect(failed?.request.body).toMatchObject({
    messages: [{}, {}, { content: [{ is_error: true, content: 'no such file' }] }],
  });
  expect(failed?.answer).toMatchObject({ status: 529 });
});

it('reads what Gemini CLI recorded: answers alone', () => {
  const [call, then] = interactions(imported('gemini-cli'));
  expect(call?.answer.body).toMatchObject({ content: [{ name: 'read_file' }] });
  expect(then?.answer.body).toMatchObject({ content: [{ text: 'It prints 1.' }] });
});

it('refuses another file', () => {
  const file = join(scratch.path, 'other.txt');
  writeFileSync(file, 'hello\n');
  expect(() => importFile(file, join(scratch.path, 'x'))).toThrow(expect.objectContaining({ code: 'CASSETTE_IMPORT' }));
});

it('edits and merges', () => {
  const [one, two] = [join(scratch.path, 'one.cassette.jsonl'), join(scratch.path, 'two.cassette.jsonl')];
  writeFileSync(join(scratch.path, 'again'), FILES.aimock);
  importFile(join(scratch.path, 'again'), one);
  expect(editedCopy(one, two, { drop: [3], replace: [['rains', 'snows']] })).toBe(2);
  expect(JSON.stringify(interactions(two))).toContain('It snows.');
  expect(() => editedCopy(one, two, { drop: [9] })).toThrow(expect.objectContaining({ code: 'CASSETTE_EDIT' }));
  const merged = join(scratch.path, 'merged.cassette.jsonl');
  expect(mergedCopy([one, two], merged)).toBe(5);
  expect(problemsOf(merged)).toEqual([]);
  expect(interactions(merged).map(({ number, conversation }) => `${number} ${conversation}`)).toEqual([
    '1 c1',
    '2 c1',
    '3 c2',
    '4 c3',
    '5 c3',
  ]);
});
