import type { Row } from './row.js';

/** A program that calls the CLI, and goes on whatever it says. */
const program = (line: string, files: Record<string, string> = {}) => ({
  agents: ['codex'],
  project: { git: true, files },
  responses: [{ pattern: { type: 'any' }, response: 'Done.' }],
  steps: [{ run: `sh -c ${JSON.stringify(`${line} < /dev/null || true`)}` }],
  allow_unused: true,
});

const exec = (words: string, files?: Record<string, string>) => program(`codex exec ${words} go`, files);

const patching = (...lines: string[]) => ({
  agent: 'codex',
  project: { files: { 'a.txt': 'one\n' } },
  responses: [
    {
      pattern: { type: 'any' },
      response: {
        text: 'Done.',
        tool_calls: [
          {
            tool: 'shell',
            input: {
              command: `apply_patch <<'EOF'\n${['*** Begin Patch', ...lines, '*** End Patch'].join('\n')}\nEOF`,
            },
          },
        ],
      },
    },
  ],
  steps: [{ send: 'go' }],
});

export const ROWS: Row[] = [
  { capability: 'colors', rehearsal: exec('--color always') },
  { capability: '--profile', rehearsal: exec('-p work') },
  { capability: '--image', rehearsal: exec('-i a.png --', { 'a.png': 'png' }) },
  { capability: '--worktree', rehearsal: exec('--worktree') },
  {
    capability: '--oss',
    rehearsal: exec('--oss'),
    onlySim: 'it needs a model server of another kind on this machine',
  },
  { capability: 'review', rehearsal: program('codex review --uncommitted') },
  { capability: 'exec review', rehearsal: program('codex exec review --uncommitted') },
  { capability: 'exec fork', rehearsal: program('codex exec fork --last go') },
  { capability: 'mcp list', rehearsal: program('codex mcp list') },
  { capability: 'mcp add', rehearsal: program('codex mcp add srv -- true') },
  { capability: 'features list', rehearsal: program('codex features list') },
  { capability: 'the setting mcp_servers', rehearsal: exec('-c \'mcp_servers.srv.command="true"\'') },
  { capability: 'the setting notify', rehearsal: exec('-c \'notify=["true"]\'') },
  { capability: 'the setting hide_agent_reasoning', rehearsal: exec('-c hide_agent_reasoning=true') },
  {
    capability: 'the setting shell_environment_policy',
    rehearsal: exec('-c shell_environment_policy.inherit=core'),
  },
  {
    capability: 'settings of a project',
    rehearsal: exec('', { '.codex/config.toml': 'model_reasoning_effort = "low"\n' }),
  },
  {
    capability: 'patches that move',
    rehearsal: patching('*** Update File: a.txt', '*** Move to: b.txt', '@@', '-one', '+two'),
  },
  {
    capability: 'patches that do not fit exactly',
    rehearsal: patching('*** Update File: a.txt', '@@', '-one ', '+two'),
  },
];
