import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Environment, letProcessEnd, listen, offlineThrough, originOf } from '@understudy/kit';

/** Where models are served: a program under test must not ask them. */
const MODEL_HOST =
  /(?:^|\.)(?:anthropic\.com|claude\.(?:ai|com)|openai\.com|chatgpt\.com|openai\.azure\.com|googleapis\.com|opencode\.ai|openrouter\.ai|x\.ai|mistral\.ai|deepseek\.com|groq\.com|together\.(?:ai|xyz)|amazonaws\.com|kiro\.dev)$/i;

/** Claude Code on a terminal looks there for its plugins and versions. No model is asked. */
const DOWNLOADS = /^downloads\./i;

/** A proxy that lets nobody out and remembers who wanted to go where. */
export class OutsideWatch {
  readonly #http: Server;
  readonly #hosts: string[] = [];
  #port = 0;

  private constructor() {
    this.#http = letProcessEnd(createServer((request, response) => this.#refuse(request, response)));
    this.#http.on('connect', (request: IncomingMessage, socket: Duplex) => {
      this.#note(request.url ?? '');
      socket.on('error', () => {});
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
    });
  }

  static async start(): Promise<OutsideWatch> {
    const watch = new OutsideWatch();
    watch.#port = await listen(watch.#http, { host: '127.0.0.1', port: 0 });
    return watch;
  }

  get url(): string {
    return originOf({ host: '127.0.0.1', port: this.#port });
  }

  /** With these variables, HTTP clients go through the proxy. */
  get environment(): Environment {
    const proxy = this.url;
    // Node's own fetch asks for the proxy only with this.
    return { ...offlineThrough(proxy), NODE_USE_ENV_PROXY: '1' };
  }

  /** The hosts of models that somebody wanted to reach since the last call. */
  takeModelHosts(): string[] {
    return this.#hosts.splice(0).filter((host) => MODEL_HOST.test(host) && !DOWNLOADS.test(host));
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    this.#http.closeAllConnections();
    await closed;
  }

  #refuse(request: IncomingMessage, response: ServerResponse): void {
    const { url = '' } = request;
    this.#note(URL.canParse(url) ? new URL(url).host : url);
    response.writeHead(403).end('understudy: nothing leaves this machine on this stage\n');
  }

  #note(target: string): void {
    this.#hosts.push(target.replace(/:\d+$/, ''));
  }
}
