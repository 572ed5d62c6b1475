import { type Case, fail, LIVING, STREAM, type Step, say, tool } from '../case.js';
import { recorded, says } from './parts.js';

const forked = (fields: string, body: string): string =>
  `---\ndescription: Apart\ncontext: fork\n${fields}---\n${body}\n`;
const EVENTS = [
  ...['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion', 'SubagentStart', 'PreToolUse', 'PostToolUse'],
  ...['PostToolBatch', 'SubagentStop', 'Stop', 'StopFailure', 'SessionEnd', 'Notification', 'PermissionDenied'],
];
const FILES = {
  'plug/.claude-plugin/plugin.json': { name: 'demo', version: '1.2.3' },
  'plug/skills/apart/SKILL.md': forked('', 'Look at $ARGUMENTS in ${CLAUDE_SKILL_DIR}.\n\nThen say it.'),
  'plug/skills/bare/SKILL.md': forked('', 'Look around.'),
  'plug/skills/writer/SKILL.md': forked('allowed-tools: Write\n', 'Write it.'),
  'plug/skills/explorer/SKILL.md': forked('agent: Explore\n', 'Explore it.'),
  'plug/skills/own/SKILL.md': forked('agent: helper\nmodel: haiku\neffort: low\n', 'Help.'),
  'plug/skills/full/SKILL.md': forked('agent: demo:helper\n', 'Help in full.'),
  'plug/skills/nobody/SKILL.md': forked('agent: nobody\n', 'Nobody does it.'),
  'plug/skills/model/SKILL.md': forked('model: haiku\n', 'Think little.'),
  'plug/skills/broken/SKILL.md': forked('', 'Broken !`ls nothing`.'),
  'plug/commands/cmd.md': forked('', 'A command.'),
  'plug/agents/helper.md': '---\nname: helper\ndescription: Helps\ntools: Bash\n---\nYou help.\n',
  '.claude/agents/helper.md': '---\nname: helper\ndescription: Helps here\nmaxTurns: 1\n---\nYou help here.\n',
};
const LS = tool('Bash', { command: 'ls -a .claude' });
const WRITE = tool('Write', { file_path: 'x', content: 'y' });
const slash = (name: string, typed: string, steps: Step[], hooks: Record<string, string> = {}): Case => ({
  name: `forked skill: ${name}`,
  args: [...STREAM, typed, '--plugin-dir', 'plug'],
  files: { ...FILES, ...recorded(EVENTS, hooks) },
  turns: [steps],
});
const DONE = [say('found')];
const OBJECTS_ONCE = 'test -e stopped || { touch stopped; echo go on >&2; exit 2; }; true';
const called = (name: string, input: Record<string, unknown>, asked: string, steps: Step[], hooks = {}): Case => ({
  ...slash(name, 'go', [{ ...tool('Skill', input), asked, subagent: steps }, say('done')], hooks),
});

/** Skills that run in a subagent of their own. */
export const FORKED_CASES: readonly Case[] = [
  slash('typed', '/demo:apart a "b c"', DONE),
  slash('typed with tools', '/demo:apart', [LS, WRITE, say('found')]),
  slash('a command', '/demo:cmd x', DONE),
  slash('may write', '/demo:writer', [WRITE, say('written')]),
  slash('another agent', '/demo:explorer', [LS, say('found')]),
  slash('an agent of the project', '/demo:own', [LS, say('found')]),
  slash('an agent of its plugin', '/demo:full', [LS, say('found')]),
  slash('an agent that is not there', '/demo:nobody', DONE),
  slash('a model', '/demo:model', DONE),
  slash('a line that fails', '/demo:broken', DONE),
  slash('fails', '/demo:bare', [fail({ type: 'out_of_credits' })]),
  slash('refused prompt', '/demo:bare', DONE, { UserPromptSubmit: 'echo no >&2; exit 2' }),
  slash('refused expansion', '/demo:bare', DONE, { UserPromptExpansion: 'echo no >&2; exit 2' }),
  slash('hooks that say', '/demo:bare', [LS, say('found')], {
    SessionStart: 'echo begun',
    UserPromptSubmit: 'echo prompted',
    UserPromptExpansion: `echo '{"hookSpecificOutput":{"hookEventName":"UserPromptExpansion","additionalContext":"expanded"}}'`,
    SubagentStart: `echo '{"hookSpecificOutput":{"hookEventName":"SubagentStart","additionalContext":"apart"}}'`,
  }),
  slash('goes on', '/demo:bare', DONE, { SubagentStop: OBJECTS_ONCE }),
  slash('a stop that objects', '/demo:bare', DONE, { Stop: OBJECTS_ONCE }),
  slash('stops', '/demo:bare', DONE, { Stop: 'echo \'{"continue":false,"stopReason":"enough"}\'' }),
  { ...slash('text', '/demo:apart x', DONE), args: ['-p', '/demo:apart x', '--plugin-dir', 'plug'] },
  {
    ...slash('in a conversation', '', [say('done')], {
      SessionStart: 'echo begun',
      UserPromptSubmit: 'echo prompted',
      UserPromptExpansion: 'echo expanded',
    }),
    args: [...LIVING, '--plugin-dir', 'plug'],
    talk: says('hello', '/demo:apart a', 'and then', '/demo:bare', 'and then'),
    turns: [[say('done')]],
  },
  called('called', { skill: 'demo:apart', args: 'a b' }, 'Look at a b', [say('found')]),
  called('called with tools', { skill: 'demo:bare' }, 'Look around.', [LS, WRITE, say('found')]),
  called('called with an agent of the project', { skill: 'demo:own' }, 'Help.', [LS, say('found')]),
  called('called with nobody', { skill: 'demo:nobody' }, 'Nobody does it.', [say('found')]),
  called('called, may write', { skill: 'demo:writer' }, 'Write it.', [WRITE, say('found')]),
  {
    name: 'skills by half of their names',
    args: [...STREAM, 'go', '--plugin-dir', 'plug', '--plugin-dir', 'more'],
    files: {
      ...FILES,
      'plug/skills/plain/SKILL.md': '---\ndescription: Plain\n---\nPlain.\n',
      'plug/skills/named/SKILL.md': '---\nname: given\ndescription: Named\n---\nNamed.\n',
      'plug/skills/same/SKILL.md': '---\nname: same\ndescription: Same\n---\nSame.\n',
      'plug/commands/aword.md': '---\ndescription: Word\n---\nWord.\n',
      'plug/commands/deep/cmd.md': '---\ndescription: Deep\n---\nDeep.\n',
      'more/.claude-plugin/plugin.json': { name: 'more', version: '1.2.3' },
      'more/skills/plain/SKILL.md': '---\ndescription: More\n---\nMore.\n',
      'more/skills/twice/SKILL.md': '---\ndescription: Twice\n---\nTwice.\n',
      'plug/skills/twice/SKILL.md': '---\ndescription: Twice\n---\nTwice.\n',
    },
    turns: [
      [
        ...[
          'bare',
          'plain',
          'named',
          'given',
          'same',
          'aword',
          'cmd',
          'deep:cmd',
          'twice',
          'demo:given',
          'mor:twice',
        ].map((skill) => tool('Skill', { skill })),
        say('done'),
      ],
    ],
  },
  called('called with a line that fails', { skill: 'demo:broken' }, 'Broken', [say('found')]),
  {
    ...called('called and fails', { skill: 'demo:bare' }, 'Look around.', [fail({ type: 'out_of_credits' })]),
    // Nobody waits for StopFailure: two hooks would write at once.
    files: { ...FILES, ...recorded(EVENTS.filter((event) => event !== 'StopFailure')) },
  },
];
