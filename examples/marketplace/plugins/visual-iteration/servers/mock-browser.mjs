import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readMessages, writeMessage } from './json-lines.mjs';
import { blankPage, loadPage } from './mock-page.mjs';
import { mosaic } from './mosaic-png.mjs';

const TOOLS = [
  {
    name: 'navigate',
    description: 'Open a page by its http(s) address.',
    inputSchema: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
  },
  {
    name: 'screenshot',
    description: 'Take a picture of the open page. It is saved in screenshots/ below the project.',
    inputSchema: { type: 'object', properties: { filename: { type: 'string' } } },
  },
];

function asText(text) {
  return { content: [{ type: 'text', text }] };
}

function save(filename, picture) {
  const name = basename(filename);
  if (name !== filename || !name.endsWith('.png'))
    throw new Error(`"${filename}" must be a plain name that ends in .png`);
  mkdirSync('screenshots', { recursive: true });
  writeFileSync(join('screenshots', name), picture);
  return join('screenshots', name);
}

/** The mock server: MCP over two streams, one JSON message per line. */
export function mockBrowser(input, output) {
  let page = blankPage;
  let pictures = 0;

  const tools = {
    async navigate({ url }) {
      page = await loadPage(String(url));
      return asText(`Opened ${page.url}: "${page.title}" (${page.sources.length} sources). This is a mock browser.`);
    },
    async screenshot({ filename = `page-${pictures + 1}.png` }) {
      if (page !== blankPage) page = await loadPage(page.url);
      const digest = createHash('sha256').update(page.sources.join('\0')).digest();
      const picture = mosaic(digest);
      const path = save(String(filename), picture);
      pictures += 1;
      return {
        content: [
          { type: 'image', data: picture.toString('base64'), mimeType: 'image/png' },
          {
            type: 'text',
            text: `Saved ${path} of ${page.url} "${page.title}", content ${digest.toString('hex', 0, 6)}. Mock: the colors show that something changed, not how it looks.`,
          },
        ],
      };
    },
  };

  async function call({ name, arguments: args = {} }) {
    if (!Object.hasOwn(tools, name)) throw new Error(`unknown tool "${name}"`);
    try {
      return await tools[name](args);
    } catch (error) {
      return { ...asText(error.message), isError: true };
    }
  }

  const methods = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion: protocolVersion ?? '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'browser-tools-mock', version: '1.0.0' },
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: TOOLS }),
    'tools/call': call,
  };

  // One after the other, so that a picture is of the page that was opened before it.
  let queue = Promise.resolve();
  readMessages(input, (message) => {
    if (message.id === undefined) return;
    queue = queue.then(async () => {
      const answer = { jsonrpc: '2.0', id: message.id };
      const method = methods[message.method];
      try {
        if (method === undefined)
          writeMessage(output, { ...answer, error: { code: -32601, message: `no method ${message.method}` } });
        else writeMessage(output, { ...answer, result: await method(message.params ?? {}) });
      } catch (error) {
        writeMessage(output, { ...answer, error: { code: -32602, message: error.message } });
      }
    });
  });
}
