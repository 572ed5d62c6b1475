import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('./', import.meta.url));
const entry = join(folder, 'node_modules', '@anthropic-ai', 'claude-agent-sdk', 'sdk.mjs');

/** Its types, which are its documentation of the control channel. */
export const SDK_TYPES = join(folder, 'node_modules', '@anthropic-ai', 'claude-agent-sdk', 'sdk.d.ts');
const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};
const isInstalled = () => Object.keys(dependencies).every((name) => existsSync(join(folder, 'node_modules', name)));

/** What is used of the Agent SDK; it is installed on demand, so its own types may not be there. */
export interface AgentSdk {
  query(request: { prompt: string | AsyncIterable<unknown>; options: Record<string, unknown> }): Query;
  tool(
    name: string,
    description: string,
    schema: object,
    handler: (args: Record<string, string>) => Promise<unknown>,
  ): unknown;
  createSdkMcpServer(server: { name: string; version: string; tools: unknown[] }): unknown;
}

/** What is used of the first MCP SDK. Its client and transports fit those of the second where our tests call them. */
export type FirstMcpSdk = Pick<
  typeof import('@modelcontextprotocol/client'),
  'Client' | 'StreamableHTTPClientTransport'
> &
  Pick<typeof import('@modelcontextprotocol/client/stdio'), 'StdioClientTransport'>;

export type SdkMessage = { type: string; subtype?: string; [field: string]: unknown };

export interface Query extends AsyncGenerator<SdkMessage> {
  interrupt(): Promise<unknown>;
  setPermissionMode(mode: string): Promise<unknown>;
  setModel(model: string): Promise<unknown>;
  supportedCommands(): Promise<{ name: string }[]>;
  supportedModels(): Promise<{ value: string }[]>;
  mcpServerStatus(): Promise<{ name: string; status: string }[]>;
  setMcpServers(servers: Record<string, unknown>): Promise<{ added: string[] }>;
  toggleMcpServer(name: string, enabled: boolean): Promise<void>;
}

/** The Agent SDK, where it can be had. */
export async function loadAgentSdk(): Promise<AgentSdk | undefined> {
  return areThere() ? ((await import(pathToFileURL(entry).href)) as AgentSdk) : undefined;
}

/** The MCP client of the generation that most programs have (SDK 1.x), where it can be had. */
export async function loadFirstMcpSdk(): Promise<FirstMcpSdk | undefined> {
  if (!areThere()) return undefined;
  const load = async (part: string) =>
    import(pathToFileURL(join(folder, 'node_modules/@modelcontextprotocol/sdk/dist/esm/client', part)).href);
  return Object.assign({}, ...(await Promise.all(['index.js', 'stdio.js', 'streamableHttp.js'].map(load))));
}

/** The SDKs, from npm when they are not there yet; false where npm cannot be reached. Under CI=true they must be there. */
function areThere(): boolean {
  if (!isInstalled()) {
    const { status, stderr } = spawnSync(
      'npm',
      ['ci', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'],
      { cwd: folder, encoding: 'utf8' },
    );
    if (status !== 0) {
      const line = stderr.split('\n').find((text) => text.includes('npm error')) ?? 'npm ci failed';
      if (process.env['CI'] === 'true') throw new Error(`the Agent SDK could not be installed: ${line}`);
      console.warn(`skipped: the Agent SDK could not be installed: ${line}`);
      return false;
    }
  }
  return true;
}
