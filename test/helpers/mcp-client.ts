import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { isolation } from './isolation.js';
import { UNDERSTUDY } from './understudy.js';

/** What a tool gave: its structured content, its words, and whether it is an error. */
export interface ToolAnswer {
  isError: boolean;
  text: string;
  // Tests look at many shapes; each says itself what it expects.
  data: Record<string, unknown>;
  links: string[];
}

/** An official client at the built server, with short ways to call tools. */
export interface TestClient {
  client: Client;
  transport: StdioClientTransport;
  /** Calls a tool, whatever comes of it. */
  ask(tool: string, args?: Record<string, unknown>, options?: CallOptions): Promise<ToolAnswer>;
  /** Calls a tool that must succeed, and gives its structured content. */
  call<T = Record<string, unknown>>(tool: string, args?: Record<string, unknown>, options?: CallOptions): Promise<T>;
}

export type CallOptions = Parameters<Client['callTool']>[1];

export interface StdioOptions {
  args?: readonly string[];
  env?: Record<string, string>;
  client?: ClientOptions;
}

/** Connects over stdio; the server goes when the test does. */
export async function connectOverStdio({
  args = [],
  env = {},
  client: options,
}: StdioOptions = {}): Promise<TestClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [UNDERSTUDY, 'mcp', ...args],
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', UNDERSTUDY_ISOLATION: isolation, ...env },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1' }, options);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { transport, ...callerOf(client) };
}

/** Short ways to call the tools of a connected client. */
export function callerOf(client: Client): Omit<TestClient, 'transport'> {
  const ask = async (tool: string, args: Record<string, unknown> = {}, options?: CallOptions): Promise<ToolAnswer> => {
    const result = await client.callTool({ name: tool, arguments: args }, { timeout: 120_000, ...options });
    const content = result.content as { type: string; text?: string; uri?: string }[];
    return {
      isError: result.isError === true,
      text: content.flatMap(({ text }) => text ?? []).join('\n'),
      data: (result.structuredContent ?? {}) as Record<string, unknown>,
      links: content.flatMap(({ type, uri }) => (type === 'resource_link' && uri !== undefined ? [uri] : [])),
    };
  };
  return {
    client,
    ask,
    async call<T>(tool: string, args?: Record<string, unknown>, options?: CallOptions) {
      const answer = await ask(tool, args, options);
      if (answer.isError) throw new Error(`${tool} failed: ${answer.text}`);
      return answer.data as T;
    },
  };
}

/** The code of a tool error. */
export function errorCode({ isError, data }: ToolAnswer): string | undefined {
  return isError ? (data['error'] as { code: string }).code : undefined;
}
