import type { Row } from './row.js';

/** A program that calls the CLI, and goes on whatever it says. */
const program = (line: string, files: Record<string, string> = {}) => ({
  agents: ['opencode'],
  project: { files },
  responses: [{ pattern: { type: 'any' }, response: 'Done.' }],
  steps: [{ run: `sh -c ${JSON.stringify(`${line} < /dev/null || true`)}` }],
  allow_unused: true,
});

const run = (words: string, files?: Record<string, string>) => program(`opencode run ${words}`, files);
const settings = (values: object) => run('go', { 'opencode.json': JSON.stringify(values) });

const calling = (files: Record<string, string>, tool: string, input: object) => ({
  agent: 'opencode',
  project: { files },
  responses: [{ pattern: { type: 'any' }, response: { text: 'Done.', tool_calls: [{ tool, input }] } }],
  steps: [{ send: 'go' }],
});

const SCHEMA = { $schema: 'https://opencode.ai/config.json' };

export const ROWS: Row[] = [
  { capability: '--file', rehearsal: run('-f a.txt -- go', { 'a.txt': 'one' }) },
  { capability: '--command', rehearsal: run('--command go', { '.opencode/command/go.md': 'Go.' }) },
  { capability: '--fork', rehearsal: run('--fork go') },
  { capability: '--share', rehearsal: run('--share go'), onlySim: 'it would publish the session' },
  { capability: '--attach', rehearsal: run('--attach http://127.0.0.1:9 go') },
  { capability: 'the agent plan', rehearsal: run('--agent plan go') },
  { capability: 'session list', rehearsal: program('opencode session list') },
  { capability: 'export', rehearsal: program('opencode export ses_none') },
  { capability: 'models', rehearsal: program('opencode models') },
  { capability: 'mcp list', rehearsal: program('opencode mcp list') },
  { capability: 'agent list', rehearsal: program('opencode agent list') },
  { capability: 'permissions', rehearsal: settings({ ...SCHEMA, permission: { bash: 'deny' } }) },
  { capability: 'a model of the settings', rehearsal: settings({ ...SCHEMA, model: 'understudy/scripted' }) },
  { capability: 'settings without a schema', rehearsal: settings({ theme: 'opencode' }) },
  {
    capability: 'MCP servers',
    rehearsal: settings({ ...SCHEMA, mcp: { srv: { type: 'local', command: ['true'], enabled: false } } }),
  },
  {
    capability: 'agents of a project',
    rehearsal: run('go', { '.opencode/agent/w.md': '---\nmode: primary\n---\nW.' }),
  },
  { capability: 'plugins', rehearsal: run('go', { '.opencode/plugin/p.js': 'export const P = async () => ({})' }) },
  { capability: 'pictures', rehearsal: calling({ 'a.png': 'png' }, 'read', { filePath: 'a.png' }) },
  {
    capability: 'files of variables',
    rehearsal: {
      ...calling({ '.env': 'A=1' }, 'read', { filePath: '.env' }),
      agent: undefined,
      agents: ['opencode'],
      steps: [{ run: 'opencode run go' }],
    },
  },
  {
    capability: 'the instructions of a folder',
    rehearsal: calling({ 'sub/AGENTS.md': '# Sub', 'sub/a.txt': 'a' }, 'read', { filePath: 'sub/a.txt' }),
  },
  {
    capability: 'edits with other spaces',
    rehearsal: calling({ 'a.txt': 'a  b\n' }, 'edit', { filePath: 'a.txt', oldString: 'a b', newString: 'c' }),
  },
];
