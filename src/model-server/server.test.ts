import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../process/scratch.js';
import { defineScenario } from '../scenario/load.js';
import { type ModelServer, type ModelServerOptions, startModelServer } from './server.js';

async function serve(document: object, options: Partial<ModelServerOptions> = {}): Promise<ModelServer> {
  const server = await startModelServer({ scenario: defineScenario(document), ...options });
  onTestFinished(() => server.close());
  return server;
}

/** What a client must send to be heard. */
const known = ({ key }: ModelServer) => ({ 'content-type': 'application/json', 'x-api-key': key });

type Message = { role: string; content: unknown };

async function ask(
  server: ModelServer,
  messages: Message[] | string,
  headers: Record<string, string> = {},
  more: object = {},
) {
  const list = typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages;
  const tools = [{ name: 'Bash', input_schema: { properties: { command: {} } } }];
  const response = await fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    headers: { ...known(server), ...headers },
    body: JSON.stringify({ model: 'm', max_tokens: 100, tools, messages: list, ...more }),
  });
  const body = (await response.json()) as {
    id: string;
    content: { type: string; text?: string; id?: string }[];
    error?: { message: string };
  };
  return { status: response.status, body, text: (body.content ?? []).map((block) => block.text ?? '').join('') };
}

const claude = (session: string, agent?: string) => ({
  'user-agent': 'claude-cli/2.1.325',
  'x-claude-code-session-id': session,
  ...(agent === undefined ? {} : { 'x-claude-code-agent-id': agent }),
});

const turns = {
  responses: [
    {
      pattern: { type: 'exact', text: 'begin' },
      response: 'Begun.',
      turns: [
        { expect: { type: 'exact', text: 'next' }, response: 'Second.' },
        { expect: { type: 'exact', text: 'next' }, response: 'Third.' },
      ],
    },
  ],
};

const history = (...said: string[]): Message[] =>
  said.flatMap((content, index) =>
    index === 0
      ? [{ role: 'user', content }]
      : [
          { role: 'assistant', content: 'ok' },
          { role: 'user', content },
        ],
  );

describe('conversations', () => {
  it('have turns of their own, by session', async () => {
    const server = await serve(turns);
    await ask(server, 'begin', claude('a'));
    await ask(server, 'begin', claude('b'));
    expect((await ask(server, history('begin', 'next'), claude('a'))).text).toBe('Second.');
    expect((await ask(server, history('begin', 'next', 'next'), claude('a'))).text).toBe('Third.');
    expect((await ask(server, history('begin', 'next'), claude('b'))).text).toBe('Second.');
    expect(server.conversations.all()).toHaveLength(2);
  });

  it('are told apart by their transcripts where no session is named', async () => {
    const server = await serve(turns);
    await ask(server, 'begin');
    await ask(server, 'begin');
    expect((await ask(server, history('begin', 'next'))).text).toBe('Second.');
    expect((await ask(server, history('begin', 'next'))).text).toBe('Second.');
    expect((await ask(server, history('begin', 'next', 'next'))).text).toBe('Third.');
    expect(server.conversations.all()).toHaveLength(2);
  });

  it('keep agents of one session apart', async () => {
    const server = await serve(turns);
    await ask(server, 'begin', claude('a'));
    await ask(server, 'begin', claude('a', 'sub'));
    expect((await ask(server, history('begin', 'next'), claude('a', 'sub'))).text).toBe('Second.');
    expect((await ask(server, history('begin', 'next'), claude('a'))).text).toBe('Second.');
    expect(server.conversations.all().map((conversation) => conversation.agent)).toEqual(['subagent', undefined]);
  });

  it('go on where they were when a session is forked', async () => {
    const server = await serve(turns);
    await ask(server, 'begin', claude('a'));
    expect((await ask(server, history('begin', 'next'), claude('fork'))).text).toBe('Second.');
    expect((await ask(server, history('begin', 'next'), claude('a'))).text).toBe('Second.');
  });

  it('have ids that depend on what is said, not on who comes first', async () => {
    const ids = async (...prompts: string[]) => {
      const server = await serve({ default_response: 'ok' });
      for (const prompt of prompts) await ask(server, prompt, claude(prompt));
      return server.conversations
        .all()
        .map((conversation) => conversation.id)
        .sort();
    };
    expect(await ids('one', 'two')).toEqual(await ids('two', 'one'));
  });
});

describe('a retry', () => {
  it('gets the same answer, and is not matched again', async () => {
    const server = await serve({ responses: [{ pattern: { type: 'any' }, response: 'Only once.', max_matches: 1 }] });
    const first = await ask(server, 'x', claude('a'));
    const again = await ask(server, 'x', claude('a'), { tools: [], system: 'something else' });
    expect(again.body).toEqual(first.body);
    expect((await ask(server, history('x', 'x'), claude('a'))).status).toBe(418);
    expect(server.script.usage.count(0)).toBe(1);
    expect(server.journal.entries().map((entry) => entry.attempt)).toEqual([1, 2, 1]);
  });

  it('counts toward the failures that come first, with a session and without', async () => {
    for (const headers of [claude('a'), {}]) {
      const server = await serve({
        responses: [{ pattern: { type: 'any' }, response: 'Now.', failure: { type: 'server_error', times: 2 } }],
      });
      const statuses = [];
      for (let attempt = 0; attempt < 3; attempt++) statuses.push((await ask(server, 'x', headers)).status);
      expect(statuses).toEqual([500, 500, 200]);
    }
  });
});

describe('a fault', () => {
  it.each([{}, claude('a')])('strikes once, and the retry is answered (headers: %j)', async (headers) => {
    const server = await serve({ default_response: 'ok', faults: [{ request: 1, failure: { type: 'overloaded' } }] });
    expect((await ask(server, 'x', headers)).status).toBe(529);
    expect((await ask(server, 'x', headers)).text).toBe('ok');
    expect(server.journal.entries().map((entry) => entry.rulePath)).toEqual(['faults[0]', 'default_response']);
  });
});

describe('tool results', () => {
  const document = {
    responses: [
      {
        pattern: { type: 'regex', pattern: 'run (\\w+)' },
        response: {
          tool_calls: [{ tool: 'shell', input: { command: '{{1}}' } }],
          then: [{ expect: { type: 'contains', text: 'fine' }, response: '{{results}} for {{prompt}}' }],
        },
      },
    ],
  };
  const results = (prompt: string, id: string | undefined, content: string): Message[] => [
    { role: 'user', content: prompt },
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ];

  it('find their call, however conversations are interleaved', async () => {
    const server = await serve(document);
    const one = (await ask(server, 'run one')).body.content[0]?.id;
    const two = (await ask(server, 'run two')).body.content[0]?.id;
    expect((await ask(server, results('run two', two, 'fine'))).text).toBe('fine for run two');
    expect((await ask(server, results('run one', one, 'fine'))).text).toBe('fine for run one');
  });

  it('that no branch takes are an error, once', async () => {
    const server = await serve(document);
    const id = (await ask(server, 'run one', claude('a'))).body.content[0]?.id;
    for (let attempt = 0; attempt < 2; attempt++) {
      const { status, body } = await ask(server, results('run one', id, 'bad'), claude('a'));
      expect([status, body.error?.message]).toEqual([
        418,
        expect.stringContaining('no branch of responses[0].then matches the tool results "bad"'),
      ]);
    }
    expect(server.script.usage.unmatched).toHaveLength(1);
  });

  it('of calls that were never made are an error', async () => {
    const server = await serve(document);
    const { status, body } = await ask(server, results('run', 'toolu_strange', 'x'));
    expect([status, body.error?.message]).toEqual([
      418,
      expect.stringContaining('results of tool calls that this server did not make (toolu_strange)'),
    ]);
    expect(server.script.usage.unmatched).toHaveLength(1);
  });
});

describe('the server', () => {
  it('says the problem as the answer when it is not strict', async () => {
    const server = await serve({}, { strict: false });
    const { status, text } = await ask(server, 'hello');
    expect([status, text]).toEqual([
      200,
      expect.stringContaining('no rule of the scenario answers the prompt "hello"'),
    ]);
    expect(server.journal.entries({ kind: 'unanswered' })).toHaveLength(1);
  });

  it('reports a tool that the request does not offer, once', async () => {
    const server = await serve({
      responses: [{ pattern: { type: 'any' }, response: { tool_calls: [{ tool: 'Fly' }] } }],
    });
    for (let attempt = 0; attempt < 2; attempt++) {
      const { status, body } = await ask(server, 'x', claude('a'));
      expect([status, body.error?.message]).toEqual([
        418,
        'understudy: responses[0] calls the tool "Fly", which this request does not offer. Use one of the tools that it offers: Bash.',
      ]);
    }
    expect(server.script.usage.unmatched).toHaveLength(1);
  });

  it('addresses rules by system prompt and model', async () => {
    const server = await serve({
      responses: [
        { pattern: { type: 'any' }, when: { system: 'reviewer' }, response: 'I review.' },
        { pattern: { type: 'any' }, when: { model: 'm*' }, response: 'I am m.' },
      ],
    });
    expect((await ask(server, 'x', {}, { system: [{ type: 'text', text: 'You are a reviewer.' }] })).text).toBe(
      'I review.',
    );
    expect((await ask(server, 'x')).text).toBe('I am m.');
  });

  it('waits as long as the scenario says', async () => {
    const server = await serve({ default_response: { text: 'Late.', delay_ms: 150 } });
    const started = performance.now();
    expect((await ask(server, 'x')).text).toBe('Late.');
    expect(performance.now() - started).toBeGreaterThan(140);
  });

  it('refuses a large body with a mistake in what it looks at', async () => {
    const server = await serve({ default_response: 'ok' });
    const broken = `{"padding":"${'x'.repeat(9000)}","messages":[${'nope,'.repeat(1000)}1]}`;
    const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', headers: known(server), body: broken });
    expect(response.status).toBe(400);
  });

  it('tells of every request, and no key', async () => {
    const server = await serve({ default_response: 'ok' }, { key: 'sk-secret-of-a-user' });
    const heard: number[] = [];
    server.journal.onEntry((entry) => heard.push(entry.number));
    await ask(server, 'hello', { authorization: 'Bearer sk-secret-of-a-user' });
    await fetch(`${server.url}/v1beta/models?key=sk-secret-of-a-user`);
    await fetch(server.url, { method: 'HEAD' });
    expect(heard).toEqual([1, 2, 3]);
    const [entry] = server.journal.entries({ kind: 'answer' });
    expect(entry).toMatchObject({
      prompt: 'hello',
      rulePath: 'default_response',
      status: 200,
      client: 'library',
      answer: { text: 'ok', stop: 'end_turn' },
    });
    expect(entry?.body).toMatchObject({ model: 'm' });
    expect(JSON.stringify(server.journal.entries())).not.toContain('sk-secret');
  });

  it('notes a client that has gone before the end', async () => {
    const server = await serve({ default_response: { text: 'word '.repeat(200), pace: { tokens_per_second: 20 } } });
    const controller = new AbortController();
    const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'x' }] });
    const response = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      headers: known(server),
      body,
      signal: controller.signal,
    });
    await response.body?.getReader().read();
    const noted = new Promise((resolve) => server.journal.onEntry(resolve));
    controller.abort();
    expect(await noted).toMatchObject({ kind: 'answer', incomplete: true });
  });

  it('ends every connection when it is closed, also those that wait', async () => {
    const server = await startModelServer({
      scenario: defineScenario({ default_response: { text: 'x', delay_ms: 60_000 } }),
    });
    const idle = connect(server.port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    const waiting = ask(server, 'x').catch((error: Error) => error);
    const closed = new Promise((resolve) => idle.once('close', resolve));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await server.close();
    expect(await waiting).toBeInstanceOf(Error);
    await closed;
    await expect(fetch(server.url)).rejects.toThrow();
    await server.close();
  });

  it('listens on loopback only, and says why it cannot', async () => {
    const server = await serve({});
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    await expect(serve({}, { port: server.port })).rejects.toMatchObject({
      code: 'CANNOT_LISTEN',
      fix: expect.stringContaining('another port'),
    });
    await expect(startModelServer({})).rejects.toMatchObject({ code: 'SCENARIO_MISSING' });
  });

  it('needs leave to listen where other machines reach it', async () => {
    for (const host of ['0.0.0.0', '192.0.2.7', '::', '']) {
      await expect(serve({}, { host }), host).rejects.toMatchObject({ code: 'LISTEN_REMOTE' });
    }
    const server = await serve({ default_response: 'ok' }, { host: '0.0.0.0', allowRemote: true });
    expect((await ask(server, 'x')).text).toBe('ok');
    await expect(serve({}, { key: 'too short' })).rejects.toMatchObject({ code: 'SECRET_TOO_WEAK' });
  });

  it('closes the port for a while, and opens it again', async () => {
    const server = await serve({
      responses: [
        { pattern: { type: 'any' }, response: 'Back.', failure: { type: 'connection_refused', for_ms: 150, times: 1 } },
      ],
    });
    await expect(ask(server, 'x')).rejects.toThrow();
    await expect(ask(server, 'x')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await ask(server, 'x')).text).toBe('Back.');
  });
});

describe('who may ask', () => {
  const document = { responses: [{ pattern: { type: 'any' }, response: 'Used.' }] };
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }] });
  /** Not fetch: it sends no Host and no Origin but its own. */
  const post = (server: ModelServer, headers: Record<string, string>, path = '/v1/messages', sent = body) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const call = request(`${server.url}${path}`, { method: 'POST', headers }, (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      call.on('error', reject);
      call.end(sent);
    });

  it('is not a web page, nor a name of somebody else, nor one without the key: no rule is used', async () => {
    const server = await serve(document);
    const mine = known(server);
    const { 'x-api-key': _key, ...keyless } = mine;
    expect(await post(server, { 'content-type': 'text/plain', origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      text: expect.stringContaining('"type":"permission_error"'),
    });
    expect((await post(server, { ...mine, origin: server.url })).status).toBe(403);
    expect((await post(server, { ...mine, host: 'evil.example' })).status).toBe(403);
    expect((await post(server, { ...mine, 'content-type': 'text/plain' })).status).toBe(415);
    expect(await post(server, keyless)).toMatchObject({
      status: 401,
      text: expect.stringContaining('"type":"authentication_error"'),
    });
    expect((await post(server, { ...mine, 'x-api-key': `${server.key}x` })).status).toBe(401);
    expect(server.script.usage.unused()).toHaveLength(1);
    expect(server.journal.entries({ kind: 'refused' })).toHaveLength(6);
    expect((await post(server, mine)).status).toBe(200);
    expect(server.script.usage.unused()).toHaveLength(0);
  });

  it('may bring the key as each protocol does', async () => {
    const server = await serve({ default_response: 'ok' });
    const { key } = server;
    const json = { 'content-type': 'application/json' };
    const chat = await post(server, { ...json, authorization: `Bearer ${key}` }, '/v1/chat/completions');
    const contents = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'x' }] }] });
    const path = '/v1beta/models/g:generateContent';
    const gemini = await post(server, { ...json, 'x-goog-api-key': key }, path, contents);
    const query = await post(server, json, `${path}?key=${key}`, contents);
    expect([chat.status, gemini.status, query.status]).toEqual([200, 200, 200]);
    const refused = await post(server, json, path, contents);
    expect([refused.status, JSON.parse(refused.text).error.status]).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('learns without a key that the server is there, as Claude Code does first', async () => {
    const server = await serve(document);
    expect((await fetch(server.url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(401);
  });

  it.each([
    ['/v1/messages', '"type":"invalid_request_error"'],
    ['/v1/chat/completions', '"type":"invalid_request_error"'],
    ['/v1/responses/input_tokens', '"type":"invalid_request_error"'],
    ['/v1beta/models/g:generateContent', '"status":"INVALID_ARGUMENT"'],
  ])('is told that a body is nested too deeply, at once, and others are answered meanwhile: %s', async (path, type) => {
    const server = await serve({ default_response: 'ok' });
    const started = performance.now();
    const deep = post(server, known(server), path, '['.repeat(10_000_000));
    const other = await post(server, known(server));
    expect(other.status).toBe(200);
    const { status, text } = await deep;
    expect([status, text]).toEqual([400, expect.stringContaining('nested deeper than 128 levels')]);
    expect(text).toContain(type);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('cannot end the server with a body that nests deeply and ends properly', async () => {
    const scratch = createScratch('journal');
    onTestFinished(() => scratch.remove());
    const server = await serve({ default_response: 'ok' }, { journal: { file: join(scratch.path, 'journal.jsonl') } });
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect((await post(server, known(server), '/v1/messages', deep)).status).toBe(400);
    expect((await post(server, known(server), '/v1/nowhere', deep)).status).toBe(404);
    expect((await post(server, known(server))).status).toBe(200);
  });

  it.each(['constructor', 'toString', '__proto__'])('cannot name an encoding that objects have: %s', async (name) => {
    const server = await serve(document);
    expect((await post(server, { ...known(server), 'content-encoding': name })).status).toBe(415);
  });
});
