import { type Case, LIVING, STREAM, say, tool, user } from '../case.js';

const skill = (fields: string, body: string): string => `---\n${fields}\n---\n${body}\n`;
const MAY = 'allowed-tools: Write, Bash(touch:*), Bash(git init:*)';
const PLUGIN = {
  'plug/.claude-plugin/plugin.json': { name: 'demo', version: '1.2.3' },
  'plug/commands/make.md': skill(`description: Make\n${MAY}`, 'Make $ARGUMENTS.'),
  'plug/commands/listed.md': skill('description: Make\nallowed-tools:\n  - Write\n  - Bash(touch:*)', 'Make it.'),
  'plug/skills/sk/SKILL.md': skill('name: sk\ndescription: A skill', 'Do it with $ARGUMENTS'),
  'plug/skills/may/SKILL.md': skill(`name: may\ndescription: A skill\n${MAY}`, 'Do it'),
};
const SCRIPT = { 'plug/scripts/say.sh': '#!/bin/sh\necho said "$@"\n' };
const RULE_OF_SCRIPT = 'allowed-tools: ["Bash(${CLAUDE_PLUGIN_ROOT}/scripts/say.sh:*)"]';
const WITH_PLUGIN = ['--plugin-dir', 'plug'];
const write = (name: string) => tool('Write', { file_path: name, content: 'x' });
const bash = (command: string) => tool('Bash', { command });

const EXIT_2 = 'echo not now >&2; exit 2';
const DECISION = `echo '{"decision":"block","reason":"not now"}'`;
const STOP = `echo '{"continue":false,"stopReason":"not now"}'`;
const refused = (name: string, file: string, event: string, command: string): Case => ({
  name: `plugin: ${name}`,
  args: [...STREAM, '/demo:make it', ...WITH_PLUGIN],
  files: { ...PLUGIN, [file]: { hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] } } },
});

/** What the commands, skills and hooks of a plugin change about a turn. */
export const PLUGIN_CASES: readonly Case[] = [
  {
    name: 'plugin: a command that allows tools',
    args: [...STREAM, '/demo:make it', ...WITH_PLUGIN],
    files: PLUGIN,
    turns: [
      [
        write('a.txt'),
        bash('touch b && git init -q .'),
        bash('touch b && npm x'),
        tool('Edit', { file_path: 'a.txt', old_string: 'x', new_string: 'y' }),
        tool('Skill', { skill: 'demo:sk' }),
        say('done'),
      ],
    ],
  },
  {
    name: 'plugin: a command that lists the tools it allows',
    args: [...STREAM, '/demo:listed', ...WITH_PLUGIN],
    files: PLUGIN,
    turns: [[write('a.txt'), bash('touch b'), bash('git init -q .'), say('done')]],
  },
  {
    name: 'plugin: what a command allows ends with its turn',
    args: [...LIVING, ...WITH_PLUGIN],
    files: PLUGIN,
    turns: [
      [write('a.txt'), say('one')],
      [write('b.txt'), say('two')],
    ],
    talk: [user('/demo:make it'), { until: 'result' }, user('go on'), { until: 'result' }],
  },
  {
    name: 'plugin: skills that the model calls',
    args: [...STREAM, 'go', ...WITH_PLUGIN],
    files: PLUGIN,
    turns: [
      [
        tool('Skill', { skill: 'demo:sk' }),
        tool('Skill', { skill: '/demo:sk', args: 'care' }),
        tool('Skill', { skill: 'sk' }),
        tool('Skill', { skill: 'demo:make', args: 'it' }),
        tool('Skill', { skill: 'nothing' }),
        say('done'),
      ],
    ],
  },
  {
    name: 'plugin: a skill that allows tools',
    args: [...STREAM, 'go', ...WITH_PLUGIN, '--allowedTools', 'Skill'],
    files: PLUGIN,
    turns: [[write('a.txt'), tool('Skill', { skill: 'demo:may' }), write('a.txt'), bash('touch b'), say('done')]],
  },
  {
    name: 'plugin: a command that runs a script of its plugin',
    args: [...STREAM, '/demo:say one two', ...WITH_PLUGIN],
    files: {
      ...PLUGIN,
      ...SCRIPT,
      'plug/commands/say.md': skill(
        `description: Say\n${RULE_OF_SCRIPT}`,
        '```!\n"${CLAUDE_PLUGIN_ROOT}/scripts/say.sh" $ARGUMENTS\n```\nNow: !`${CLAUDE_PLUGIN_ROOT}/scripts/say.sh $HOME > /dev/null`',
      ),
    },
    turns: [[bash('plug/scripts/say.sh'), bash('echo $X'), say('done')]],
  },
  {
    name: 'plugin: a command that runs another script than it allows',
    args: [...STREAM, '/demo:say one', ...WITH_PLUGIN],
    files: {
      ...PLUGIN,
      ...SCRIPT,
      'plug/scripts/other.sh': '#!/bin/sh\n',
      'plug/commands/say.md': skill(
        `description: Say\n${RULE_OF_SCRIPT}`,
        '!`"${CLAUDE_PLUGIN_ROOT}/scripts/other.sh"`',
      ),
    },
  },
  {
    name: 'plugin: a command that runs a line with a variable',
    args: [...STREAM, '/demo:say one', ...WITH_PLUGIN],
    files: {
      ...PLUGIN,
      'plug/commands/say.md': skill(
        'description: Say\nallowed-tools: Bash(echo:*)',
        'Now: !`echo $CLAUDE_PLUGIN_ROOT`',
      ),
    },
  },
  {
    name: 'plugin: a skill whose text has variables',
    args: [...STREAM, '/demo:where', ...WITH_PLUGIN],
    files: {
      ...PLUGIN,
      'plug/skills/where/SKILL.md': skill(
        'name: where\ndescription: Where\nallowed-tools: Bash(${CLAUDE_SKILL_DIR}/a:*), Bash(${CLAUDE_PROJECT_DIR}/b:*)',
        ['SKILL_DIR', 'PROJECT_DIR', 'PLUGIN_ROOT', 'PLUGIN_DATA', 'EFFORT']
          .map((name) => `\${CLAUDE_${name}}`)
          .join('\n'),
      ),
    },
  },
  refused('a command that a hook keeps from expanding', 'plug/hooks/hooks.json', 'UserPromptExpansion', EXIT_2),
  refused('a command that a hook decides against', 'plug/hooks/hooks.json', 'UserPromptExpansion', DECISION),
  refused('a command that a hook stops', 'plug/hooks/hooks.json', 'UserPromptExpansion', STOP),
  refused('a command that a hook of the user blocks', 'HOME/.claude/settings.json', 'UserPromptExpansion', EXIT_2),
  refused('a prompt that its hook blocks', 'plug/hooks/hooks.json', 'UserPromptSubmit', EXIT_2),
  {
    ...refused('a tool that its hook blocks', 'plug/hooks/hooks.json', 'PreToolUse', EXIT_2),
    turns: [[bash('ls'), say('done')]],
  },
  {
    ...refused(
      'an ending that its hook blocks',
      'plug/hooks/hooks.json',
      'Stop',
      `[ -e once ] || { touch once; ${EXIT_2}; }`,
    ),
    turns: [[say('first')], [say('second')]],
  },
  {
    name: 'agents of a project and of its user',
    args: [...STREAM, 'go', '--allowedTools', 'Agent'],
    files: {
      '.claude/agents/deep/inner/a.md': skill('name: nested\ndescription: In a folder', 'You look.'),
      '.claude/agents/plain.md': skill('name: other-name\ndescription: Of the project', 'You look.'),
      '.claude/agents/nameless.md': skill('description: Without a name', 'You look.'),
      '.claude/agents/silent.md': skill('name: silent', 'You look.'),
      '.claude/agents/colon.md': skill('name: "a:b"\ndescription: With a colon', 'You look.'),
      '.claude/agents/Big.md': skill('name: Big-Name\ndescription: With capitals', 'You look.'),
      'HOME/.claude/agents/mine/m.md': skill('name: mine\ndescription: Of the user', 'You look.'),
      'HOME/.claude/agents/o.md': skill('name: other-name\ndescription: Of the user', 'You look.'),
    },
    turns: [
      [
        {
          ...tool('Agent', { description: 'look', prompt: 'look', subagent_type: 'nested', run_in_background: false }),
          subagent: [say('seen')],
        },
        say('done'),
      ],
    ],
  },
];
