import { connect } from 'node:net';
import { defineScenario } from '@understudy/script';
import { describe, expect, it } from 'vitest';
import { ask, claude, known, serve } from '../../../../test/helpers/model-server.js';
import { startModelServer } from './server.js';

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
        'understudy: responses[0] calls the tool "Fly", which this request does not offer. Use one of the tools that it offers: Bash. If the model is to call it all the same, say `offered = false`.',
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
        {
          pattern: { type: 'any' },
          response: 'Back.',
          failure: { type: 'connection_refused', for_ms: 2_000, times: 1 },
        },
      ],
    });
    await expect(ask(server, 'x')).rejects.toThrow();
    await expect(ask(server, 'x')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    await expect
      .poll(() =>
        ask(server, 'x').then(
          ({ text }) => text,
          () => undefined,
        ),
      )
      .toBe('Back.');
  });
});
