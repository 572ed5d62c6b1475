import { createHash, timingSafeEqual } from 'node:crypto';
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import { rpcError } from './rpc-error.js';

export interface AdmissionOptions {
  /** Who knows it may come in; undefined lets everybody in who reaches us. */
  token: string | undefined;
  /** Names under which we are reached, besides those of loopback. */
  hosts: readonly string[];
}

/** Who may speak to us: under our own name, from no foreign page, with the token. */
export class Admission {
  readonly #hosts: string[];
  readonly #token: Buffer | undefined;

  constructor({ token, hosts }: AdmissionOptions) {
    this.#hosts = [...localhostAllowedHostnames(), ...hosts];
    this.#token = token === undefined ? undefined : digest(token);
  }

  /** Refuses what a foreign web page could send through a browser. */
  refuseStranger(headers: Headers): Response | undefined {
    const host = validateHostHeader(headers.get('host'), this.#hosts);
    if (!host.ok) return rpcError(403, -32000, host.message);
    const origin = validateOriginHeader(headers.get('origin'), this.#hosts);
    if (!origin.ok) return rpcError(403, -32000, origin.message);
    return undefined;
  }

  /** Refuses who does not bring the token. */
  refuseWithoutToken(headers: Headers): Response | undefined {
    if (this.#token === undefined) return undefined;
    const [, given = ''] = /^Bearer\s+(.+)$/i.exec(headers.get('authorization') ?? '') ?? [];
    if (timingSafeEqual(digest(given), this.#token)) return undefined;
    const answer = rpcError(401, -32001, 'the token is missing or wrong: send "Authorization: Bearer TOKEN"');
    answer.headers.set('www-authenticate', 'Bearer realm="understudy"');
    return answer;
  }
}

/** Of equal length whatever came in, so that comparing tells nothing by its time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
