import type { Row } from './row.js';

const user = (content: string, more: object = {}) =>
  JSON.stringify({
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: '',
    ...more,
  });

/** A program that sends lines to the CLI at once, and goes on whatever it says. */
const host = (lines: readonly string[], responses: readonly object[]) => ({
  agents: ['claude'],
  project: { files: { 'lines.jsonl': `${lines.join('\n')}\n` } },
  responses,
  steps: [
    {
      run: `sh -c "claude -p --input-format stream-json --output-format stream-json --verbose < lines.jsonl || true"`,
      expect: {},
    },
  ],
  allow_unused: true,
});

const LOOK = { text: 'Done.', tool_calls: [{ tool: 'Bash', input: { command: 'sleep 1' } }] };
const ANY = { pattern: { type: 'any' }, response: 'Hello.' };

export const ROWS: Row[] = [
  {
    capability: 'what the user says while the agent works',
    rehearsal: host(
      [user('first'), user('second')],
      [{ pattern: { type: 'exact', text: 'first' }, response: LOOK }, ANY],
    ),
  },
  {
    capability: 'messages that are urgent or can wait',
    rehearsal: host([user('first', { priority: 'later' })], [ANY]),
  },
  {
    capability: 'compaction of a conversation that is too long',
    rehearsal: {
      agent: 'claude',
      responses: [
        {
          pattern: { type: 'exact', text: 'again' },
          failure: { type: 'context_length', times: 1 },
          response: 'Again.',
        },
        ANY,
      ],
      steps: [{ send: 'hello' }, { send: 'again' }],
    },
  },
  ...['/usage', '/context', '/model haiku'].map((command) => ({
    capability: `the command ${command}`,
    rehearsal: { agent: 'claude', responses: [ANY], steps: [{ send: command }], allow_unused: true },
  })),
  {
    capability: 'a Stop hook that objects to the end of a typed skill with context: fork',
    rehearsal: {
      agent: 'claude',
      project: {
        files: {
          '.claude/skills/far/SKILL.md': '---\nname: far\ndescription: Far\ncontext: fork\n---\nGo far.\n',
          '.claude/settings.json': JSON.stringify({
            hooks: {
              Stop: [
                { hooks: [{ type: 'command', command: '[ -f met ] || { touch met; echo "go on" >&2; exit 2; }' }] },
              ],
            },
          }),
        },
      },
      responses: [ANY],
      steps: [{ send: '/far' }],
    },
  },
];
