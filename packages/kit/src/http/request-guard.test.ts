import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { bearerOf, type GuardOptions, RequestGuard } from './request-guard.js';

const KEY = 'a-key-of-20-letters=';

function guard(options: Partial<GuardOptions> = {}): RequestGuard {
  return new RequestGuard({
    ...{ host: '127.0.0.1', key: KEY, keyName: 'the key', keyHint: 'send it' },
    keysOf: ({ headers }) => bearerOf(headers),
    ...options,
  });
}

const request = (headers: Record<string, string>, method = 'POST') => ({ method, headers }) as IncomingMessage;

describe('the Host', () => {
  it.each(['127.0.0.1:4000', '127.0.0.1', 'localhost:4000', 'LOCALHOST', '[::1]:4000'])('may be %s', (host) => {
    expect(guard().refuseStranger({ host })).toBeUndefined();
  });

  it.each([undefined, '', 'evil.example', 'localhost.evil.example', '127.0.0.1:1@evil', '10.0.0.1', '127.0.0.1 '])(
    'may not be %s on loopback',
    (host) => {
      expect(guard().refuseStranger(host === undefined ? {} : { host })).toMatchObject({ status: 403 });
    },
  );

  it('is the address itself where the server listens on another one, or a name that was allowed', () => {
    const remote = guard({ host: '192.0.2.7', hosts: ['models.test'] });
    for (const host of ['192.0.2.7:80', 'models.test']) expect(remote.refuseStranger({ host })).toBeUndefined();
    for (const host of ['localhost', '192.0.2.8']) expect(remote.refuseStranger({ host })).toBeDefined();
  });

  it('is any IP address where the server listens on all of them: a name could be rebound, an address cannot', () => {
    const open = guard({ host: '0.0.0.0' });
    for (const host of ['192.0.2.7:80', '[2001:db8::1]', 'localhost']) {
      expect(open.refuseStranger({ host })).toBeUndefined();
    }
    expect(open.refuseStranger({ host: 'evil.example' })).toMatchObject({ status: 403 });
  });
});

describe('the Origin', () => {
  const host = '127.0.0.1:4000';

  it.each(['https://evil.example', 'http://127.0.0.1:4000', 'null', ''])('%j is refused', (origin) => {
    expect(guard().refuseStranger({ host, origin })).toMatchObject({ status: 403 });
  });

  it('may be one of our own names where pages of ours may call', () => {
    const door = guard({ ownPages: true });
    expect(door.refuseStranger({ host, origin: 'http://localhost:5173' })).toBeUndefined();
    for (const origin of ['https://evil.example', 'null', 'file://localhost', 'http://localhost, http://evil']) {
      expect(door.refuseStranger({ host, origin }), origin).toMatchObject({ status: 403 });
    }
  });
});

it.each([undefined, 'text/plain', 'text/plain; x=application/json', 'application/x-www-form-urlencoded'])(
  'refuses a body of the type %s before it looks at the key',
  (type) => {
    const headers: Record<string, string> = { authorization: `Bearer ${KEY}` };
    if (type !== undefined) headers['content-type'] = type;
    expect(guard().refuseWithoutKey(request(headers))).toMatchObject({ status: 415 });
    expect(guard().refuseWithoutKey(request(headers, 'GET'))).toBeUndefined();
  },
);

it('lets in who brings the key, and nobody else', () => {
  const json = { 'content-type': 'application/json; charset=utf-8' };
  expect(guard().refuseWithoutKey(request({ ...json, authorization: `bearer ${KEY}` }))).toBeUndefined();
  for (const authorization of ['', 'Bearer', 'Bearer  ', `Basic ${KEY}`, `Bearer ${KEY}x`, `Bearer ${KEY.slice(1)}`]) {
    expect(guard().refuseWithoutKey(request({ ...json, authorization })), authorization).toEqual({
      status: 401,
      message: 'the key is missing or wrong: send it',
    });
  }
  expect(guard({ key: undefined }).refuseWithoutKey(request(json))).toBeUndefined();
});

it.each(['', 'short', '                ', 'fifteen-letters', 'sixteen letters!', 'sechzehn-zeichenß'])(
  'does not take %j for a key',
  (key) => {
    expect(() => guard({ key })).toThrow(expect.objectContaining({ code: 'SECRET_TOO_WEAK' }));
  },
);
