import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback, isWildcard } from './address.js';
import { Secret } from './secret.js';

export interface GuardOptions {
  /** The address that the server listens on. */
  host: string;
  /** More names under which clients may reach it. */
  hosts?: readonly string[];
  /** What clients must bring; undefined lets in everybody who passes the other checks. */
  key: string | undefined;
  /** What the key is called in messages, and how to send it. */
  keyName: string;
  keyHint: string;
  /** The keys that a request brings. One of them must be right. */
  keysOf: (request: IncomingMessage) => readonly string[];
  /** Web pages that come from one of our own names may call us; by default no page may. */
  ownPages?: boolean;
}

/** Why a request is not let in. */
export interface RequestRefusal {
  status: 401 | 403 | 415;
  message: string;
}

/** The checks that every HTTP server of ours makes before it reads a body. */
export class RequestGuard {
  readonly #names: ReadonlySet<string>;
  readonly #anyIp: boolean;
  readonly #key: Secret | undefined;
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    const { host, hosts = [], key, keyName } = options;
    const loopback = isLoopback(host) || isWildcard(host) ? ['127.0.0.1', 'localhost', '::1'] : [];
    this.#names = new Set([host, ...hosts, ...loopback].map((name) => name.toLowerCase()));
    // Under a wildcard address we do not know our names. A page can rebind a name, but never an IP address.
    this.#anyIp = isWildcard(host);
    this.#key = key === undefined ? undefined : new Secret(key, keyName);
    this.#options = options;
  }

  /** Refuses what a web page could send through a browser: a foreign name of ours, or a foreign page. */
  refuseStranger({ host, origin }: IncomingHttpHeaders): RequestRefusal | undefined {
    const name = host === undefined ? undefined : /^(\[[^\]]+\]|[^:]+)(?::\d+)?$/.exec(host)?.[1];
    if (name === undefined || !this.#isOurs(name)) {
      return { status: 403, message: `the Host ${quoted(host)} is not the address of this server` };
    }
    if (origin === undefined || (this.#options.ownPages === true && this.#isOurPage(origin))) return undefined;
    return { status: 403, message: `requests from web pages are refused; the Origin is ${quoted(origin)}` };
  }

  /** Refuses a body that is not JSON by its type, and who does not bring the key. */
  refuseWithoutKey(request: IncomingMessage): RequestRefusal | undefined {
    const { method, headers } = request;
    // A page can send other types to any address without asking the browser first.
    if (method === 'POST' && !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
      return { status: 415, message: 'the content-type must be application/json' };
    }
    const key = this.#key;
    if (key === undefined || this.#options.keysOf(request).some((given) => key.matches(given))) return undefined;
    const { keyName, keyHint } = this.#options;
    return { status: 401, message: `${keyName} is missing or wrong: ${keyHint}` };
  }

  #isOurs(name: string): boolean {
    const plain = name.replace(/^\[(.*)\]$/, '$1').toLowerCase();
    return this.#names.has(plain) || (this.#anyIp && isIP(plain) !== 0);
  }

  #isOurPage(origin: string): boolean {
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    return url !== undefined && /^https?:$/.test(url.protocol) && this.#isOurs(url.hostname);
  }
}

/** The token of `Authorization: Bearer TOKEN`. */
export function bearerOf({ authorization }: IncomingHttpHeaders): string[] {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  return token === undefined ? [] : [token];
}

/** A header as a message shows it. */
function quoted(text: string | undefined): string {
  return text === undefined ? '(none)' : JSON.stringify(text.slice(0, 100));
}
