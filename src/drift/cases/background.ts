import { type Case, LIVING, STREAM, type Step, say, tool, user } from '../case.js';
import { recorded } from './parts.js';

/** The real CLI lets both work at once: the subagent speaks when its start is told, the agent when it has ended. */
const later = (step: Step, lagMs = 1500): Step => ({ ...step, lagMs });

const agent = (
  prompt: string,
  more: Record<string, unknown> = {},
  steps: Step[] = [later(say(`${prompt}: seen`), 300)],
): Step => ({
  ...tool('Agent', { description: 'look', prompt, subagent_type: 'general-purpose', ...more }),
  subagent: steps,
});

const command = (line: string, more: Record<string, unknown> = {}): Step =>
  tool('Bash', { command: line, run_in_background: true, ...more });

const BASH = ['--allowedTools', 'Bash'];
const OFF = { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' };

const EVENTS = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'SubagentStop', 'Stop'];

/** Subagents and commands that the agent does not wait for, and what hooks are given. */
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
    files: recorded(EVENTS),
    turns: [[agent('look around'), later(say('done'))]],
  },
  {
    name: 'a subagent in the background that ends while the agent works',
    args: [...STREAM, 'go', '--allowedTools', 'Bash'],
    files: recorded(EVENTS),
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
    env: OFF,
    turns: [[agent('look around'), say('done')]],
  },
  {
    name: 'a command in the background',
    args: [...STREAM, 'go', ...BASH],
    files: recorded(EVENTS),
    turns: [[command('echo hi; sleep 0.1; echo there', { description: 'greet' }), later(say('done'))]],
  },
  {
    name: 'a command in the background that fails, as text',
    args: ['-p', 'go', ...BASH],
    turns: [[command('echo hi; exit 3'), later(say('done'))]],
  },
  {
    name: 'a command in the background that ends while the agent works',
    args: [...STREAM, 'go', ...BASH],
    files: recorded(EVENTS),
    turns: [
      [command('sleep 0.3; mkdir sub; cd sub; exit 3'), later(tool('Bash', { command: 'pwd; ls' })), say('done')],
    ],
  },
  {
    name: 'a command in the background that ends while a tool runs',
    args: [...STREAM, 'go', ...BASH],
    turns: [[command('sleep 1.2'), tool('Bash', { command: 'sleep 1.8; echo now' }), say('done')]],
  },
  {
    name: 'a command in the background that ends after the agent',
    args: [...STREAM, 'go', ...BASH],
    files: recorded(EVENTS),
    turns: [[command('sleep 2; echo late', { description: 'wait' }), say('done')]],
  },
  {
    name: 'a command in the background with a limit',
    args: [...STREAM, 'go', ...BASH],
    turns: [[command('echo hi; sleep 100', { timeout: 1500 }), say('done')]],
  },
  {
    name: 'a command that is moved to the background',
    args: [...STREAM, 'go', ...BASH],
    files: recorded(EVENTS),
    turns: [[tool('Bash', { command: 'echo out; echo err >&2; sleep 3', timeout: 1000 }), say('done')]],
  },
  {
    name: 'a command that only waits is not moved',
    args: [...STREAM, 'go', ...BASH],
    turns: [[tool('Bash', { command: 'sleep 3; echo hi', timeout: 1000 }), say('done')]],
  },
  {
    name: 'no background: commands',
    args: [...STREAM, 'go', ...BASH],
    env: OFF,
    turns: [[command('true'), tool('Bash', { command: 'echo begun; sleep 3', timeout: 1000 }), say('done')]],
  },
  {
    name: 'a living session with commands in the background',
    args: [...LIVING, ...BASH],
    env: { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' },
    talk: [user('go'), { until: 'result' }, user('more'), { until: 'result' }, { until: 'result' }],
    turns: [
      [command('sleep 3'), say('done')],
      [tool('Bash', { command: 'echo now' }), say('more done')],
    ],
  },
  {
    name: 'a command in the background of a subagent',
    args: [...STREAM, 'go', ...BASH],
    files: recorded(EVENTS),
    turns: [
      [
        agent('look around', { run_in_background: false }, [command('sleep 0.3; echo hi'), later(say('seen'))]),
        agent('look again', { run_in_background: false }, [command('echo hi; sleep 100'), later(say('seen'))]),
        agent('look on', { run_in_background: false }, [
          command('sleep 0.3; echo hi'),
          later(tool('Bash', { command: 'echo now' })),
          say('seen'),
        ]),
        say('done'),
      ],
    ],
  },
  {
    name: 'what hooks are given',
    args: [...STREAM, '/probe it', '--allowedTools', 'Bash(ls)', 'Bash(false)', 'Agent', 'Skill'],
    files: {
      ...recorded([
        ...[
          'SessionStart',
          'UserPromptSubmit',
          'UserPromptExpansion',
          'PreToolUse',
          'PostToolUse',
          'PostToolUseFailure',
        ],
        ...['PostToolBatch', 'PermissionRequest', 'PermissionDenied', 'SubagentStart', 'SubagentStop', 'Stop'],
        ...['SessionEnd'],
      ]),
      '.claude/commands/probe.md': 'Probe $ARGUMENTS.',
      '.claude/skills/sk/SKILL.md': '---\nname: sk\ndescription: A skill\n---\nDo it.\n',
      'a.txt': 'one\n',
    },
    turns: [
      [
        tool('Bash', { command: 'ls' }),
        tool('Bash', { command: 'false', description: 'fail' }),
        tool('Write', { file_path: 'b.txt', content: 'x' }),
        tool('Read', { file_path: 'a.txt' }),
        tool('Skill', { skill: 'sk' }),
        agent('look around', { run_in_background: false }, [tool('Bash', { command: 'ls' }), say('seen')]),
        say('done'),
      ],
    ],
  },
  {
    name: 'what hooks are given in a living session',
    args: [...LIVING, '--permission-mode', 'acceptEdits'],
    files: {
      ...recorded([
        'SessionStart',
        'UserPromptSubmit',
        'PreToolUse',
        'PostToolUse',
        'Stop',
        'SessionEnd',
        'PreCompact',
      ]),
      'a.txt': 'one\n',
    },
    talk: [user('go'), { until: 'result' }, user('/clear'), { until: 'result' }, user('more'), { until: 'result' }],
    turns: [
      [
        tool('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }),
        tool('Write', { file_path: 'b.txt', content: 'x' }),
        say('done'),
      ],
      [say('more done')],
    ],
  },
];
