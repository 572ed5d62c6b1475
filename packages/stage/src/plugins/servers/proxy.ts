import { appendFileSync, readFileSync } from 'node:fs';
import { Child, inWords } from '@understudy/kit';
import * as z from 'zod/mini';
import { type Mock, mocksSchema, toolResult } from './mocks.js';
import { localServerSchema } from './server-config.js';
import { serverFaultsSchema } from './server-faults.js';

/** What a proxy needs: the server behind it, and the file with the mocks. */
export const proxySpecSchema = z.object({
  name: z.string(),
  /** Absent: there are only mocks. */
  server: z.optional(localServerSchema),
  mocks: z.string(),
  /** Each call that passes is written here. */
  log: z.string(),
  faults: z.optional(serverFaultsSchema),
});

export type ProxySpec = z.infer<typeof proxySpecSchema>;

interface Message {
  id?: string | number;
  method?: string;
  params?: { name?: string; protocolVersion?: string; arguments?: unknown };
  result?: { tools?: { name: string }[] };
}

export interface ProxyPipes {
  write: (line: string) => void;
  /** Ends at once, as a server that crashes. */
  die: () => void;
  env: Record<string, string>;
  cwd: string;
}

/**
 * Stands between an agent and an MCP server. Lines pass as they are, but for two: a call of a mocked
 * tool is answered here, and the list of tools gets those that only exist as mocks. What goes wrong on purpose, goes
 * wrong here, whoever answers.
 */
export class McpProxy {
  readonly #spec: ProxySpec;
  readonly #pipes: ProxyPipes;
  readonly #lists = new Set<string | number>();
  /** What the real server offers; known from its first list on. */
  readonly #offered = new Set<string>();
  #behind: Child | undefined;
  /** The calls of tools so far. */
  #calls = 0;
  /** Calls that wait for their answer, by the number that each is. */
  readonly #open = new Map<string | number, number>();

  constructor(spec: ProxySpec, pipes: ProxyPipes) {
    this.#spec = spec;
    this.#pipes = pipes;
  }

  /** Starts the real server; resolves when it has ended, or at once when there is none. */
  async start(): Promise<Child | undefined> {
    const { server } = this.#spec;
    if (server === undefined) return undefined;
    this.#behind = await Child.start({
      command: [server.command, ...(server.args ?? [])],
      cwd: this.#pipes.cwd,
      env: { ...this.#pipes.env, ...server.env },
      input: 'open',
      onLine: (line) => this.fromServer(line),
      onErrorLine: (line) => process.stderr.write(`${line}\n`),
    });
    return this.#behind;
  }

  /** A line of the agent. */
  fromAgent(line: string): void {
    const message = parsed(line);
    if (message?.method === 'tools/call' && message.id !== undefined) {
      const { name = '' } = message.params ?? {};
      const hasChanged = this.#hasChanged;
      const result = hasChanged ? this.#changedResult(name) : this.#mockOf(name)?.result;
      this.#log({ tool: name, arguments: message.params?.arguments, mocked: result !== undefined });
      this.#calls++;
      const { dies_after: last } = this.#spec.faults ?? {};
      if (last !== undefined && this.#calls > last) {
        this.#pipes.die();
        return;
      }
      this.#open.set(message.id, this.#calls);
      if (result !== undefined) {
        this.#answer(message.id, result);
        return;
      }
    }
    if (message?.method === 'tools/list' && message.id !== undefined) this.#lists.add(message.id);
    if (this.#behind !== undefined) this.#behind.write(`${line}\n`);
    else if (message?.id !== undefined && message.method !== undefined) this.#answerAlone(message.id, message);
  }

  /** A line of the real server. */
  fromServer(line: string): void {
    const message = parsed(line);
    if (message?.id === undefined || !this.#lists.delete(message.id) || message.result?.tools === undefined) {
      this.#send(line, message?.method === undefined ? message?.id : undefined);
      return;
    }
    if (this.#hasChanged) {
      this.#answer(message.id, { tools: this.#tools() });
      return;
    }
    const { tools } = message.result;
    for (const { name } of tools) this.#offered.add(name);
    const added = this.#own().filter(({ tool }) => !this.#offered.has(tool));
    const all = [...tools, ...added.map(({ tool }) => describeMock(tool))];
    this.#pipes.write(JSON.stringify({ ...message, result: { ...message.result, tools: all } }));
  }

  close(): void {
    this.#behind?.closeInput();
  }

  /** Nobody is behind us: we are the server, with the mocks for tools. */
  #answerAlone(id: string | number, { method, params }: Message): void {
    const answers: Record<string, () => unknown> = {
      initialize: () => ({
        protocolVersion: params?.protocolVersion ?? '2025-06-18',
        capabilities: { tools: this.#spec.faults?.changes === undefined ? {} : { listChanged: true } },
        serverInfo: { name: this.#spec.name, version: '0.0.0' },
      }),
      'tools/list': () => ({ tools: this.#tools() }),
      ping: () => ({}),
    };
    const answer = answers[method ?? ''];
    if (answer !== undefined) this.#answer(id, answer());
    else this.#write({ id, error: { code: -32601, message: `${method} is not mocked` } });
  }

  #answer(id: string | number, result: unknown): void {
    this.#write({ id, result });
  }

  #write(message: Record<string, unknown>): void {
    const { id } = message as Message;
    this.#send(JSON.stringify({ jsonrpc: '2.0', ...message }), id);
  }

  /** An answer to a call may be late, or only half of one. */
  #send(line: string, id: string | number | undefined): void {
    const number = id === undefined ? undefined : this.#open.get(id);
    if (id === undefined || number === undefined) {
      this.#pipes.write(line);
      return;
    }
    this.#open.delete(id);
    const { delay_ms: delay = 0, garbles_after: whole, changes } = this.#spec.faults ?? {};
    const isGarbled = whole !== undefined && number > whole;
    const text = isGarbled ? line.slice(0, Math.ceil(line.length / 2)) : line;
    const write = () => {
      this.#pipes.write(text);
      if (changes?.after === number)
        this.#pipes.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
    };
    if (delay === 0) write();
    else setTimeout(write, delay);
  }

  get #hasChanged(): boolean {
    const { changes } = this.#spec.faults ?? {};
    return changes !== undefined && this.#calls >= changes.after;
  }

  #changedResult(tool: string): Record<string, unknown> {
    const { tools = {} } = this.#spec.faults?.changes ?? {};
    const answer = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
    return toolResult(answer ?? { error: `there is no tool ${tool} any more` });
  }

  #tools(): Record<string, unknown>[] {
    const { changes } = this.#spec.faults ?? {};
    const names = this.#hasChanged ? Object.keys(changes?.tools ?? {}) : this.#own().map(({ tool }) => tool);
    return names.map(describeMock);
  }

  /** The mocks that name this server. */
  #own(): Mock[] {
    return this.#mocks().filter(({ server }) => server === this.#spec.name);
  }

  #mockOf(tool: string): Mock | undefined {
    const fitting = this.#mocks().filter((mock) => mock.tool === tool);
    return (
      fitting.find(({ server }) => server === this.#spec.name) ?? fitting.find(({ server }) => server === undefined)
    );
  }

  #mocks(): Mock[] {
    return mocksSchema.parse(JSON.parse(readFileSync(this.#spec.mocks, 'utf8')), inWords);
  }

  #log(entry: Record<string, unknown>): void {
    appendFileSync(
      this.#spec.log,
      `${JSON.stringify({ at: new Date().toISOString(), server: this.#spec.name, ...entry })}\n`,
    );
  }
}

function describeMock(tool: string): Record<string, unknown> {
  return { name: tool, description: `A mock of ${tool}`, inputSchema: { type: 'object' } };
}

function parsed(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return undefined;
  }
}
