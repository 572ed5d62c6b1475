import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { startReplay } from '../../packages/agents/src/model/cassettes.js';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { CassetteFile } from '../../packages/model/src/cassette/reader.js';
import { CassetteWriter } from '../../packages/model/src/cassette/writer.js';

const MB = 1024 * 1024;
const TALKS = 200;
/** Each answer has half a megabyte, which nothing shortens. */
const EVENTS = 500;
const PIECE = 'Words that a model says. '.repeat(42);

function body(talk: number) {
  return {
    model: 'm',
    stream: true,
    messages: [{ role: 'user', content: `question ${talk} ${'about it '.repeat(200)}` }],
  };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What is really held: a process keeps memory that nothing uses. */
function used(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it('writes and plays a cassette of 100 MB without keeping it in memory', { timeout: 600_000 }, async () => {
  const scratch = createScratch('cassette-size');
  const file = join(scratch.path, 'big.cassette.jsonl');
  const writer = new CassetteWriter({ file, header: { agents: [] } });
  const write = (talk: number) => {
    const events = Array.from({ length: EVENTS }, (_, at) => ({
      at,
      data: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: `${at} ${PIECE}` } },
    }));
    writer.interaction({
      ...{
        number: talk + 1,
        conversation: `c${talk + 1}`,
        kind: 'answer',
        protocol: 'anthropic-messages',
        client: 'library',
        at: 0,
      },
      request: { method: 'POST', path: '/v1/messages', headers: {}, body: body(talk) },
      answer: { status: 200, headers: {}, after: 0, form: 'stream', events },
    });
  };
  for (let talk = 0; talk < 20; talk++) write(talk);
  const before = used();
  for (let talk = 20; talk < TALKS; talk++) write(talk);
  writer.close();
  expect(statSync(file).size).toBeGreaterThan(100 * MB);
  expect(used() - before).toBeLessThan(40 * MB);

  const server = await startReplay({ file, journal: { keepBytes: 8 * MB } });
  try {
    for (let talk = 0; talk < TALKS; talk++) {
      const answer = await fetch(`${server.url}/v1/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': server.key },
        body: JSON.stringify(body(talk)),
      });
      expect(answer.status).toBe(200);
      expect((await answer.text()).length).toBeGreaterThan(0.5 * MB);
    }
    expect(server.usage()).toEqual({ unused: [], unmatched: [] });
    expect(used() - before).toBeLessThan(40 * MB);
  } finally {
    await server.close();
  }
  expect(CassetteFile.open(file).interactions).toHaveLength(TALKS);
  await scratch.remove();
});
