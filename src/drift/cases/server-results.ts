import { type Case, RECORD_PAYLOAD, STREAM, say, tool } from '../case.js';
import { IMAGE, JUDGE, JUDGE_SOURCE, judge, text } from './parts.js';

const resource = (fields: object) => ({ type: 'resource', resource: { uri: 'x://y', ...fields } });
const link = (more: object) => ({ type: 'resource_link', uri: 'x://y', name: 'it', ...more });

const answered = (name: string, result: object): Case => ({
  name: `a server answers with ${name}`,
  args: [...STREAM, 'go', '--mcp-config', JUDGE, '--allowedTools', 'mcp__srv'],
  files: {
    'server.mjs': judge(result),
    'HOME/.claude/settings.json': {
      hooks: { PostToolUse: [{ hooks: [{ type: 'command', command: RECORD_PAYLOAD }] }] },
    },
  },
  turns: [[tool('mcp__srv__judge', {}), say('done')]],
});

const EVENTS = ['PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolBatch'];
/** What hooks hear of a tool of a server. */
const heard = (name: string, called: string, args: string[], files: Record<string, string | object>): Case => ({
  name: `hooks hear of a server ${name}`,
  args: [...STREAM, 'go', ...args],
  files: {
    ...files,
    'HOME/.claude/settings.json': {
      hooks: Object.fromEntries(
        EVENTS.map((event) => [event, [{ hooks: [{ type: 'command', command: RECORD_PAYLOAD }] }]]),
      ),
    },
  },
  turns: [[tool(called, { text: 'x' }), say('done')]],
});
const PLUGIN = {
  'plug/.claude-plugin/plugin.json': {
    name: 'plug',
    mcpServers: { own: { command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/server.mjs'] } },
  },
  'plug/server.mjs': JUDGE_SOURCE,
};

/** What the model reads of the answers of MCP servers. */
export const SERVER_RESULT_CASES: readonly Case[] = [
  answered('two texts', { content: [text('a'), text('b')] }),
  answered('data', { content: [text('a')], structuredContent: { a: 1 } }),
  answered('data alone', { structuredContent: { result: 'x' } }),
  answered('data and an image', { content: [IMAGE], structuredContent: { a: 1 } }),
  answered('an image', { content: [IMAGE] }),
  answered('a text and an image', { content: [text('a'), IMAGE] }),
  answered('a sound', { content: [{ type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }] }),
  answered('a link', { content: [link({ description: 'that', mimeType: 'text/plain' })] }),
  answered('a link without a word', { content: [text('a'), link({})] }),
  answered('a resource', { content: [resource({ mimeType: 'text/plain', text: 'inside' })] }),
  answered('a file', { content: [resource({ mimeType: 'application/pdf', blob: 'aGk=' })] }),
  answered('words beside it', { content: [text('a')], _meta: { x: 1 } }),
  answered('nothing', { content: [] }),
  answered('an empty text', { content: [text('')] }),
  heard('that may be called', 'mcp__srv__judge', ['--mcp-config', JUDGE, '--allowedTools', 'mcp__srv'], {
    'server.mjs': JUDGE_SOURCE,
  }),
  heard('that may not', 'mcp__srv__judge', ['--mcp-config', JUDGE], { 'server.mjs': JUDGE_SOURCE }),
  heard('of a plugin', 'mcp__plugin_plug_own__judge', ['--plugin-dir', 'plug'], PLUGIN),
];
