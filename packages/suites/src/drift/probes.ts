import { hookEvents } from '@understudy/agents';
import { type Case, control, LIVING, RECORD_PAYLOAD, STREAM, say, tool, user } from './case.js';

const hooks = (events: readonly string[], command: string): object => ({
  hooks: Object.fromEntries(events.map((event) => [event, [{ hooks: [{ type: 'command', command }] }]])),
});

const DENY = JSON.stringify({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'not now' },
});

/** Inputs whose answers only a real CLI can give: the stand-in is not compared in them. */
export const PROBES: readonly Case[] = [
  {
    name: 'probe: hook payloads',
    args: [...STREAM, '/probe it', '--allowedTools', 'Bash(ls)', 'Bash(false)', 'Agent', 'Skill'],
    files: {
      '.claude/settings.json': hooks(Object.keys(hookEvents), RECORD_PAYLOAD),
      '.claude/commands/probe.md': 'Probe $ARGUMENTS.',
      '.claude/skills/sk/SKILL.md': '---\nname: sk\ndescription: A skill\n---\nDo it.\n',
    },
    turns: [
      [
        tool('Bash', { command: 'ls' }),
        tool('Bash', { command: 'false' }),
        tool('Write', { file_path: 'a.txt', content: 'x' }),
        tool('Skill', { skill: 'sk' }),
        {
          ...tool('Agent', { description: 'look', prompt: 'look around', subagent_type: 'general-purpose' }),
          subagent: [say('seen')],
        },
        say('done'),
      ],
    ],
  },
  {
    name: 'probe: hook listing',
    args: LIVING,
    files: { '.claude/settings.json': hooks(['PreToolUse', 'Stop'], 'true') },
    talk: control('hooks', { subtype: 'get_hooks_listing' }),
  },
  {
    name: 'probe: JSON deny of a hook',
    args: [...STREAM, 'go', '--allowedTools', 'Bash(ls)', '--include-hook-events'],
    files: { '.claude/settings.json': hooks(['PreToolUse'], `echo '${DENY}'`) },
    turns: [[tool('Bash', { command: 'ls' }), say('done')]],
  },
  {
    name: 'probe: exit code 2 of a hook',
    args: [...STREAM, 'go', '--allowedTools', 'Bash(ls)', '--include-hook-events'],
    files: { '.claude/settings.json': hooks(['PreToolUse'], 'echo not now >&2; exit 2') },
    turns: [[tool('Bash', { command: 'ls' }), say('done')]],
  },
  {
    name: 'probe: what a host is told',
    args: LIVING,
    talk: [
      ...control('init', { subtype: 'initialize' }),
      ...control('context', { subtype: 'get_context_usage' }),
      user('hi'),
      { until: 'result' },
    ],
  },
  {
    name: 'probe: every tool on the wire',
    args: [...STREAM, 'hi', '--tools', 'default'],
  },
];
