import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';

interface Message {
  id?: number;
  method?: string;
  params?: { uri?: string; diagnostics?: Diagnostic[]; items?: unknown[] };
  result?: unknown;
}

export interface Diagnostic {
  message: string;
  range: { start: { line: number; character: number } };
}

/** So long a server may take to find or to say something. */
const PATIENCE_MS = 10_000;

/** Talks to a language server over its standard streams. */
export class LanguageServer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers = new Map<number, (result: unknown) => void>();
  readonly #diagnostics = new Map<string, Diagnostic[]>();
  #unread = Buffer.alloc(0);
  #last = 0;

  private constructor(command: readonly string[], folder: string) {
    const [program = '', ...args] = command;
    this.#child = spawn(program, args, {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder },
      detached: true,
    });
    this.#child.stdin.on('error', () => {});
    this.#child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  static async start(command: readonly string[], folder: string, settings: object = {}): Promise<LanguageServer> {
    const server = new LanguageServer(command, folder);
    const uri = pathToFileURL(folder).href;
    await server.#ask('initialize', {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: 'work' }],
      capabilities: {
        textDocument: {
          completion: { completionItem: { snippetSupport: true } },
          hover: { contentFormat: ['markdown', 'plaintext'] },
          publishDiagnostics: {},
        },
        workspace: { configuration: true, workspaceFolders: true },
      },
      initializationOptions: settings,
    });
    server.#settings = settings;
    server.#tell('initialized', {});
    server.#tell('workspace/didChangeConfiguration', { settings });
    return server;
  }

  #settings: object = {};

  open(file: string, languageId: string, text: string): void {
    this.#tell('textDocument/didOpen', {
      textDocument: { uri: pathToFileURL(file).href, languageId, version: 1, text },
    });
  }

  /** What it offers at a place; asks again until there is something, because it may still load the schema. */
  async completions(file: string, position: object): Promise<string[]> {
    return this.#until(async () => {
      const params = { textDocument: { uri: pathToFileURL(file).href }, position };
      const given = (await this.#ask('textDocument/completion', params)) as { items?: { label: string }[] } | null;
      return (Array.isArray(given) ? given : (given?.items ?? [])).map(({ label }: { label: string }) => label);
    });
  }

  async hover(file: string, position: object): Promise<string> {
    const said = await this.#until(async () => {
      const params = { textDocument: { uri: pathToFileURL(file).href }, position };
      const given = await this.#ask('textDocument/hover', params);
      return given === null ? [] : [JSON.stringify(given)];
    });
    return said.join('');
  }

  diagnostics(file: string): Promise<Diagnostic[]> {
    return this.#until(async () => this.#diagnostics.get(pathToFileURL(file).href) ?? []);
  }

  async close(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const exited = new Promise((resolve) => this.#child.once('exit', resolve));
    // Its package may start another program.
    process.kill(-pid, 'SIGKILL');
    await exited;
  }

  async #until<T>(look: () => Promise<T[]>): Promise<T[]> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const found = await look();
      if (found.length > 0 || Date.now() > end || this.#child.exitCode !== null) return found;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  #ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#last;
    this.#send({ id, method, params });
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
      setTimeout(() => resolve(null), PATIENCE_MS).unref();
    });
  }

  #tell(method: string, params: object): void {
    this.#send({ method, params });
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #read(chunk: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, chunk]);
    for (;;) {
      const end = this.#unread.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(this.#unread.subarray(0, Math.max(end, 0)).toString())?.[1]);
      if (end === -1 || !(this.#unread.length >= end + 4 + length)) return;
      const message = JSON.parse(this.#unread.subarray(end + 4, end + 4 + length).toString()) as Message;
      this.#unread = this.#unread.subarray(end + 4 + length);
      this.#take(message);
    }
  }

  #take({ id, method, params, result }: Message): void {
    if (method === undefined && id !== undefined) this.#answers.get(id)?.(result ?? null);
    else if (method === 'textDocument/publishDiagnostics')
      this.#diagnostics.set(params?.uri ?? '', params?.diagnostics ?? []);
    else if (method === 'workspace/configuration')
      this.#send({ id, result: (params?.items ?? []).map((item) => this.#section(item)) });
    else if (id !== undefined) this.#send({ id, result: null });
  }

  #section(item: unknown): unknown {
    const { section = '' } = item as { section?: string };
    return (this.#settings as Record<string, unknown>)[section] ?? {};
  }
}
