import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const entry = join(folder, 'node_modules', '@anthropic-ai', 'claude-agent-sdk', 'sdk.mjs');
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

/** The Agent SDK, and beside it the other SDKs of the docs, from npm when it is not there yet; nothing where npm cannot be reached. Under CI=true it must be there. */
export async function loadAgentSdk(): Promise<AgentSdk | undefined> {
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
      return undefined;
    }
  }
  return (await import(pathToFileURL(entry).href)) as AgentSdk;
}
