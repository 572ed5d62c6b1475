import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Interaction, StreamEvent } from './format.js';
import { CassetteWriter } from './writer.js';

/** Put together here, so that no scanner takes this file for a leak. */
const SECRETS = {
  anthropic: ['sk-ant', 'api03-Zx81kQ0pLmN47vBtYwRe'].join('-'),
  github: ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2'].join('_'),
  aws: `AKIA${'Q4RT7YUI9OPLKJHG'}`,
  fromEnvironment: 'correct-horse-7-battery',
  named: 'h8Kq2Zr9Vw4Tn6Xp1Ls3',
  inAddress: 'p4ssw0rd-of-the-database',
};
const environment = { DEPLOY_TOKEN: SECRETS.fromEnvironment };

let scratch: Scratch;
beforeAll(() => {
  scratch = createScratch('cassette-secrets');
});
afterAll(() => scratch.remove());

function interaction(more: {
  body?: unknown;
  path?: string;
  headers?: Record<string, string>;
  events?: StreamEvent[];
}) {
  const { body = {}, path = '/v1/messages', headers = {}, events = [] } = more;
  return {
    ...{ number: 1, conversation: 'c1', kind: 'answer', protocol: 'anthropic-messages', client: 'library', at: 0 },
    request: { method: 'POST', path, headers, body },
    answer: { status: 200, headers, after: 1, form: 'stream', events },
  } as Omit<Interaction, 'type'>;
}

function written(write: (writer: CassetteWriter) => void): string {
  const file = join(scratch.path, `${Math.random()}.cassette.jsonl`);
  const writer = new CassetteWriter({ file, header: { agents: [] }, environment });
  write(writer);
  writer.close();
  return readFileSync(file, 'utf8');
}

const delta = (partial_json: string): StreamEvent => ({
  at: 1,
  event: 'content_block_delta',
  data: { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json } },
});

it.each(Object.entries(SECRETS))('never writes a secret: %s', (kind, secret) => {
  const said =
    kind === 'named' ? `api_key = "${secret}"` : kind === 'inAddress' ? `postgres://me:${secret}@db/x` : secret;
  const half = said.length - Math.floor(secret.length / 2);
  const text = written((writer) => {
    writer.interaction(
      interaction({
        body: {
          messages: [
            { role: 'user', content: `${'long '.repeat(60)} ${said}` },
            { role: 'user', content: said },
          ],
        },
        path: `/v1/messages?note=${encodeURIComponent(said)}`,
        headers: { 'user-agent': said },
        events: [delta('{"command":"echo '), delta(said.slice(0, half)), delta(said.slice(half)), delta(' done"}')],
      }),
    );
    writer.seen({ type: 'tool_result', ...{ text: said, encoded: Buffer.from(said).toString('base64') } });
    writer.files({ files: [{ path: '.env', text: said }], more: 0 });
  });
  expect(text).not.toContain(secret);
  expect(text).not.toContain(secret.slice(0, -3));
  const pieces = [...text.matchAll(/"partial_json":"((?:[^"\\]|\\.)*)"/g)].map(([, piece = '']) => piece);
  expect(pieces.join('')).toContain('[secret]');
  expect(pieces.join('')).not.toContain(secret.slice(4));
  for (const run of text.match(/[A-Za-z0-9+/]{16,}={0,2}/g) ?? [])
    expect(Buffer.from(run, 'base64').toString('latin1')).not.toContain(secret);
});

it('keeps what only looks like a secret', () => {
  const harmless = 'The token count is 1234. See src/authentication/token-provider.ts, commit 4f2a9c1, key: value.';
  const text = written((writer) => writer.seen({ type: 'notice', ...{ text: harmless } }));
  expect(text).toContain(harmless);
});

it('drops the last interaction rather than write a value that is spread over several texts', () => {
  const [first, second] = [SECRETS.fromEnvironment.slice(0, 9), SECRETS.fromEnvironment.slice(9)];
  const block = (index: number, text: string): StreamEvent => ({
    at: 0,
    data: { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
  });
  const refuse = () =>
    written((writer) => writer.interaction(interaction({ events: [block(0, first), block(1, second)] })));
  expect(refuse).toThrow(expect.objectContaining({ code: 'CASSETTE_SECRET' }));
});
