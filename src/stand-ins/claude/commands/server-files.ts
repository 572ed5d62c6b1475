import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CliError } from '../../../claude-code/cli-error.js';
import { configPaths } from '../../../claude-code/config-paths.js';
import { isObject, isStringList, type JsonObject, parseJson, readIfThere } from '../../../document/json.js';

/** Where a server is configured. */
export const SCOPES = ['local', 'project', 'user'] as const;

export type Scope = (typeof SCOPES)[number];

/** The servers of one scope, in their file. */
export class ServerFile {
  readonly #cwd: string;
  readonly #path: string;

  constructor(
    readonly scope: Scope,
    env: NodeJS.ProcessEnv,
  ) {
    this.#cwd = process.cwd();
    this.#path = scope === 'project' ? join(this.#cwd, '.mcp.json') : configPaths(env).state;
  }

  /** As people are told of it. */
  get shown(): string {
    return this.scope === 'local' ? `${this.#path} [project: ${this.#cwd}]` : this.#path;
  }

  get servers(): JsonObject {
    return objectIn(this.#holder(this.#read()), 'mcpServers');
  }

  set(name: string, server: JsonObject): void {
    this.#write({ ...this.servers, [name]: server });
  }

  remove(name: string): void {
    const { [name]: _, ...others } = this.servers;
    this.#write(others);
  }

  #read(): JsonObject {
    const document = parseJson(readIfThere(this.#path) ?? '{}');
    return isObject(document) ? document : {};
  }

  /** What has the servers: the whole file, or what it says of this project. */
  #holder(document: JsonObject): JsonObject {
    return this.scope === 'local' ? objectIn(objectIn(document, 'projects'), this.#cwd) : document;
  }

  #write(mcpServers: JsonObject): void {
    const document = this.#read();
    const changed = { ...this.#holder(document), mcpServers };
    const project = { allowedTools: [], mcpContextUris: [], ...changed };
    const whole =
      this.scope === 'local'
        ? { ...document, projects: { ...objectIn(document, 'projects'), [this.#cwd]: project } }
        : this.scope === 'project'
          ? { mcpServers }
          : changed;
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, JSON.stringify(whole, null, 2));
  }
}

function objectIn(parent: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(parent, name) ? parent[name] : undefined;
  return isObject(value) ? value : {};
}

export function readScope(given: string | undefined): Scope {
  const scope = SCOPES.find((one) => one === (given ?? 'local'));
  if (scope !== undefined) return scope;
  throw new CliError(
    `Invalid scope: ${given}. Must be one of: local, user, project, dynamic, enterprise, claudeai, managed, agent`,
  );
}

/** Whether a server of the project may be started: what rejects it may stand anywhere, what approves it is the user's. */
export function approvalOf(name: string, env: NodeJS.ProcessEnv): 'approved' | 'rejected' | 'pending' {
  const files = [configPaths(env).userSettings, '.claude/settings.json', '.claude/settings.local.json'];
  const [user = {}, ...others] = files.map((file) => {
    const settings = parseJson(readIfThere(resolve(file)) ?? '{}');
    return isObject(settings) ? settings : {};
  });
  const names = (settings: JsonObject, field: string): boolean =>
    isStringList(settings[field]) && settings[field].includes(name);
  if ([user, ...others].some((settings) => names(settings, 'disabledMcpjsonServers'))) return 'rejected';
  const isApproved = user['enableAllProjectMcpServers'] === true || names(user, 'enabledMcpjsonServers');
  return isApproved ? 'approved' : 'pending';
}
