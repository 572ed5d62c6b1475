import type { JsonObject } from '@understudy/kit';
import { expect, it } from 'vitest';
import { type Channel, type ChannelEnds, type Handlers, Peer, ServerError } from './peer.js';

/** A channel whose other end is the test. */
class Wire implements Channel {
  readonly sent: JsonObject[] = [];
  ends!: ChannelEnds;

  async open(ends: ChannelEnds): Promise<void> {
    this.ends = ends;
  }

  async send(message: JsonObject): Promise<void> {
    this.sent.push(message);
  }

  async close(): Promise<void> {}
}

async function connected(handlers: Handlers = {}): Promise<{ wire: Wire; peer: Peer }> {
  const wire = new Wire();
  const peer = new Peer(wire, handlers);
  await peer.open();
  return { wire, peer };
}

it('gives each request its answer, whatever their order', async () => {
  const { wire, peer } = await connected();
  const [one, two] = [peer.request('a'), peer.request('b', { x: 1 })];
  expect(wire.sent).toEqual([
    { method: 'a', jsonrpc: '2.0', id: 0 },
    { method: 'b', params: { x: 1 }, jsonrpc: '2.0', id: 1 },
  ]);
  wire.ends.received({ id: 1, result: { of: 'b' } });
  wire.ends.received({ id: 7, result: { of: 'nobody' } });
  wire.ends.received({ id: 0, error: { code: -32000, message: 'went wrong' } });
  expect(await two).toEqual({ of: 'b' });
  await expect(one).rejects.toMatchObject({ message: 'went wrong', code: -32000 });
});

it('tells the server that it waits no longer, except of a probe', async () => {
  const { wire, peer } = await connected();
  await expect(peer.request('slow', undefined, { timeoutMs: 1 })).rejects.toThrow('Request timed out');
  expect(wire.sent[1]).toMatchObject({
    method: 'notifications/cancelled',
    params: { requestId: 0, reason: 'SdkError: Request timed out' },
  });
  await expect(peer.request('slow', undefined, { timeoutMs: 1, isProbe: true })).rejects.toThrow('Request timed out');
  expect(wire.sent).toHaveLength(3);
  const stop = new AbortController();
  const asked = peer.request('slow', undefined, { signal: stop.signal });
  stop.abort(new Error('the user has had enough'));
  await expect(asked).rejects.toThrow('the user has had enough');
  expect(wire.sent[4]).toMatchObject({ params: { requestId: 2 } });
});

it('fails what is asked when the server ends, and afterwards', async () => {
  const { wire, peer } = await connected();
  const asked = peer.request('a');
  wire.ends.closed();
  await expect(asked).rejects.toEqual(new ServerError('Connection closed', 'CONNECTION_CLOSED'));
  await expect(peer.request('b')).rejects.toThrow('Connection closed');
  expect(peer.isClosed).toBe(true);
  const { wire: other, peer: second } = await connected();
  const [lost, kept] = [second.request('a'), second.request('b')];
  other.ends.lost(0);
  other.ends.received({ id: 1, result: {} });
  await expect(lost).rejects.toThrow('Connection closed');
  expect(await kept).toEqual({});
});

it('answers what it knows, and refuses the rest', async () => {
  const { wire } = await connected({ ping: () => ({}) });
  for (const method of ['ping', 'constructor', 'foo/bar']) wire.ends.received({ id: method, method });
  wire.ends.received({ method: 'notifications/unknown' });
  await expect.poll(() => wire.sent).toHaveLength(3);
  const answers = Object.fromEntries(wire.sent.map(({ id, result, error }) => [id, result ?? error]));
  const refused = { code: -32601, message: 'Method not found' };
  expect(answers).toEqual({ ping: {}, constructor: refused, 'foo/bar': refused });
});

it('says with each request who asks, where there was no handshake', async () => {
  const { wire, peer } = await connected();
  peer.meta = { who: 'us' };
  peer.request('a', { x: 1, _meta: { own: 1 } }, { wantsProgress: true }).catch(() => {});
  expect(wire.sent[0]).toMatchObject({ params: { x: 1, _meta: { who: 'us', own: 1, progressToken: 0 } } });
});
