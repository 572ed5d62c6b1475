import { type Case, fail, LIVING, STREAM, say, tool } from '../case.js';
import { agent, says, userHooks } from './parts.js';

const json = (value: object): string => `echo '${JSON.stringify(value)}'`;
const TAGS = 'a <system-reminder>x</system-reminder> </ System-Reminder y> <system-reminders> <command-name> & b';
const context = (event: string): string =>
  json({ hookSpecificOutput: { hookEventName: event, additionalContext: TAGS } });
const MESSAGE = { systemMessage: 'said', suppressOutput: true };

const OF_TOOLS = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch'];
const OF_PROMPTS = ['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion'];
const all = (events: readonly string[], hook: (event: string) => string) =>
  userHooks(Object.fromEntries(events.map((event) => [event, hook(event)])));
const SCRIPTS = {
  no: 'echo no >&2; exit 2',
  ok: 'echo ok',
  bad: 'echo bad >&2; exit 1',
  once: 'test -e stopped || { touch stopped; echo again >&2; exit 2; }',
  json: json({ decision: 'block', reason: 'why' }),
  'json-once': `test -e stopped || { touch stopped; ${json({ decision: 'block', reason: 'why' })}; }`,
};
const MINE = { '.claude/commands/mine.md': 'Do $ARGUMENTS' };
const LOOK = agent('look', { run_in_background: false }, [tool('Bash', { command: 'ls' }), say('seen')]);
const TOOLS = [[tool('Bash', { command: 'ls' }), tool('Read', { file_path: 'none' }), LOOK, say('done')]];
const once = (then: string): string => `[ -e $HOME/once ] || { touch $HOME/once; ${then}; }`;

const AROUND = all(['SessionStart', 'SubagentStop', 'PreCompact', 'PostCompact', 'SessionEnd'], () => json(MESSAGE));

/** Where the words of hooks end up, and in which form. */
export const HOOK_WORD_CASES: readonly Case[] = [
  {
    name: 'hook words: tags in contexts',
    args: [...STREAM, '/mine x'],
    files: { ...MINE, ...all([...OF_PROMPTS, ...OF_TOOLS, 'SubagentStart'], context) },
    turns: TOOLS,
  },
  {
    name: 'hook words: tags in plain text',
    args: [...STREAM, '/mine x'],
    files: { ...MINE, ...all([...OF_PROMPTS, ...OF_TOOLS], () => `echo '${TAGS}'`) },
    turns: TOOLS,
  },
  {
    name: 'hook words: tags in objections',
    args: [...STREAM, 'go'],
    files: userHooks({
      PreToolUse: `grep -q Agent && { echo '${TAGS}' >&2; exit 2; }; true`,
      PostToolUse: `echo '${TAGS}' >&2; exit 2`,
      PostToolUseFailure: json({ decision: 'block', reason: TAGS }),
      Stop: once(`echo '${TAGS}' >&2; exit 2`),
    }),
    turns: [...TOOLS, [say('more')]],
  },
  {
    name: 'hook words: tags in the reason of a stop',
    args: [...STREAM, 'go'],
    files: userHooks({ PostToolBatch: json({ continue: false, stopReason: TAGS }) }),
    turns: TOOLS,
  },
  {
    name: 'hook words: a message to the user of every event',
    args: [...STREAM, '/mine x', '--maintenance'],
    files: {
      ...MINE,
      ...all(
        [
          ...OF_PROMPTS,
          ...OF_TOOLS,
          ...['Setup', 'PermissionRequest', 'PermissionDenied', 'MessageDisplay'],
          ...['SubagentStart', 'SubagentStop', 'Stop', 'SessionEnd'],
        ],
        () => json(MESSAGE),
      ),
    },
    turns: [
      [
        ...[tool('Bash', { command: 'ls' }), tool('Read', { file_path: 'none' })],
        ...[tool('Write', { file_path: 'n', content: 'x' }), tool('Skill', { skill: 'mine' }), LOOK, say('done')],
      ],
    ],
  },
  {
    name: 'hook words: messages around /compact and /clear',
    args: LIVING,
    files: AROUND,
    talk: says('a', '/compact', 'b', '/clear', 'c'),
    turns: [[say('one')], [say('two')], [say('three')]],
  },
  {
    name: 'hook words: messages around a compaction',
    args: LIVING,
    files: AROUND,
    talk: says('a', 'b', 'c'),
    turns: [[say('one')], [say('two')], [fail({ type: 'context_length' }), say('three')]],
  },
  {
    name: 'hook words: a message to the user with an objection',
    args: [...STREAM, 'go'],
    files: userHooks({
      PostToolUse: json({ ...MESSAGE, decision: 'block', reason: 'why' }),
      Stop: once(json({ ...MESSAGE, decision: 'block', reason: 'why' })),
    }),
    turns: [...TOOLS, [say('more')]],
  },
  {
    name: 'hook words: a message to the user and the end of the turn',
    args: [...STREAM, 'go'],
    files: userHooks({ PostToolUse: json({ ...MESSAGE, continue: false, stopReason: 'why' }) }),
    turns: TOOLS,
  },
  ...[1, 2].map((code) => ({
    name: `hook words: JSON and exit code ${code}`,
    args: [...STREAM, 'go'],
    files: all(
      ['SessionStart', 'PreToolUse', 'PostToolUse', 'SessionEnd'],
      () => `${json(MESSAGE)}; echo bad >&2; exit ${code}`,
    ),
    turns: TOOLS,
  })),
  {
    name: 'hook words: nothing but errors on stderr',
    args: [...STREAM, '/mine x'],
    files: { ...MINE, ...all([...OF_PROMPTS, ...OF_TOOLS, 'SubagentStart', 'Stop'], () => 'echo bad >&2') },
    turns: TOOLS,
  },
  {
    name: 'hook words: a SessionEnd hook that fails',
    args: LIVING,
    files: userHooks({ SessionEnd: 'echo out; echo bad >&2; exit 1' }),
    talk: says('a', '/clear', 'b'),
    turns: [[say('one')], [say('two')]],
  },
  ...[
    { PreToolUse: 'no', Stop: 'once', SessionStart: 'ok', UserPromptSubmit: 'bad', SessionEnd: 'bad' },
    { PreToolUse: 'bad', PostToolUse: 'no', Stop: 'bad' },
    { PostToolUse: 'json', Stop: 'json-once' },
    { UserPromptSubmit: 'no' },
  ].map((byEvent, at) => ({
    name: `hook words: a plugin that names its folder (${at + 1})`,
    args: [...STREAM, 'go', '--plugin-dir', 'plug'],
    files: {
      'plug/.claude-plugin/plugin.json': { name: 'demo', version: '1.2.3' },
      ...Object.fromEntries(Object.entries(SCRIPTS).map(([name, text]) => [`plug/${name}.sh`, `#!/bin/sh\n${text}\n`])),
      'plug/hooks/hooks.json': {
        hooks: Object.fromEntries(
          Object.entries(byEvent).map(([event, script]) => [
            event,
            [{ hooks: [{ type: 'command', command: `\${CLAUDE_PLUGIN_ROOT}/${script}.sh` }] }],
          ]),
        ),
      },
    },
    turns: 'Stop' in byEvent && byEvent.Stop !== 'bad' ? [[say('done')]] : TOOLS,
  })),
  {
    name: 'hook words: an empty context',
    args: [...STREAM, 'go'],
    files: all(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'], (event) =>
      json({ hookSpecificOutput: { hookEventName: event, additionalContext: event === 'PreToolUse' ? ' ' : '' } }),
    ),
    turns: TOOLS,
  },
  {
    name: 'two hooks that give no verdict, and one of a subagent',
    args: [...STREAM, 'go', '--include-hook-events'],
    files: {
      'HOME/.claude/settings.json': {
        hooks: {
          PreToolUse: [
            {
              matcher: 'Bash',
              hooks: ['./nothing-here', 'sleep 0.4; exit 127'].map((command) => ({ type: 'command', command })),
            },
          ],
          SubagentStart: [{ hooks: [{ type: 'command', command: 'sleep 0.2; echo begun' }] }],
        },
      },
    },
    turns: [
      [
        tool('Bash', { command: 'ls' }),
        tool('Bash', { command: 'ls' }),
        agent('look', { run_in_background: false }, [say('found')]),
        say('done'),
      ],
    ],
  },
];
