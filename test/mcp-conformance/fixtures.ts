import { setTimeout as sleep } from 'node:timers/promises';
import { completable, type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import * as z from 'zod';

/** One pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
/** A sound file with no sound in it. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const text = (words: string) => ({ type: 'text' as const, text: words });

/** What the suite expects every server under test to have, besides what it is there for. */
export function addFixtures(server: McpServer): McpServer {
  addTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}

function addTools(server: McpServer): void {
  const described = { description: 'for the conformance suite', inputSchema: z.object({}) };
  const resource = (uri: string, mimeType: string, words: string) => ({
    type: 'resource' as const,
    resource: { uri, mimeType, text: words },
  });
  server.registerTool('test_simple_text', described, () => ({
    content: [text('This is a simple text response for testing.')],
  }));
  server.registerTool('test_image_content', described, () => ({ content: [image] }));
  server.registerTool('test_audio_content', described, () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  }));
  server.registerTool('test_embedded_resource', described, () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }));
  server.registerTool('test_multiple_content_types', described, () => ({
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }));
  server.registerTool('test_error_handling', described, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('test_tool_with_progress', described, async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      }
      await sleep(50);
    }
    return { content: [text('done')] };
  });
}

function addResources(server: McpServer): void {
  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: PNG }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href: uri }, { id }) => ({
    contents: [
      {
        uri,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ],
  }));
}

function addPrompts(server: McpServer): void {
  const user = <T>(content: T) => ({ role: 'user' as const, content });
  const description = 'for the conformance suite';
  server.registerPrompt('test_simple_prompt', { description }, () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description,
      argsSchema: z.object({
        arg1: completable(z.string(), (typed) => ['paris', 'park', 'party'].filter((one) => one.startsWith(typed))),
        arg2: z.string(),
      }),
    },
    ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => {
      const resource = { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
      return {
        messages: [
          user({ type: 'resource' as const, resource }),
          user(text('Please process the embedded resource above.')),
        ],
      };
    },
  );
  server.registerPrompt('test_prompt_with_image', { description }, () => ({
    messages: [user(image), user(text('Please analyze the image above.'))],
  }));
}
