import type { Row } from './row.js';

const rehearsal = (more: object, calls: readonly object[] = []) => ({
  agent: 'gemini',
  responses: [{ pattern: { type: 'any' }, response: { text: 'Done.', tool_calls: calls } }],
  steps: [{ send: 'go' }],
  ...more,
});

/** A program that calls the CLI, and goes on whatever it says. */
const program = (line: string, more: object = {}) =>
  rehearsal({
    agent: undefined,
    agents: ['gemini'],
    steps: [{ run: `sh -c ${JSON.stringify(`${line} || true`)}` }],
    allow_unused: true,
    ...more,
  });

const settings = (values: object) =>
  rehearsal({ project: { files: { '.gemini/settings.json': JSON.stringify(values) } } });

const flag = (words: string): Row => ({
  capability: words.split(' ')[0] ?? words,
  rehearsal: program(`gemini -y ${words} -p go < /dev/null`),
});

export const ROWS: Row[] = [
  flag('--include-directories .'),
  flag('--allowed-tools glob'),
  flag('--allowed-mcp-server-names none'),
  flag('--policy none.toml'),
  flag('--raw-output'),
  flag('--debug'),
  { capability: 'the mode plan', rehearsal: program('gemini --approval-mode plan -p go < /dev/null') },
  { capability: '--list-sessions', rehearsal: program('gemini --list-sessions') },
  { capability: 'mcp list', rehearsal: program('gemini mcp list') },
  { capability: 'extensions list', rehearsal: program('gemini extensions list') },
  {
    capability: 'hooks',
    rehearsal: settings({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'true' }] }] } }),
  },
  { capability: 'MCP servers', rehearsal: settings({ mcpServers: { srv: { command: 'true' } } }) },
  { capability: 'allowed tools of the settings', rehearsal: settings({ tools: { allowed: ['glob'] } }) },
  { capability: 'a model of the settings', rehearsal: settings({ model: { name: 'gemini-2.5-flash' } }) },
  {
    capability: 'extensions',
    rehearsal: rehearsal({
      project: { files: { '.gemini/extensions/x/gemini-extension.json': '{"name":"x","version":"1.0.0"}' } },
    }),
    onlySim: 'extensions of a project are those of Gemini CLI before 0.20',
  },
  {
    capability: 'own commands',
    rehearsal: rehearsal({
      project: { files: { '.gemini/commands/greet.toml': 'prompt = "Say hello."' } },
      steps: [{ send: '/greet' }],
    }),
  },
  {
    capability: 'files behind an @',
    rehearsal: rehearsal({ project: { files: { 'a.txt': 'one' } }, steps: [{ send: 'look at @a.txt' }] }),
  },
  {
    capability: 'pictures',
    rehearsal: rehearsal({ project: { files: { 'a.png': 'png' } } }, [{ tool: 'read', input: { path: 'a.png' } }]),
  },
  {
    capability: '.geminiignore',
    rehearsal: rehearsal({ project: { files: { '.geminiignore': '*.log', 'a.txt': 'a' } } }, [
      { tool: 'read', input: { path: 'a.txt' } },
    ]),
  },
  {
    capability: 'files that git ignores',
    rehearsal: rehearsal({ project: { git: true, files: { '.gitignore': '*.log', 'a.txt': 'a', 'x.log': 'x' } } }, [
      { tool: 'list_directory', input: { dir_path: '.' } },
    ]),
  },
  {
    capability: 'the GEMINI.md of a folder',
    rehearsal: rehearsal({ project: { files: { 'sub/GEMINI.md': '# Sub', 'sub/a.txt': 'a' } } }, [
      { tool: 'read', input: { path: 'sub/a.txt' } },
    ]),
  },
  {
    capability: 'rare arguments of a search',
    rehearsal: rehearsal({ project: { files: { 'a.txt': 'one' } } }, [
      { tool: 'grep_search', input: { pattern: 'one', names_only: true } },
    ]),
  },
  {
    capability: 'commands in the background',
    rehearsal: rehearsal({}, [{ tool: 'run_shell_command', input: { command: 'true', is_background: true } }]),
  },
];
