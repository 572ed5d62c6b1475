import { onTestFinished } from 'vitest';
import { startModelServer } from '../../packages/agents/src/model/server.js';
import { defined } from '../../packages/kit/src/document/defined.js';
import type { ModelServer, ModelServerOptions } from '../../packages/model/src/server/server.js';
import { defineScenario } from '../../packages/script/src/load.js';

/** A model server that plays this scenario until the test ends. */
export async function serve(document: object, options: Partial<ModelServerOptions> = {}): Promise<ModelServer> {
  const server = await startModelServer({ scenario: defineScenario(document), ...options });
  onTestFinished(() => server.close());
  return server;
}

/** What a client must send to be heard. */
export const known = ({ key }: ModelServer) => ({ 'content-type': 'application/json', 'x-api-key': key });

export type Message = { role: string; content: unknown };

/** Asks as a client of the Messages API. */
export async function ask(
  server: ModelServer,
  messages: Message[] | string,
  headers: Record<string, string> = {},
  more: object = {},
) {
  const list = typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages;
  const tools = [{ name: 'Bash', input_schema: { properties: { command: {} } } }];
  const response = await fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    headers: { ...known(server), ...headers },
    body: JSON.stringify({ model: 'm', max_tokens: 100, tools, messages: list, ...more }),
  });
  const body = (await response.json()) as {
    id: string;
    content: { type: string; text?: string; id?: string }[];
    error?: { message: string };
  };
  return { status: response.status, body, text: (body.content ?? []).map((block) => block.text ?? '').join('') };
}

/** The headers by which Claude Code names its session and subagent. */
export const claude = (session: string, agent?: string) => ({
  'user-agent': 'claude-cli/2.1.325',
  'x-claude-code-session-id': session,
  ...defined({ 'x-claude-code-agent-id': agent }),
});
