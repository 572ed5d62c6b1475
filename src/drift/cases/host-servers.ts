import { type Case, control, LIVING, say, tool } from '../case.js';
import { IMAGE, JUDGE, JUDGE_SOURCE, judge, says, text } from './parts.js';

/** A host that asks for changes of the MCP servers between two prompts; in the second one the agent calls a tool. */
const changed = (name: string, args: string[], ...requests: Record<string, unknown>[]): Case => ({
  name: `servers of the host: ${name}`,
  args: [...LIVING, '--allowedTools', 'mcp__srv', ...args],
  files: { 'server.mjs': JUDGE_SOURCE, 'other.mjs': JUDGE_SOURCE },
  turns: [[say('hello')], [tool('mcp__srv__judge', { text: 'hi' }), say('again')]],
  talk: [
    ...control('init', { subtype: 'initialize' }),
    ...says('first'),
    ...requests.flatMap((request, at) => control(`asked ${at}`, request)),
    ...says('second'),
  ],
});
const server = (file: string) => ({ srv: { type: 'stdio', command: 'node', args: [file] } });
const set = (servers: unknown) => ({ subtype: 'mcp_set_servers', servers });
const toggle = (enabled: unknown, serverName: unknown = 'srv') => ({ subtype: 'mcp_toggle', serverName, enabled });
const reconnect = (serverName: unknown) => ({ subtype: 'mcp_reconnect', serverName });
const call = (name: string, input: object = {}) => ({ subtype: 'mcp_call', tool: name, arguments: input });
/** What a host reads of an answer to a call of its own. */
const answered = (name: string, result: object): Case => {
  const test = changed(`a call that is answered with ${name}`, FLAG, call('mcp__srv__judge'));
  return { ...test, files: { 'server.mjs': judge(result) }, turns: [[say('hello')], [say('again')]] };
};
const STATUS = { subtype: 'mcp_status' };
const FLAG = ['--mcp-config', JUDGE];

/** What a host can do with MCP servers while a session runs. */
export const HOST_SERVER_CASES: readonly Case[] = [
  changed('one more', [], set(server('server.mjs')), STATUS),
  changed('one more and none', [], set(server('server.mjs')), set({}), STATUS),
  changed(
    'the same, and another',
    [],
    ...['server', 'server', 'other'].map((name) => set(server(`${name}.mjs`))),
    STATUS,
  ),
  changed('none beside that of a flag', FLAG, set({}), STATUS),
  changed('one in place of that of a flag', FLAG, set(server('other.mjs')), STATUS),
  changed('off', FLAG, toggle(false), STATUS),
  changed('off and on', FLAG, toggle(false), toggle(false), toggle(true), STATUS),
  changed('again', FLAG, reconnect('srv'), STATUS),
  changed('again while it is off', FLAG, toggle(false), reconnect('srv')),
  changed(
    'what there is not',
    [],
    toggle(false),
    reconnect('srv'),
    toggle('x'),
    toggle(true, 5),
    set(5),
    set({ srv: 5 }),
  ),
  changed(
    'a call',
    FLAG,
    call('mcp__srv__judge', { text: 'hi' }),
    call('mcp__srv__judge', { text: 'no', isError: true }),
  ),
  changed('a call of what is no tool', FLAG, call('Bash')),
  answered('a failure without a word', { isError: true }),
  answered('a failure in two texts', { isError: true, content: [text('a'), text('b')] }),
  answered('data', { content: [text('a')], structuredContent: { a: 1 }, _meta: { x: 1 } }),
  answered('an image', { content: [IMAGE] }),
  answered('a link', { content: [text('a'), { type: 'resource_link', uri: 'x://y', name: 'it' }] }),
  answered('nothing', { content: [] }),
];
