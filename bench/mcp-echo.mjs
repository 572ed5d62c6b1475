// The least that an MCP server can be: one tool that says its argument back.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'echo', version: '1' });
  server.registerTool(
    'echo',
    { inputSchema: z.object({ text: z.string() }), outputSchema: z.object({ text: z.string() }) },
    ({ text }) => ({ content: [{ type: 'text', text }], structuredContent: { text } }),
  );
  return server;
});
