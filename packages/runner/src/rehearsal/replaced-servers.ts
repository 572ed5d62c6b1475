import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadsPlugins } from '@understudy/agents';
import { defined, nearestWord, UnderstudyError } from '@understudy/kit';
import {
  type ChangeServer,
  changeProjectServers,
  type LocalServer,
  Mocks,
  preparePlugins,
  proxyFor,
  type ServerFaults,
  toolResult,
} from '@understudy/stage';
import type { McpServerDescription } from './schema.js';

export interface ReplacedServersOptions {
  /** A folder for what the replacements need. */
  folder: string;
  /** The folder of the rehearsal: what `./` and `../` in `command` and `args` are relative to. */
  from: string;
}

/** The `[mcp.NAME]` tables of a rehearsal: servers that are absent or replaced, so that nothing needs the network. */
export class ReplacedServers {
  readonly #servers: Readonly<Record<string, McpServerDescription>>;
  readonly #options: ReplacedServersOptions;
  readonly #known = new Set<string>();
  #mocks: Mocks | undefined;

  constructor(servers: Readonly<Record<string, McpServerDescription>>, options: ReplacedServersOptions) {
    this.#servers = servers;
    this.#options = options;
  }

  /** Changes the `.mcp.json` of a project. */
  replaceInProject(folder: string): void {
    if (this.#isEmpty) return;
    changeProjectServers(folder, this.#change);
  }

  /** Gives the folders to load: copies of the plugins whose servers are changed. */
  replaceInPlugins(plugins: readonly string[]): string[] {
    if (this.#isEmpty) return [...plugins];
    return preparePlugins(plugins, {
      folder: this.#options.folder,
      concerns: (name) => {
        this.#known.add(name);
        return Object.hasOwn(this.#servers, name);
      },
      change: this.#change,
    });
  }

  /** The arguments that bring the agent those servers that nobody else declares. */
  arguments(agent: string): string[] {
    if (this.#isEmpty) return [];
    if (!loadsPlugins(agent)) {
      throw new UnderstudyError('AGENT_IGNORES_OPTION', `${agent} would ignore \`[mcp]\``, {
        fix: `Leave \`[mcp]\` out for ${agent}, or use claude.`,
      });
    }
    const added: Record<string, LocalServer> = {};
    for (const name of Object.keys(this.#servers).filter((server) => !this.#known.has(server))) {
      const server = this.#entry(name);
      if (server === 'absent') throw unknownServer(name, [...this.#known]);
      if (server !== undefined) added[name] = server;
    }
    if (Object.keys(added).length === 0) return [];
    const file = join(this.#folder(), 'servers.json');
    writeFileSync(file, JSON.stringify({ mcpServers: added }));
    return ['--mcp-config', file];
  }

  get #isEmpty(): boolean {
    return Object.keys(this.#servers).length === 0;
  }

  readonly #change: ChangeServer = (name, config) => {
    this.#known.add(name);
    return this.#entry(name, config);
  };

  #entry(name: string, config?: Parameters<ChangeServer>[1]): ReturnType<ChangeServer> {
    const server = Object.hasOwn(this.#servers, name) ? this.#servers[name] : undefined;
    if (server === undefined) return undefined;
    if (server.absent === true) return 'absent';
    const { absent: _, command, args, env, tools, ...given } = server;
    const faults: ServerFaults | undefined = Object.keys(given).length === 0 ? undefined : given;
    const program: LocalServer | undefined =
      command === undefined
        ? undefined
        : { command: this.#path(command), ...defined({ args: args?.map((arg) => this.#path(arg)), env }) };
    if (program !== undefined && faults === undefined) return program;
    // Without anything in its place, it is the server itself that something goes wrong with.
    const behind = program ?? (tools === undefined ? config : undefined);
    if (behind === undefined && tools === undefined && faults?.changes === undefined && faults?.fails === undefined)
      throw unknownServer(name, [...this.#known]);
    return proxyFor(name, behind, { mocks: this.#mocksOf(name, tools ?? {}), folder: this.#folder(), faults });
  }

  #mocksOf(server: string, tools: NonNullable<McpServerDescription['tools']>): Mocks {
    this.#mocks ??= new Mocks(this.#folder());
    for (const [tool, answer] of Object.entries(tools)) {
      this.#mocks.add({ tool, server, replace: true, result: toolResult(answer) });
    }
    return this.#mocks;
  }

  #folder(): string {
    mkdirSync(this.#options.folder, { recursive: true });
    return this.#options.folder;
  }

  #path(text: string): string {
    return /^\.\.?\//.test(text) ? resolve(this.#options.from, text) : text;
  }
}

function unknownServer(name: string, known: readonly string[]): UnderstudyError {
  const near = nearestWord(name, known);
  return new UnderstudyError('MCP_SERVER_UNKNOWN', `neither the plugins nor the project have an MCP server "${name}"`, {
    fix:
      near !== undefined
        ? `Did you mean "${near}"?`
        : known.length === 0
          ? 'Remove the table: they have no servers.'
          : `Use one of ${known.join(', ')}.`,
  });
}
