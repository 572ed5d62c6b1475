// The smallest MCP server: one tool that says a text back.
import { createInterface } from 'node:readline';

const tools = [
  {
    name: 'say',
    description: 'Says a text back',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
];

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'echo', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ arguments: { text } }) => ({ content: [{ type: 'text', text: `echo: ${text}` }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = methods[method]?.(params) ?? {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}
