/** A sound plugin with one component of each kind, as files. */
export const KIT_PLUGIN: Readonly<Record<string, string>> = {
  '.claude-plugin/plugin.json': '{ "name": "kit", "version": "1.0.0", "description": "One of each kind" }',
  'commands/greet.md': '---\ndescription: Greets\n---\nGreet $ARGUMENTS with care.\n',
  'skills/look/SKILL.md':
    '---\nname: look\ndescription: Looks at the code before it is changed\n---\nRead the tests before the code.\n',
  'skills/tidy/SKILL.md':
    '---\nname: tidy\ndescription: Tidies up\ndisable-model-invocation: true\n---\nRemove what nobody uses.\n',
  'agents/helper.md': '---\nname: helper\ndescription: Helps\ntools: Read, Bash\n---\nYou answer in one sentence.\n',
  'hooks/hooks.json': JSON.stringify({
    hooks: {
      SessionStart: [{ hooks: [{ type: 'command', command: 'echo The word of the day is banana.' }] }],
      PreToolUse: [
        {
          matcher: 'Bash|Edit',
          hooks: [{ type: 'command', command: 'sh "${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh"' }],
        },
      ],
      PostToolUse: [{ matcher: 'Write', hooks: [{ type: 'command', command: 'true' }] }],
      Stop: [{ hooks: [{ type: 'command', command: 'true' }] }],
      PreCompact: [{ hooks: [{ type: 'command', command: 'true before' }] }],
      PostCompact: [{ matcher: 'manual', hooks: [{ type: 'command', command: 'true' }] }],
      SubagentStop: [{ matcher: 'general-purpose', hooks: [{ type: 'command', command: 'true' }] }],
    },
  }),
  'hooks/guard.sh': `if grep -qE 'push --force|[.]env"'; then
  echo "That is not allowed here." >&2
  exit 2
fi
`,
  '.mcp.json': '{ "mcpServers": { "sky": { "command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/server.mjs"] } } }',
  'server.mjs': `import { createInterface } from 'node:readline';
const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [
  { name: 'delete_all', inputSchema: { type: 'object' } },
  { name: 'weather', description: 'The weather', inputSchema: city },
];
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const result = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'sky', version: '1' },
    },
    'tools/list': { tools },
    'tools/call': { content: [{ type: 'text', text: \`Sunny in \${params?.arguments?.city}\` }] },
    ping: {},
  }[method];
  const answer = result === undefined ? { error: { code: -32601, message: 'unknown' } } : { result };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
}
`,
};

export interface KitFault {
  /** What is broken: a file and the change in it. */
  file: string;
  from: string;
  to: string;
  /** The steps that must fail. */
  fails: readonly string[];
}

/** One fault for each kind, and the steps of the scaffolded rehearsal that name it. */
export const KIT_FAULTS: Readonly<Record<string, KitFault>> = {
  command: {
    ...{ file: 'commands/greet.md', from: '$ARGUMENTS', to: '$ARGUMENT' },
    fails: ['/kit:greet expands with its arguments'],
  },
  'skill-hidden': {
    ...{ file: 'skills/look/SKILL.md', from: 'name: look', to: 'disable-model-invocation: true' },
    fails: ['the skill look is advertised, loads, and its text reaches the model'],
  },
  'skill-text': {
    ...{ file: 'skills/look/SKILL.md', from: 'Read the tests before the code.', to: 'See above.' },
    fails: ['the skill look is advertised, loads, and its text reaches the model'],
  },
  'agent-tools': {
    ...{ file: 'agents/helper.md', from: 'Read, Bash', to: 'Read, Bash, Write' },
    fails: ['the agent helper starts with its own prompt and tools'],
  },
  'hook-lets-all-through': {
    ...{ file: 'hooks/guard.sh', from: 'exit 2', to: 'exit 0' },
    fails: ['PreToolUse stops a dangerous Bash', 'PreToolUse stops a dangerous Edit'],
  },
  'hook-stops-all': {
    ...{ file: 'hooks/guard.sh', from: 'push --force', to: 'e' },
    fails: ['PreToolUse lets a harmless Bash through', 'PreToolUse lets a harmless Edit through'],
  },
  'hook-says-nothing': {
    ...{ file: 'hooks/hooks.json', from: 'echo The word', to: 'true The word' },
    fails: ['/kit:greet expands with its arguments'],
  },
  'hook-of-compaction': {
    ...{ file: 'hooks/hooks.json', from: '"matcher":"manual"', to: '"matcher":"auto"' },
    fails: ['PreCompact, PostCompact: hooks run when the conversation is compacted'],
  },
  'hook-of-subagents': {
    ...{ file: 'hooks/hooks.json', from: '"matcher":"general-purpose"', to: '"matcher":"general"' },
    fails: ['SubagentStop: hooks run for a subagent'],
  },
  'hook-stops-compaction': {
    ...{ file: 'hooks/hooks.json', from: 'true before', to: 'exit 2' },
    fails: ['PreCompact, PostCompact: hooks run when the conversation is compacted'],
  },
  server: {
    ...{ file: 'server.mjs', from: "name: 'weather'", to: "name: 'wetter'" },
    fails: ['the server sky runs, its tools are offered, and it answers'],
  },
};
