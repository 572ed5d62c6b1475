import type { IncomingMessage, ServerResponse } from 'node:http';
import { bearerOf, InvalidDocumentError, type JsonObject, RequestGuard, redactAll, redactor } from '@understudy/kit';
import { type Scenario, type Script, toScenario } from '@understudy/script';
import { sendJson } from './delivery.js';
import type { EntryKind, Journal, JournalEntry } from './journal.js';
import { decoded, parsed, RefusedRequest, readBody } from './request-body.js';

/** All that a test may ask of a running server lies below this path. */
export const CONTROL_PATH = '/_understudy';

/** The server as far as it can be steered. */
export interface Controlled {
  readonly script: Script;
  readonly journal: Journal;
  reset(): void;
  playScenario(scenario: Scenario): void;
}

export interface ControlOptions {
  host: string;
  hosts: readonly string[];
  token: string;
  bodyLimit: number;
}

/** What the token allows: to read the journal and the usage, to go back to the beginning, to swap the scenario. */
export class Control {
  readonly #options: ControlOptions;
  readonly #guard: RequestGuard;
  readonly #redact = redactor(process.env);

  constructor(options: ControlOptions) {
    const { host, hosts, token } = options;
    this.#options = options;
    this.#guard = new RequestGuard({
      ...{ host, hosts, key: token, keyName: 'the control token', keysOf: ({ headers }) => bearerOf(headers) },
      keyHint: 'send `Authorization: Bearer TOKEN` with the token that `understudy serve` printed',
    });
  }

  /** Answers a request below the path, or says why not. */
  async handle(request: IncomingMessage, response: ServerResponse, server: Controlled): Promise<void> {
    try {
      const refusal = this.#guard.refuseStranger(request.headers) ?? this.#guard.refuseWithoutKey(request);
      if (refusal !== undefined) {
        sendJson(response, refusal.status, { error: { message: refusal.message } });
        return;
      }
      const { status = 200, body } = await this.#answer(request, server);
      sendJson(response, status, body);
    } catch (error) {
      if (!(error instanceof RefusedRequest || error instanceof SyntaxError)) throw error;
      sendJson(response, 400, { error: { message: error.message } });
    }
  }

  async #answer(request: IncomingMessage, server: Controlled): Promise<{ status?: number; body: JsonObject }> {
    const url = new URL(request.url ?? '/', 'http://understudy');
    const asked = `${request.method} ${url.pathname.slice(CONTROL_PATH.length)}`;
    switch (asked) {
      case 'GET /usage':
        return { body: describeUsage(server) };
      case 'GET /journal': {
        const kind = url.searchParams.get('kind');
        const entries = server.journal.entries(kind === null ? {} : { kind: kind as EntryKind });
        return { body: { entries: entries.map((entry) => redactAll<JournalEntry>({ ...entry }, this.#redact)) } };
      }
      case 'POST /reset':
        server.reset();
        return { body: { ok: true } };
      case 'POST /scenario': {
        const limit = this.#options.bodyLimit;
        const body = decoded(await readBody(request, limit), request.headers['content-encoding'], limit);
        return this.#swap(parsed(body), server);
      }
      default:
        return { status: 404, body: { error: { message: `there is no ${asked}; use ${METHODS}` } } };
    }
  }

  #swap(document: unknown, server: Controlled): { status?: number; body: JsonObject } {
    let scenario: Scenario;
    try {
      scenario = toScenario({ value: document });
    } catch (error) {
      if (!(error instanceof InvalidDocumentError)) throw error;
      const problems = error.problems.map(({ path, code, message, fix }) => ({ path, code, message, fix }));
      return { status: 400, body: { error: { code: error.code, message: error.message, problems } } };
    }
    server.playScenario(scenario);
    return { body: { ok: true, rules: scenario.document.responses?.length ?? 0 } };
  }
}

const METHODS = ['GET /usage', 'GET /journal', 'POST /reset', 'POST /scenario']
  .map((method) => method.replace(' ', ` ${CONTROL_PATH}`))
  .join(', ');

function describeUsage({ script, journal }: Controlled) {
  const { usage } = script;
  return {
    requests: journal.count,
    unused: usage
      .unused()
      .filter(({ optional }) => !optional)
      .map(({ rulePath, pattern }) => ({ rule: rulePath, pattern })),
    unanswered: usage.unmatched.map(({ message, fix }) => ({ message, fix })),
  };
}
