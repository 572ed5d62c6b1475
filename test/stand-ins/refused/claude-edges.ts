import type { Row } from './row.js';

const ANY = [{ pattern: { type: 'any' }, response: 'Hello.' }];

/** A session that needs no answer but the first. */
const greeting = (files: Record<string, unknown>, more: object = {}) => ({
  agent: 'claude',
  project: { files: texts(files) },
  responses: ANY,
  steps: [{ send: 'hello' }],
  ...more,
});

/** A program that calls the CLI, and goes on whatever it says. */
const program = (line: string, files: Record<string, unknown> = {}) => ({
  agents: ['claude'],
  project: { files: texts(files) },
  responses: ANY,
  steps: [{ run: `sh -c ${JSON.stringify(`${line} || true`)}`, expect: {} }],
  allow_unused: true,
});

function texts(files: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? content : JSON.stringify(content),
    ]),
  );
}

const SHOP = {
  'shop/.claude-plugin/marketplace.json': {
    name: 'shop',
    owner: { name: 'someone' },
    plugins: [{ name: 'demo', source: './demo' }],
  },
  'shop/demo/.claude-plugin/plugin.json': { name: 'demo' },
  '.claude/settings.json': {
    extraKnownMarketplaces: { shop: { source: { source: 'directory', path: './shop' } } },
    enabledPlugins: { 'demo@shop': true },
  },
};

const hooked = (event: string, hook: object) =>
  greeting({ '.claude/settings.json': { hooks: { [event]: [{ hooks: [hook] }] } } });

/** A server of the project that offers one thing beside tools. */
const SERVER = `
const [kind] = process.argv.slice(2);
const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
let call;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const answer = (result) => write({ id, result });
  if (id === 'asked') write({ id: call, result: { content: [{ type: 'text', text: 'thanks' }] } });
  else if (method === 'initialize') answer({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: { listChanged: true }, ...(kind === 'keep' ? { resources: {} } : {}), ...(kind === 'prompt' ? { prompts: {} } : {}) },
    serverInfo: { name: 'srv', version: '1' },
  });
  else if (method === 'tools/list') answer({ tools: [{ name: 'ask', inputSchema: { type: 'object' } }] });
  else if (method === 'prompts/list') answer({ prompts: [{ name: 'greet' }] });
  else if (method === 'prompts/get') answer({ messages: [{ role: 'user', content: { type: 'text', text: 'Greet me.' } }] });
  else if (method === 'resources/list') answer({ resources: [{ uri: 'x://a', name: 'a' }] });
  else if (method === 'tools/call' && kind === 'sound')
    answer({ content: [{ type: 'audio', data: 'eA==', mimeType: 'audio/wav' }] });
  else if (method === 'tools/call' && kind === 'more') {
    write({ method: 'notifications/tools/list_changed' });
    answer({ content: [{ type: 'text', text: 'more' }] });
  } else if (method === 'tools/call') {
    call = id;
    write({ id: 'asked', method: 'elicitation/create', params: { message: 'Which?', requestedSchema: { type: 'object', properties: {} } } });
  } else if (id !== undefined) write({ id, error: { code: -32601, message: 'no' } });
});
`;

const served = (kind: string, call?: object) =>
  greeting(
    {
      'server.cjs': SERVER,
      '.mcp.json': { mcpServers: { srv: { command: 'node', args: ['server.cjs', kind] } } },
      '.claude/settings.json': { enableAllProjectMcpServers: true },
    },
    {
      steps: [{ send: 'go', permissions: { '*': 'allow' } }],
      responses: [
        { pattern: { type: 'any' }, response: { text: 'Done.', tool_calls: call === undefined ? [] : [call] } },
      ],
    },
  );

export const ROWS: Row[] = [
  { capability: 'plugins that settings enable', rehearsal: greeting(SHOP) },
  { capability: 'plugin install', rehearsal: program('claude plugin install demo@shop') },
  { capability: 'plugin marketplace', rehearsal: program('claude plugin marketplace list') },
  { capability: 'plugin list', rehearsal: program('claude plugin list --json') },
  { capability: 'mcp add', rehearsal: program('claude mcp add srv -- node server.mjs') },
  { capability: 'mcp list', rehearsal: program('claude mcp list') },
  { capability: 'auth status', rehearsal: program('claude auth status --json') },
  {
    capability: 'hooks that post to a server',
    rehearsal: hooked('Stop', { type: 'http', url: 'http://127.0.0.1:9/' }),
  },
  {
    capability: 'hooks that call a tool of a server',
    rehearsal: hooked('UserPromptSubmit', { type: 'mcp_tool', server: 'srv', tool: 'judge' }),
  },
  {
    capability: 'hooks that wake the agent later',
    rehearsal: hooked('Stop', { type: 'command', command: 'true', asyncRewake: true }),
  },
  { capability: 'elicitation', rehearsal: served('ask', { tool: 'mcp__srv__ask', input: {} }) },
  ...['sound', 'more'].map((kind) => ({
    capability: kind === 'sound' ? 'what a server gives beside text and images' : 'other tools of a server',
    rehearsal: served(kind, { tool: 'mcp__srv__ask', input: {} }),
  })),
  {
    // Rehearsals do without these tools, and programs may have them.
    capability: 'resources of servers',
    rehearsal: {
      ...served('keep', { tool: 'ListMcpResourcesTool', input: {} }),
      agents: ['claude'],
      steps: [{ run: 'claude -p go' }],
    },
  },
  {
    capability: 'prompts of servers',
    rehearsal: { ...served('prompt'), steps: [{ send: '/mcp__srv__greet you' }] },
  },
  ...['read_file', 'rewind_files', 'get_usage', 'rename_session', 'mcp_call', 'end_session'].map((subtype) => ({
    capability: `the control request ${subtype}`,
    rehearsal: program(
      `echo '${JSON.stringify({ type: 'control_request', request_id: 'a', request: { subtype, title: 'x', path: 'a' } })}' | claude -p --input-format stream-json --output-format stream-json --verbose`,
    ),
  })),
  ...['lsof -i', 'git rev-list HEAD'].map((command) => ({
    capability: `options that need approval: ${command}`,
    rehearsal: greeting(
      {},
      {
        project: { git: true, files: { 'a.txt': 'x' } },
        responses: [
          { pattern: { type: 'any' }, response: { text: 'Done.', tool_calls: [{ tool: 'Bash', input: { command } }] } },
        ],
      },
    ),
  })),
  {
    capability: 'hooks that hear of another model',
    rehearsal: program(
      `echo '${JSON.stringify({ type: 'control_request', request_id: 'a', request: { subtype: 'set_model', model: 'haiku' } })}' | claude -p --input-format stream-json --output-format stream-json --verbose`,
      { '.claude/settings.json': { hooks: { PreModelSwitch: [{ hooks: [{ type: 'command', command: 'true' }] }] } } },
    ),
  },
  {
    capability: 'plugins that need others',
    rehearsal: program('claude -p hi --plugin-dir demo', {
      'demo/.claude-plugin/plugin.json': { name: 'demo', dependencies: ['other'] },
    }),
  },
  {
    capability: 'workflows',
    rehearsal: greeting({
      '.claude/workflows/tidy.js': "export const meta = { name: 'tidy', description: 'Tidies up' };\n",
    }),
  },
  { capability: 'doctor', rehearsal: program('claude doctor < /dev/null') },
];
