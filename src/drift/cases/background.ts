import { type Case, LIVING, RECORD_PAYLOAD, STREAM, type Step, say, tool, user } from '../case.js';

/** The real CLI lets both work at once: the subagent speaks when its start is told, the agent when it has ended. */
const later = (step: Step, delayMs = 1500): Step => ({ ...step, delayMs });

const agent = (
  prompt: string,
  more: Record<string, unknown> = {},
  steps: Step[] = [later(say(`${prompt}: seen`), 300)],
): Step => ({
  ...tool('Agent', { description: 'look', prompt, subagent_type: 'general-purpose', ...more }),
  subagent: steps,
});

const EVENTS = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'SubagentStop', 'Stop'];
const recorded = (command = RECORD_PAYLOAD) => ({
  '.claude/settings.json': {
    hooks: Object.fromEntries(EVENTS.map((event) => [event, [{ hooks: [{ type: 'command', command }] }]])),
  },
});

/** Subagents that the agent does not wait for. */
export const BACKGROUND_CASES: Case[] = [
  {
    name: 'a subagent in the background',
    args: [...STREAM, 'go'],
    turns: [[agent('look around'), later(say('done'))]],
  },
  {
    name: 'a subagent in the background that was asked for, with a tool',
    args: [...STREAM, 'go'],
    turns: [
      [
        agent('look around', { run_in_background: true }, [later(tool('Bash', { command: 'ls' }), 300), say('found')]),
        later(say('done')),
      ],
    ],
  },
  {
    name: 'a subagent in the background, and hooks',
    args: [...STREAM, 'go'],
    files: recorded(),
    turns: [[agent('look around'), later(say('done'))]],
  },
  {
    name: 'a subagent in the background that ends while the agent works',
    args: [...STREAM, 'go', '--allowedTools', 'Bash'],
    files: recorded(),
    turns: [[agent('look around'), later(tool('Bash', { command: 'ls' })), say('done')]],
  },
  {
    name: 'a subagent in the background, as text',
    args: ['-p', 'go'],
    turns: [[agent('look around'), later(say('done'))]],
  },
  {
    name: 'a subagent in the background, as JSON',
    args: ['-p', 'go', '--output-format', 'json'],
    turns: [[agent('look around'), later(say('done'))]],
  },
  {
    name: 'a living session with a subagent in the background',
    args: LIVING,
    env: { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' },
    talk: [user('go'), { until: 'result' }, { until: 'result' }, user('more'), { until: 'result' }],
    turns: [[agent('look around'), later(say('done'))], [say('more done')]],
  },
  {
    name: 'a hook that blocks the end of a subagent in the background',
    args: [...STREAM, 'go'],
    files: {
      '.claude/settings.json': {
        hooks: {
          UserPromptSubmit: [
            { hooks: [{ type: 'command', command: 'grep -q task-notification && { echo no >&2; exit 2; } || true' }] },
          ],
        },
      },
    },
    turns: [[agent('look around'), later(say('done'))]],
  },
  {
    name: 'a subagent in the background that needs a permission',
    args: [...STREAM, 'go'],
    turns: [
      [
        agent('look around', {}, [later(tool('Write', { file_path: 'x', content: 'y' }), 300), say('no')]),
        later(say('done')),
      ],
    ],
  },
  {
    name: 'the state of a session',
    args: [...STREAM, 'go'],
    env: { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' },
  },
  {
    name: 'no background: the variable that turns it off',
    args: [...STREAM, 'go'],
    env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' },
    turns: [[agent('look around'), say('done')]],
  },
];
