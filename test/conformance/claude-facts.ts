import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startModelServer } from '../../packages/agents/src/model/server.js';
import type { FoundAgent } from '../../packages/agents/src/store/find-agent.js';
import { Child } from '../../packages/kit/src/process/child.js';
import { scrubbedEnvironment } from '../../packages/kit/src/process/environment.js';
import type { ModelServer } from '../../packages/model/src/server/server.js';
import { defineScenario } from '../../packages/script/src/load.js';
import type { ScenarioDocument } from '../../packages/script/src/schema.js';

export type Json = Record<string, unknown>;

/** What one prompt led to. */
export interface FactsTurn {
  /** The text of the turn's result. */
  result: string;
  events: Json[];
  /** The results of the tools, as text. */
  toolResults: string[];
  /** The requests that the model got, as text. */
  requests: string[];
}

export interface FactsOptions {
  claude: FoundAgent;
  /** Holds `home` and `work`. */
  root: string;
  cwd?: string;
  args?: readonly string[];
  env?: Record<string, string>;
  scenario: ScenarioDocument;
  /** What the host answers to a question of the CLI. */
  onRequest?: (request: Json) => Promise<Json>;
}

/** The real Claude Code, alive, on a scripted model: asked many questions in one start. */
export class FactsSession {
  readonly events: Json[] = [];
  readonly #model: ModelServer;
  readonly #errors: string[] = [];
  readonly #options: FactsOptions;
  #child: Child | undefined;
  #asked = 0;

  private constructor(model: ModelServer, options: FactsOptions) {
    this.#model = model;
    this.#options = options;
  }

  static async start(options: FactsOptions): Promise<FactsSession> {
    const model = await startModelServer({ scenario: defineScenario(options.scenario) });
    const session = new FactsSession(model, options);
    const home = join(options.root, 'home');
    const cwd = options.cwd ?? join(options.root, 'work');
    for (const folder of [home, cwd]) mkdirSync(folder, { recursive: true });
    session.#child = await Child.start({
      command: [
        ...options.claude.command,
        ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
        ...['--include-hook-events', ...(options.args ?? [])],
      ],
      cwd,
      env: scrubbedEnvironment({
        HOME: home,
        CLAUDE_CONFIG_DIR: join(home, '.claude'),
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: model.key,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_MAX_RETRIES: '0',
        CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
        IS_SANDBOX: '1',
        ...options.env,
      }),
      input: 'open',
      onLine: (line) => session.#line(line),
      onErrorLine: (line) => session.#errors.push(line),
    });
    return session;
  }

  /** Says a prompt, and waits for the end of the turn. */
  async say(prompt: string): Promise<FactsTurn> {
    const from = this.events.length;
    const requested = this.#model.journal.count;
    this.#write({ type: 'user', message: { role: 'user', content: prompt }, parent_tool_use_id: null, session_id: '' });
    // What comes of background work has an origin, and is not the user's turn.
    const isOwn = ({ type, origin }: Json) => type === 'result' && origin === undefined;
    const result = await this.#until(from, isOwn, `the result of "${prompt}"`);
    await this.#until(this.events.indexOf(result), ({ state }) => state === 'idle', `the end of "${prompt}"`);
    const events = this.events.slice(from);
    return {
      result: String(result['result'] ?? ''),
      events,
      toolResults: events.flatMap(toolResultsOf),
      requests: this.#model.journal
        .entries()
        .filter(({ number, body }) => number > requested && body !== undefined)
        .map(({ body }) => JSON.stringify(body)),
    };
  }

  /** Asks the CLI something over its control protocol; the answer is its `response`. */
  async control(subtype: string, fields: Json = {}): Promise<Json> {
    const id = `facts-${this.#asked++}`;
    this.#write({ type: 'control_request', request_id: id, request: { subtype, ...fields } });
    const answer = await this.#until(0, (event) => responseOf(event)['request_id'] === id, `the answer to ${subtype}`);
    return responseOf(answer);
  }

  /** Ends the CLI, and gives what it wrote on stderr. */
  async end(): Promise<string> {
    this.#child?.closeInput();
    await this.#child?.exitWithin(15_000, 'end of the facts');
    await this.#model.close();
    return this.#errors.join('\n');
  }

  #write(line: Json): void {
    this.#child?.write(`${JSON.stringify(line)}\n`);
  }

  #line(line: string): void {
    const event = JSON.parse(line) as Json;
    this.events.push(event);
    if (event['type'] === 'control_request') void this.#answer(event);
  }

  async #answer({ request, request_id }: Json): Promise<void> {
    const response = (await this.#options.onRequest?.(request as Json)) ?? {};
    this.#write({ type: 'control_response', response: { subtype: 'success', request_id, response } });
  }

  async #until(from: number, isIt: (event: Json) => boolean, what: string): Promise<Json> {
    const found = await eventually(() => this.events.slice(from).find(isIt), 30_000);
    if (found !== undefined) return found;
    throw new Error(`${what} did not come; stderr: ${this.#errors.join('\n')}`);
  }
}

/** Asks again and again until there is an answer, or the time is over. */
export async function eventually<T>(ask: () => T | undefined, milliseconds = 10_000): Promise<T | undefined> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const answer = ask();
    if (answer !== undefined || performance.now() > deadline) return answer;
    await sleep(15);
  }
}

function responseOf(event: Json): Json {
  return event['type'] === 'control_response' ? (event['response'] as Json) : {};
}

function toolResultsOf(event: Json): string[] {
  if (event['type'] !== 'user') return [];
  const { content } = event['message'] as { content: unknown };
  if (!Array.isArray(content)) return [];
  return (content as Json[])
    .filter(({ type }) => type === 'tool_result')
    .map(({ content: said }) => (typeof said === 'string' ? said : JSON.stringify(said)));
}
