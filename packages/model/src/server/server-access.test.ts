import { request } from 'node:http';
import { join } from 'node:path';
import { createScratch } from '@understudy/kit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { known, serve } from '../../../../test/helpers/model-server.js';
import type { ModelServer } from './server.js';

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
    const started = process.cpuUsage();
    const deep = post(server, known(server), path, '['.repeat(10_000_000));
    const other = await post(server, known(server));
    expect(other.status).toBe(200);
    const { status, text } = await deep;
    expect([status, text]).toEqual([400, expect.stringContaining('nested deeper than 128 levels')]);
    expect(text).toContain(type);
    // By the processor: the machine may be busy.
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
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
