import { type Case, LIVING, STREAM, type Step, say, tool, user } from '../case.js';

const matter = (fields: string, body = 'Do it'): string => `---\n${fields}\n---\n${body}\n`;
const command = (text: string): object[] => [{ hooks: [{ type: 'command', command: text }] }];
const json = (value: object): string => `echo '${JSON.stringify(value)}'`;
const context = (event: string, text = 'context'): string =>
  json({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
const settings = (hooks: Record<string, object[]>): Record<string, object> => ({
  'HOME/.claude/settings.json': { hooks },
});
const once = (then: string): string => `[ -e $HOME/once ] || { touch $HOME/once; ${then}; }`;

const EVENTS = [
  ...['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure'],
  'PostToolBatch',
];
const ALL = (hook: (event: string) => string): Record<string, object[]> =>
  Object.fromEntries(EVENTS.map((event) => [event, command(hook(event))]));
const MINE = { '.claude/commands/mine.md': 'Do $ARGUMENTS' };
const TOOLS = [
  [
    tool('Bash', { command: 'ls' }),
    tool('Read', { file_path: 'none' }),
    tool('Write', { file_path: 'n', content: 'x' }),
    say('done'),
  ],
];
const hooked = (name: string, hook: (event: string) => string): Case => ({
  name: `told: hooks of every event: ${name}`,
  args: [...STREAM, '/mine x'],
  files: { ...MINE, ...settings(ALL(hook)) },
  turns: TOOLS,
});

const PLUGIN = {
  'plug/.claude-plugin/plugin.json': { name: 'demo', version: '1.2.3' },
  'plug/commands/plain.md': 'Just do it\n',
  'plug/commands/described.md': matter('description: Described'),
  'plug/commands/hidden.md': matter('description: Hidden\ndisable-model-invocation: true'),
  'plug/commands/when.md': matter('when_to_use: when it is time', '# A title\n\nDo it'),
  'plug/skills/plain/SKILL.md': 'Do it\n',
  'plug/skills/sk/SKILL.md': matter('name: sk\ndescription: A skill\nwhen_to_use: when it is time'),
  'plug/agents/few.md': matter('name: few\ndescription: Few\ntools: Read, Bash'),
  'plug/agents/most.md': matter('name: most\ndescription: Most\ndisallowedTools: Write'),
  '.claude/commands/titled.md': '# Title\n\nDo it\n',
  '.claude/skills/other/SKILL.md': matter('name: other\ndescription: Another'),
  '.claude/agents/rev.md': matter('name: rev\ndescription: Reviews', 'You review.'),
};
const WITH_PLUGIN = ['--plugin-dir', 'plug'];
const listed = (name: string, ...args: string[]): Case => ({
  name: `told: what there is to call${name}`,
  args: [...STREAM, 'go', ...WITH_PLUGIN, ...args],
  files: PLUGIN,
});

const FENCED = `Now: !\`echo one\`

\`\`\`!
echo two
echo three; echo four >&2
\`\`\`

\`\`\`!
echo $0
\`\`\`
\`\`\`sh
echo not run
\`\`\`
The end.
`;
const fenced = (name: string, allowed: string): Case => ({
  name: `told: blocks of a command that run${name}`,
  args: [...STREAM, '/demo:run first', ...WITH_PLUGIN],
  files: { ...PLUGIN, 'plug/commands/run.md': matter(`description: Run${allowed}`, FENCED) },
});

const subagent = (type: string, steps: Step[]): Step => ({
  ...tool('Task', { description: 'look', prompt: 'look around', subagent_type: type, run_in_background: false }),
  subagent: steps,
});

/** What the model is told, and what the transcripts keep of hooks and subagents. */
export const TOLD_CASES: readonly Case[] = [
  fenced('', '\nallowed-tools: Bash(echo:*)'),
  ...['Now !`touch x` then', 'Now !`ls nothing` then', 'a\n```!\ncat none\n```\nb', 'a!`ls` `!`ls`'].map((body) => ({
    name: `told: a command with ${JSON.stringify(body)}`,
    args: [...STREAM, '/mine it'],
    files: { '.claude/commands/mine.md': body },
  })),
  {
    ...listed(''),
    turns: [[tool('Skill', { skill: 'demo:hidden' }), tool('Skill', { skill: 'demo:plain' }), say('done')]],
  },
  listed(' without skills', '--disallowedTools', 'Skill'),
  listed(' without slash commands', '--disable-slash-commands'),
  listed(' with one tool', '--tools', 'Read'),
  hooked('context', (event) => context(event)),
  hooked('plain text', () => 'echo plain'),
  hooked('a message to the user', () => json({ systemMessage: 'careful' })),
  hooked('an error', () => 'echo out; echo oops >&2; exit 1'),
  {
    name: 'told: two hooks of one event',
    args: [...STREAM, 'go'],
    files: settings(
      Object.fromEntries(
        ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse'].map((event) => [
          event,
          [
            {
              hooks: [context(event, 'A'), `sleep 0.3; ${context(event, 'B')}`].map((text) => ({
                type: 'command',
                command: text,
              })),
            },
          ],
        ]),
      ),
    ),
    turns: [[tool('Bash', { command: 'ls' }), say('done')]],
  },
  ...['PostToolUse', 'PostToolUseFailure', 'PostToolBatch'].flatMap((event) =>
    [json({ continue: false, stopReason: 'halt' }), json({ decision: 'block', reason: 'why' })].map((hook, at) => ({
      name: `told: ${event} that ${['stops', 'objects'][at]}`,
      args: [...STREAM, 'go'],
      files: settings({ [event]: command(hook) }),
      turns: TOOLS,
    })),
  ),
  ...[
    json({ decision: 'block' }),
    json({ decision: 'block', reason: 'why' }),
    json({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } }),
  ].map((hook, at) => ({
    name: `told: a tool that a hook denies, ${at + 1}`,
    args: [...STREAM, 'go'],
    files: settings({ PreToolUse: command(hook) }),
    turns: [
      [
        tool('Bash', { command: 'ls' }),
        tool('Write', { file_path: 'n', content: 'x' }),
        tool('Write', { file_path: '/ROOT/n', content: 'x' }),
        say('done'),
      ],
    ],
  })),
  {
    name: 'told: a Stop hook that gives context',
    args: [...STREAM, 'go'],
    files: settings({ Stop: command(once(context('Stop'))) }),
    turns: [[say('first')], [say('second')]],
  },
  {
    name: 'told: a Stop hook that always blocks',
    args: [...STREAM, 'go'],
    files: settings({ Stop: command('echo no >&2; exit 2') }),
    turns: Array.from({ length: 12 }, (_, at) => [say(`answer ${at}`)]),
  },
  {
    name: 'told: a local command before a prompt',
    args: LIVING,
    turns: [[say('one')], [say('two')]],
    talk: [user('/cost'), { until: 'result' }, user('go'), { until: 'result' }],
  },
  {
    name: 'compact',
    args: LIVING,
    turns: [[say('one')], [say('two')]],
    talk: [user('first'), { until: 'result' }, user('/compact'), { until: 'result' }, user('go'), { until: 'result' }],
  },
  {
    name: 'a subagent of a project',
    args: [...STREAM, 'go', ...WITH_PLUGIN],
    files: { ...PLUGIN, ...settings({ PostToolUse: command('echo seen') }) },
    turns: [
      [
        subagent('rev', [tool('Bash', { command: 'ls' }), tool('Read', { file_path: 'none' }), say('two\nlines')]),
        say('done'),
      ],
    ],
  },
  {
    name: 'a subagent that is built in, with hooks',
    args: [...STREAM, 'go'],
    files: settings({ SubagentStart: command(context('SubagentStart')), SubagentStop: command('echo stopped') }),
    turns: [[subagent('Explore', [say('found')]), say('done')]],
  },
];
