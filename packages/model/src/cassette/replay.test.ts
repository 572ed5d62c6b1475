import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { defineScenario } from '@understudy/script';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../server/server.js';
import { awsFrame } from './aws-stream.js';
import { CassetteFile } from './reader.js';
import { startRecording, startReplay } from './start.js';
import { problemsOf } from './verify.js';
import { CassetteWriter } from './writer.js';

let scratch: Scratch;
let file: string;
const closing: { close(): Promise<unknown> }[] = [];

beforeEach(() => {
  scratch = createScratch('cassette');
  file = join(scratch.path, 'talk.cassette.jsonl');
});
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close();
  await scratch.remove();
});

const KEY = 'sk-upstream-key-0123456789';

async function upstream(): Promise<ModelServer> {
  const server = await startModelServer({
    key: KEY,
    scenario: defineScenario({
      responses: [
        {
          pattern: { type: 'contains', text: 'weather' },
          response: { tool_calls: [{ tool: 'look', input: { at: 'sky' } }], then: 'It rains.' },
        },
        {
          pattern: { type: 'contains', text: 'busy' },
          response: 'At last.',
          failure: { type: 'overloaded', times: 1 },
        },
      ],
      default_response: 'I heard you.',
    }),
  });
  closing.push(server);
  return server;
}

async function recording(environment: Record<string, string>) {
  const { server } = await startRecording({ file, header: { agents: [] }, environment });
  closing.push(server);
  return server;
}

async function replay(options: { speed?: number } = {}) {
  const server = await startReplay({ file, ...options });
  closing.push(server);
  return server;
}

interface SentRequest {
  path: string;
  headers?: Record<string, string>;
  body: unknown;
}

async function ask(
  { url, key }: ModelServer,
  { path, headers = { authorization: `Bearer ${key}` }, body }: SentRequest,
) {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

const message = (content: string, more = {}) => ({
  path: '/v1/messages',
  body: { model: 'm', max_tokens: 10, stream: true, messages: [{ role: 'user', content }], ...more },
});

describe('each protocol', () => {
  const said = 'hello there';
  it.each<[string, SentRequest, (url: string) => Record<string, string>]>([
    ['Anthropic’s', message(said), (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY })],
    [
      'OpenAI’s chat',
      { path: '/v1/chat/completions', body: { model: 'm', stream: true, messages: [{ role: 'user', content: said }] } },
      (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: KEY }),
    ],
    [
      'OpenAI’s responses',
      { path: '/v1/responses', body: { model: 'm', stream: true, input: said } },
      (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: KEY }),
    ],
    [
      'Gemini’s',
      {
        path: '/v1beta/models/m:streamGenerateContent?alt=sse',
        body: { contents: [{ role: 'user', parts: [{ text: said }] }] },
      },
      (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: KEY }),
    ],
    [
      'Vertex’s',
      {
        path: '/key/{key}/v1/projects/p/locations/l/publishers/anthropic/models/claude-x:streamRawPredict',
        headers: { authorization: `Bearer ${KEY}` },
        body: { anthropic_version: 'vertex-2023-10-16', max_tokens: 9, messages: [{ role: 'user', content: said }] },
      },
      (url) => ({ CLAUDE_CODE_USE_VERTEX: '1', ANTHROPIC_VERTEX_BASE_URL: `${url}/v1` }),
    ],
  ])('%s answers again what it answered, when the model is gone', async (_, asked, environment) => {
    const model = await upstream();
    const recorder = await recording(environment(model.url));
    const withKey = (server: ModelServer) => ({ ...asked, path: asked.path.replace('{key}', server.key) });
    const first = await ask(recorder, withKey(recorder));
    expect(first).toMatchObject({ status: 200, text: expect.stringContaining('heard') });
    await recorder.close();
    await model.close();
    const server = await replay();
    const again = await ask(server, withKey(server));
    expect(again.status).toBe(200);
    expect(again.text.replaceAll('\r', '')).toBe(first.text.replaceAll('\r', ''));
    expect(server.usage()).toEqual({ unused: [], unmatched: [] });
    expect(readFileSync(file, 'utf8')).not.toContain(KEY);
    expect(problemsOf(file)).toEqual([]);
  });

  it('Bedrock’s stream of frames comes again, byte for byte', async () => {
    const events = ['message_start', 'message_stop'].map((type) => awsFrame({ at: 0, event: 'chunk', data: { type } }));
    const bedrock = createServer((request, response) => {
      expect(request.headers.authorization).toBe(`Bearer ${KEY}`);
      request.resume();
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
      response.end(Buffer.concat(events));
    });
    await new Promise<void>((resolve) => bedrock.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(bedrock.address() as AddressInfo).port}`;
    const recorder = await recording({ AWS_BEARER_TOKEN_BEDROCK: KEY, ANTHROPIC_BEDROCK_BASE_URL: url });
    const asked = { path: '/model/us.anthropic.claude-x-v1%3A0/invoke-with-response-stream', body: message(said).body };
    const first = await ask(recorder, asked);
    expect(Buffer.from(first.text).length).toBeGreaterThan(50);
    await recorder.close();
    await new Promise((resolve) => bedrock.close(resolve));
    expect(await ask(await replay(), asked)).toEqual(first);
    expect(readFileSync(file, 'utf8')).toContain('"type":"message_stop"');
  });
});

async function recordTalks(...prompts: string[]): Promise<void> {
  const model = await upstream();
  const recorder = await recording({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: KEY });
  await Promise.all(prompts.map((prompt) => ask(recorder, message(prompt))));
  await recorder.close();
  await model.close();
}

it('keeps two conversations apart that were recorded at once, in whatever order they come', async () => {
  const model = await upstream();
  const recorder = await recording({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: KEY });
  const claude = (session: string) => ({ 'user-agent': 'claude-cli/2.1.325', 'x-claude-code-session-id': session });
  const tools = [{ name: 'look', input_schema: { type: 'object', properties: { at: {} } } }];
  const talk = async (server: ModelServer, session: string, place: string) => {
    const headers = { ...claude(session), 'x-api-key': server.key };
    const question = { role: 'user', content: `the weather in ${place}` };
    const call = await ask(server, { ...message(''), headers, body: { model: 'm', tools, messages: [question] } });
    const { content } = JSON.parse(call.text) as { content: { id?: string; type: string }[] };
    const id = content.find(({ type }) => type === 'tool_use')?.id;
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `clouds in ${place}` }] };
    const messages = [question, { role: 'assistant', content }, result];
    return ask(server, { ...message(''), headers, body: { model: 'm', tools, messages } });
  };
  await Promise.all([talk(recorder, 'a', 'Rome'), talk(recorder, 'b', 'Oslo')]);
  await recorder.close();
  const names = CassetteFile.open(file).interactions.map(({ conversation }) => conversation);
  expect(new Set(names)).toEqual(new Set(['c1', 'c2']));
  const server = await replay();
  const [second, first] = await Promise.all([talk(server, 'x', 'Oslo'), talk(server, 'y', 'Rome')]);
  expect([second?.status, first?.status]).toEqual([200, 200]);
  expect(server.usage()).toEqual({ unused: [], unmatched: [] });
});

it('shows the first difference, and tells what was not asked for', async () => {
  await recordTalks('please fix\nthe login\nnow');
  const server = await replay();
  const answer = await ask(server, message('please fix\nthe logout\nnow'));
  expect(answer.status).toBe(418);
  expect(answer.text).toContain('prompt 1 differs from the recording');
  expect(server.usage()).toMatchObject({
    unused: [{ kind: 'interaction', rulePath: 'interaction 1' }],
    unmatched: [
      {
        message:
          'turn 1, request 1 of conversation c1: prompt 1 differs from the recording\n  please fix\n- the login\n+ the logout\n  now',
      },
    ],
  });
});

it.each([
  ['another model', { model: 'other' }, 'the model differs'],
  ['another tool', { tools: [{ name: 'x', input_schema: {} }] }, 'the list of tools differs'],
])('refuses %s', async (_, more, problem) => {
  await recordTalks('hello');
  const server = await replay();
  expect((await ask(server, message('hello', more))).text).toContain(problem);
});

it('does not mind what differs in every run', async () => {
  await recordTalks('commit 4f2a9c1 of 2026-11-15 in /tmp/run-1/project, request 4f7a2b3c-1d2e-4f5a-8b9c-0d1e2f3a4b5c');
  const server = await replay();
  const again = 'commit 9e8d7c6 of 2027-01-02 in /tmp/run-2/project, request 00000000-1d2e-4f5a-8b9c-0d1e2f3a4b5c';
  expect((await ask(server, message(again))).status).toBe(200);
});

it('refuses a second time what was asked once, and repeats a failure as it was', async () => {
  const model = await upstream();
  const recorder = await recording({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: KEY });
  const statuses = async (server: ModelServer) => [
    (await ask(server, message('are you busy?'))).status,
    (await ask(server, message('are you busy?'))).status,
  ];
  expect(await statuses(recorder)).toEqual([529, 200]);
  await recorder.close();
  const server = await replay();
  expect(await statuses(server)).toEqual([529, 200]);
  expect((await ask(server, message('are you busy?'))).text).toContain('no more answers');
});

it('loads what a killed recorder left, up to the last whole interaction, and says that it is cut', async () => {
  await recordTalks('one', 'two');
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const cut = join(scratch.path, 'cut.cassette.jsonl');
  writeFileSync(cut, `${lines.slice(0, -1).join('\n')}\n`);
  appendFileSync(cut, '{"type":"interaction","number":3,"conver');
  const cassette = CassetteFile.open(cut);
  expect(cassette.interactions).toHaveLength(2);
  expect(cassette.isCut).toBe(true);
  cassette.close();
  expect(problemsOf(cut)).toEqual(['it was cut: its recorder was killed']);
  await expect(startReplay({ file: cut })).rejects.toMatchObject({ code: 'CASSETTE_CUT' });
});

it('says what is wrong with a header', () => {
  writeFileSync(file, '{"type":"cassette","version":1}\n');
  expect(() => CassetteFile.open(file)).toThrow('Invalid input: expected string, received undefined');
});

it.each([
  [1, 150],
  [undefined, 600_000],
])('with the speed %s, an answer that took %i ms is not waited for longer', async (speed, milliseconds) => {
  const writer = new CassetteWriter({ file, header: { agents: [] } });
  const delta = (at: number) => ({ at, data: { type: 'content_block_delta', index: 0, delta: { text: 'x' } } });
  writer.interaction({
    ...{ number: 1, conversation: 'c1', kind: 'answer', protocol: 'anthropic-messages', client: 'library', at: 0 },
    request: { method: 'POST', headers: {}, path: '/v1/messages', body: message('slow').body },
    answer: { status: 200, headers: {}, after: 50, form: 'stream', events: [delta(0), delta(milliseconds)] },
  });
  writer.close();
  const server = await replay(speed === undefined ? {} : { speed });
  const started = performance.now();
  await ask(server, message('slow'));
  if (speed !== undefined) expect(performance.now() - started).toBeGreaterThan(190);
});
