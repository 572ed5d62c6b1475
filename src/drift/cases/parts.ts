import { RECORD_PAYLOAD, type Step, tool, user } from '../case.js';

/** One hook of the user for each event. */
export const userHooks = (byEvent: Record<string, string>) => ({
  'HOME/.claude/settings.json': {
    hooks: Object.fromEntries(
      Object.entries(byEvent).map(([event, command]) => [event, [{ hooks: [{ type: 'command', command }] }]]),
    ),
  },
});

/** A hook of the project for each event, which only keeps its payload, or does more than that. */
export const recorded = (events: readonly string[], more: Record<string, string> = {}) => ({
  '.claude/settings.json': {
    hooks: Object.fromEntries(
      events.map((event) => {
        const command = event in more ? `${RECORD_PAYLOAD}; ${more[event]}` : RECORD_PAYLOAD;
        return [event, [{ hooks: [{ type: 'command', command }] }]];
      }),
    ),
  },
});

/** A subagent, and what it says. */
export const agent = (prompt: string, more: Record<string, unknown>, steps: Step[]): Step => ({
  ...tool('Agent', { description: 'look', prompt, subagent_type: 'general-purpose', ...more }),
  subagent: steps,
});

export const SESSION = '66666666-6666-4666-8666-666666666666';
/** An earlier process, whose session can go on. */
export const BEFORE = { args: ['-p', 'before', '--session-id', SESSION] };

/** An earlier process whose only prompt a hook refused. */
export const REFUSED = {
  files: userHooks({
    SessionStart: 'echo started',
    UserPromptSubmit: 'grep -q before && { echo no >&2; exit 2; }; true',
  }),
  before: [BEFORE],
};

/** Prompts in a living session, one after the other. */
export const says = (...texts: string[]) => texts.flatMap((text) => [user(text), { until: 'result' }]);

/** An MCP server whose tool says what it is given, and fails or never answers on demand. */
export const JUDGE_SOURCE = `import readline from 'node:readline';
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const reply = (rest) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...rest }) + '\\n');
  if (method === 'initialize') reply({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'srv', version: '1' } } });
  else if (method === 'tools/list') reply({ result: { tools: [{ name: 'judge', inputSchema: { type: 'object' } }] } });
  else if (method === 'tools/call') {
    const { text, isError = false, never } = params.arguments;
    if (params.name === 'lost') reply({ error: { code: -32602, message: 'no such tool' } });
    else if (!never) reply({ result: { content: [{ type: 'text', text: text ?? JSON.stringify(params) }], isError } });
  } else if (id !== undefined) reply({ result: {} });
});
`;
/** The same, with one result for every call. */
export const judge = (result: object): string =>
  JUDGE_SOURCE.replace(
    /(?<=method === 'tools\/call'\) \{\n)/,
    `    return reply({ result: ${JSON.stringify(result)} });\n`,
  );
/** The configuration of that server, in `server.mjs`. */
export const JUDGE = JSON.stringify({ mcpServers: { srv: { command: 'node', args: ['server.mjs'] } } });

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** Blocks of what an MCP server answers. */
export const IMAGE = { type: 'image', data: PNG, mimeType: 'image/png' };
export const text = (words: string) => ({ type: 'text', text: words });
