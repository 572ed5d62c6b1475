import {
  type Case,
  control,
  LIVING,
  PAYLOADS,
  RECORD_PAYLOAD,
  type Run,
  STREAM,
  type Step,
  say,
  tool,
} from '../case.js';
import { IMAGE, says } from './parts.js';

/** What a server says and does. */
interface Plan {
  version?: string;
  /** It keeps nothing of what it hears: hooks hear of it at the same time. */
  isQuiet?: true;
  capabilities?: object;
  /** Its results by method, in place of the usual ones. */
  answers?: Record<string, unknown>;
  errors?: Record<string, { code: number; message: string }>;
  /** What it sends before it answers. */
  says?: Record<string, object[]>;
  /** It answers calls when it has heard the answer to this request of its own. */
  waitsFor?: string;
  /** The methods that it never answers, and those at which it ends. */
  silent?: string[];
  /** Once, or always. */
  exits?: string[];
  dies?: string[];
}

/** An MCP server that does as `plan.json` beside it says, and keeps what it hears as hooks keep their payloads. */
const SOURCE = `import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import readline from 'node:readline';
const here = (name) => new URL(name, import.meta.url);
const plan = JSON.parse(readFileSync(here('./plan.json'), 'utf8'));
const { answers = {}, errors = {}, says = {}, silent = [], exits = [], dies = [] } = plan;
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const keep = (heard) => plan.isQuiet || appendFileSync(process.env.HOME + '/../${PAYLOADS}', JSON.stringify(heard) + '\\n');
const usual = {
  initialize: ({ protocolVersion }) => ({ protocolVersion: plan.version ?? protocolVersion, capabilities: plan.capabilities ?? { tools: {} }, serverInfo: { name: 'srv', version: '1' } }),
  'tools/list': () => ({ tools: ['judge', ...(existsSync(here('./more')) ? ['more'] : [])].map((name) => ({ name, inputSchema: { type: 'object' } })) }),
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: name + ' was called' }] }),
};
const clean = ({ jsonrpc, id, ...rest }) => JSON.parse(JSON.stringify(rest).replaceAll(/toolu_\\w+/g, 'toolu_1').replaceAll(/"progressToken":\\d+/g, '"progressToken":1').replaceAll('https://', ''));
let release = () => {};
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  keep({ hook_event_name: method === undefined ? 'server heard the answer ' + id : 'server heard ' + method, sent: clean(message) });
  if (dies.includes(method)) process.exit(3);
  if (exits.includes(method) && !existsSync(here('./gone'))) { writeFileSync(here('./gone'), ''); process.exit(3); }
  const token = params?._meta?.progressToken;
  for (const one of says[method] ?? []) {
    if (one.method === 'notifications/tools/list_changed') {
      if (existsSync(here('./more'))) continue;
      writeFileSync(here('./more'), '');
    }
    send(JSON.parse(JSON.stringify(one).replaceAll('"TOKEN"', JSON.stringify(token ?? null))));
  }
  if (method === undefined && id === plan.waitsFor) release();
  if (id === undefined || method === undefined || silent.includes(method)) return;
  if (errors[method]) return send({ id, error: errors[method] });
  const result = params?.requestState === undefined && params?.inputResponses === undefined ? answers[method] ?? usual[method]?.(params) : usual[method]?.(params);
  const answer = () => send(result === undefined ? { id, error: { code: -32601, message: 'Method not found' } } : { id, result });
  if (plan.waitsFor !== undefined && method === 'tools/call') release = answer;
  else answer();
});
`;
const files = (plan: Plan) => ({ 'server.mjs': SOURCE, 'plan.json': plan });
const CONFIG = JSON.stringify({ mcpServers: { srv: { command: 'node', args: ['server.mjs'] } } });
const FLAG = ['--mcp-config', CONFIG, '--allowedTools', 'mcp__srv'];

const CALL: Step[] = [tool('mcp__srv__judge', { text: 'x' }), say('done')];
const server = (name: string, plan: Plan, more: Partial<Case> & { prompt?: string } = {}): Case => ({
  name: `server: ${name}`,
  args: [...STREAM, more.prompt ?? 'go', ...FLAG],
  turns: [CALL],
  ...more,
  files: { ...files(plan), ...more.files },
});

const GREET = { name: 'greet', description: 'greets', arguments: [{ name: 'who', required: true }, { name: 'how' }] };
const prompts = (list: object[], messages: object[] = [], more: Plan = {}): Plan => ({
  capabilities: { tools: {}, prompts: {} },
  ...more,
  answers: { 'prompts/list': { prompts: list }, 'prompts/get': { messages } },
});
const words = (role: string, text: string) => ({ role, content: { type: 'text', text } });
/** A prompt of a server, used as a command. */
const asked = (name: string, prompt: string, messages: object[], more: Plan = {}): Case =>
  server(`a prompt ${name}`, prompts([GREET, { name: 'plain one' }], messages, more), {
    prompt,
    turns: [[say('done')]],
  });

const RESOURCES: Plan = {
  capabilities: { tools: {}, resources: {} },
  answers: {
    'resources/list': { resources: [{ uri: 'test://one', name: 'one', mimeType: 'text/plain' }] },
    'resources/read': { contents: [{ uri: 'test://one', mimeType: 'text/plain', text: 'the text of one' }] },
  },
};
const resources = (name: string, step: Step, plan: Plan = RESOURCES): Case =>
  server(`resources ${name}`, plan, { turns: [[step, say('done')]] });

const ELICIT = {
  id: 'e1',
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'who?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
};
const ELICITING: Plan = { waitsFor: 'e1', says: { 'tools/call': [ELICIT] } };
const hooks = (byEvent: Record<string, unknown>) => ({
  'HOME/.claude/settings.json': {
    hooks: Object.fromEntries(
      Object.entries(byEvent).map(([event, output]) => {
        const then = output === undefined ? '' : `; echo '${JSON.stringify(output)}'`;
        return [event, [{ hooks: [{ type: 'command', command: RECORD_PAYLOAD + then }] }]];
      }),
    ),
  },
});
const decides = (event: string, action: string, content?: object) => ({
  hookSpecificOutput: { hookEventName: event, action, content },
});

const MODERN: Plan = {
  answers: {
    'server/discover': {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      serverInfo: { name: 'srv', version: '1' },
    },
    'tools/list': { resultType: 'complete', tools: [{ name: 'judge', inputSchema: { type: 'object' } }] },
    'tools/call': { resultType: 'complete', content: [{ type: 'text', text: 'judged' }] },
  },
};
const modern = (more: Record<string, unknown>): Plan => ({ ...MODERN, answers: { ...MODERN.answers, ...more } });

/** A server that the user has added, asked for by `claude mcp list` and `get`. */
const added = (name: string, plan: Plan, args: string[] = ['list']): Case => ({
  name: `setup: a server that ${name}, ${args[0]}`,
  args: ['mcp', ...args],
  env: { MCP_TIMEOUT: '2000' },
  files: files(plan),
  before: [{ args: ['mcp', 'add', 'srv', '--', 'node', 'server.mjs'] } satisfies Run],
});
const BROKEN: Record<string, Plan> = {
  'never answers': { silent: ['initialize'] },
  'refuses to begin': { errors: { initialize: { code: -32603, message: 'not today' } } },
  'speaks another version': { version: '1999-01-01' },
  'begins with nothing': { answers: { initialize: {} } },
  'lists nothing': { errors: { 'tools/list': { code: -32603, message: 'no list' } } },
  'lists a tool without a schema': { answers: { 'tools/list': { tools: [{ name: 'x' }] } } },
  'has no tools': { capabilities: {} },
  'ends at once': { dies: ['server/discover', 'initialize'] },
};

/** What an MCP server hears of the CLI, and what becomes of what it says. */
export const SERVER_CASES: readonly Case[] = [
  server('hears of the client', {}),
  ...['ping', 'roots/list', 'sampling/createMessage', 'foo/bar'].map((method) =>
    server(`asks for ${method}`, {
      waitsFor: 'a1',
      says: { 'tools/call': [{ id: 'a1', method, params: { messages: [], maxTokens: 1 } }] },
    }),
  ),
  server('tells of progress', {
    says: {
      'tools/call': [
        {
          method: 'notifications/progress',
          params: { progressToken: 'TOKEN', progress: 1, total: 2, message: 'half' },
        },
        { method: 'notifications/message', params: { level: 'info', data: 'hello' } },
      ],
    },
  }),
  server(
    'has one more tool',
    {
      capabilities: { tools: { listChanged: true } },
      says: { 'tools/call': [{ method: 'notifications/tools/list_changed' }] },
    },
    {
      args: [...LIVING, ...FLAG],
      turns: [CALL, [tool('mcp__srv__more', {}), say('again')]],
      talk: [
        ...control('init', { subtype: 'initialize' }),
        ...says('first', 'second'),
        ...control('status', { subtype: 'mcp_status' }),
      ],
    },
  ),
  server(
    'has one more tool without having said that it may',
    {
      says: { 'tools/call': [{ method: 'notifications/tools/list_changed' }] },
    },
    {
      args: [...LIVING, ...FLAG],
      turns: [CALL, [tool('mcp__srv__more', {}), say('again')]],
      talk: [...control('init', { subtype: 'initialize' }), ...says('first', 'second')],
    },
  ),
  server(
    'ends in the middle of a call, and is called again',
    { exits: ['tools/call'] },
    {
      turns: [[tool('mcp__srv__judge', {}), tool('mcp__srv__judge', {}), say('done')]],
    },
  ),
  server('ends when it is asked what it is', { exits: ['server/discover'] }),
  server('does not answer what it does not know', { silent: ['server/discover'] }),
  server('answers otherwise than its schema says', {
    answers: {
      'tools/list': {
        tools: [
          {
            name: 'judge',
            inputSchema: { type: 'object' },
            outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
          },
        ],
      },
      'tools/call': { content: [{ type: 'text', text: 'a' }], structuredContent: { n: 'x' } },
    },
  }),
  server('answers with an error', { errors: { 'tools/call': { code: -32000, message: 'went wrong' } } }),
  asked('with all that it takes', '/mcp__srv__greet Ada fine', [words('user', 'hello Ada')]),
  asked('with more than it takes', '/mcp__srv__greet Ada fine "and more"', [words('user', 'hello Ada')]),
  asked('with quotes', '/mcp__srv__greet "Ada Lovelace" fine', [words('user', 'hello')]),
  {
    ...asked('of which hooks hear', '/mcp__srv__greet Ada', [words('user', 'hello Ada')]),
    files: {
      ...files(prompts([GREET], [words('user', 'hello Ada')])),
      ...hooks({ UserPromptSubmit: undefined, UserPromptExpansion: undefined, Stop: undefined }),
    },
  },
  server('a prompt of a host', prompts([GREET], [words('user', 'hello Ada')]), {
    args: [...LIVING, ...FLAG],
    turns: [[say('one')], [say('two')]],
    talk: [...control('init', { subtype: 'initialize' }), ...says('first', '/mcp__srv__greet Ada')],
  }),
  asked('without what it needs', '/mcp__srv__greet', [words('user', 'hello')]),
  asked('of several messages', '/mcp__srv__greet Ada', [
    words('user', 'one'),
    words('assistant', 'two'),
    { role: 'user', content: { type: 'resource', resource: { uri: 'x://y', mimeType: 'text/plain', text: 'three' } } },
  ]),
  asked('with an image', '/mcp__srv__greet Ada', [{ role: 'user', content: IMAGE }]),
  asked('of no message', '/mcp__srv__greet Ada', []),
  asked('that fails', '/mcp__srv__greet Ada', [], {
    errors: { 'prompts/get': { code: -32602, message: 'no such person' } },
  }),
  asked('that there is not', '/mcp__srv__bow', []),
  resources('as a list', tool('ListMcpResourcesTool', {})),
  resources('of one server', tool('ListMcpResourcesTool', { server: 'srv' })),
  resources('of no server', tool('ListMcpResourcesTool', { server: 'none' })),
  ...[
    ['--tools', 'Bash'],
    ['--tools', ''],
    ['--disallowedTools', 'ListMcpResourcesTool'],
  ].map((args) =>
    server(`resources and ${args.join(' ')}`, RESOURCES, {
      args: [...STREAM, 'go', ...FLAG, ...args],
      turns: [[tool('ListMcpResourcesTool', {}), say('done')]],
    }),
  ),
  resources('read', tool('ReadMcpResourceTool', { server: 'srv', uri: 'test://one' })),
  resources('of no server read', tool('ReadMcpResourceTool', { server: 'none', uri: 'test://one' })),
  resources('that are files', tool('ReadMcpResourceTool', { server: 'srv', uri: 'test://one' }), {
    ...RESOURCES,
    answers: {
      ...RESOURCES.answers,
      'resources/read': { contents: [{ uri: 'test://one', mimeType: 'application/pdf', blob: 'aGk=' }] },
    },
  }),
  resources('that fail', tool('ReadMcpResourceTool', { server: 'srv', uri: 'test://two' }), {
    ...RESOURCES,
    errors: { 'resources/read': { code: -32002, message: 'not found' } },
  }),
  resources('that there are not', tool('ListMcpResourcesTool', {}), {
    ...RESOURCES,
    answers: { 'resources/list': { resources: [] } },
  }),
  server('asks the user', ELICITING, { files: hooks({ Elicitation: undefined, ElicitationResult: undefined }) }),
  server('asks the user, who is told', { ...ELICITING, isQuiet: true }, { files: hooks({ Notification: undefined }) }),
  server('asks the user, and a hook answers', ELICITING, {
    files: hooks({ Elicitation: decides('Elicitation', 'accept', { name: 'Ada' }), ElicitationResult: undefined }),
  }),
  server('asks the user, and a hook declines', ELICITING, {
    files: hooks({ Elicitation: decides('Elicitation', 'decline') }),
  }),
  server('asks the user, and a hook answers for the answer', ELICITING, {
    files: hooks({ ElicitationResult: decides('ElicitationResult', 'accept', { name: 'Eve' }) }),
  }),
  server(
    'asks the user to look at a page',
    {
      ...ELICITING,
      says: {
        'tools/call': [
          {
            ...ELICIT,
            params: { mode: 'url', message: 'look', elicitationId: 'x1', url: 'x://page' },
          },
        ],
      },
    },
    { files: hooks({ Elicitation: undefined, ElicitationResult: undefined }) },
  ),
  server('asks the user, and a hook blocks', ELICITING, {
    files: hooks({
      Elicitation: { decision: 'block', reason: 'no' },
      ElicitationResult: undefined,
      Notification: undefined,
    }),
  }),
  server('asks the user, and a hook answers with no such action', ELICITING, {
    files: hooks({ Elicitation: decides('Elicitation', 'maybe', { name: 'Ada' }), ElicitationResult: undefined }),
  }),
  server('asks the user, and a hook answers in the name of another event', ELICITING, {
    files: hooks({
      Elicitation: decides('ElicitationResult', 'accept', { name: 'Ada' }),
      ElicitationResult: undefined,
    }),
  }),
  server('asks the user, and a hook answers for the answer with no such action', ELICITING, {
    files: hooks({ ElicitationResult: decides('ElicitationResult', 'maybe') }),
  }),
  server('asks the user, and hooks hear of both', ELICITING, {
    files: hooks({ Elicitation: decides('Elicitation', 'accept', { name: 'Ada' }), Notification: undefined }),
  }),
  server('asks the user of a host', ELICITING, {
    args: [...LIVING, ...FLAG],
    talk: [...control('init', { subtype: 'initialize' }), ...says('first')],
    hostAnswer: { action: 'accept', content: { name: 'Ada' } },
  }),
  server('of the year 2026', MODERN),
  server(
    'of the year 2026 with more tools',
    modern({
      'server/discover': {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true }, prompts: {}, resources: {} },
        serverInfo: { name: 'srv', version: '1' },
      },
      'prompts/list': { resultType: 'complete', prompts: [] },
      'resources/list': { resultType: 'complete', resources: [] },
    }),
  ),
  server(
    'of the year 2026 asks the user',
    modern({
      'tools/call': {
        resultType: 'input_required',
        requestState: 'abc',
        inputRequests: { who: { method: 'elicitation/create', params: ELICIT.params } },
      },
    }),
  ),
  server(
    'of another year',
    modern({
      'server/discover': {
        resultType: 'complete',
        supportedVersions: ['2099-01-01'],
        capabilities: { tools: {} },
        serverInfo: { name: 'srv', version: '1' },
      },
    }),
  ),
  ...Object.entries(BROKEN).flatMap(([name, plan]) => [added(name, plan), added(name, plan, ['get', 'srv'])]),
  ...Object.entries(BROKEN).map(([name, plan]) =>
    server(`that ${name}, in a session`, plan, {
      args: [...LIVING, ...FLAG],
      env: { MCP_TIMEOUT: '2000' },
      turns: [[say('done')]],
      talk: [
        ...control('init', { subtype: 'initialize' }),
        ...says('first'),
        ...control('status', { subtype: 'mcp_status' }),
      ],
    }),
  ),
];
