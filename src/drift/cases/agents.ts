import { type Case, STREAM, type Step, say, tool } from '../case.js';
import { agent, recorded } from './parts.js';

const matter = (fields: string, body = 'You look.'): string => `---\n${fields}\n---\n${body}\n`;
const written = (name: string, fields: string): string => matter(`name: ${name}\ndescription: Looks\n${fields}`);
const look = (type: string, steps: Step[], aside = false): Step =>
  agent(`look as ${type}`, { subagent_type: type, run_in_background: aside }, steps);
const inBackground = (type: string, steps: Step[]): Step => look(type, steps, true);
/** By then a subagent in the background is done. */
const LATER: Step = { ...say('done'), lagMs: 3000 };
const ended = (steps: Step[]): Step[] => (steps.at(-1) === LATER ? steps : [...steps, say('done')]);
const WRITE = tool('Write', { file_path: 'x', content: 'y' });
const LS = tool('Bash', { command: 'ls' });
const own = (fields: object): string[] => [
  '--agents',
  JSON.stringify({ own: { description: 'Looks', prompt: 'You look.', ...fields } }),
];

const PLUGIN = { 'plug/.claude-plugin/plugin.json': { name: 'demo', version: '1.2.3' } };
const SKILLS = {
  ...PLUGIN,
  'plug/skills/one/SKILL.md': matter('name: one\ndescription: One', 'One $ARGUMENTS in ${CLAUDE_SKILL_DIR}.'),
  'plug/skills/two/SKILL.md': matter('description: Two\nallowed-tools: Write', '# Two\n\nText.'),
  'plug/skills/hidden/SKILL.md': matter('description: Hidden\ndisable-model-invocation: true', 'Hidden.'),
  'plug/skills/bad/SKILL.md': matter('description: Bad', 'Bad !`ls nothing`.'),
  'plug/commands/deep/cmd.md': matter('description: Command', 'Command !`echo ran`.'),
  '.claude/skills/own/SKILL.md': matter('name: own\ndescription: Own', 'Own.'),
  'HOME/.claude/skills/mine/SKILL.md': matter('name: mine\ndescription: Mine', 'Mine.'),
  'plug/agents/bare.md': written('bare', 'skills: two, one, one, demo:one'),
  'plug/agents/list.md': written(
    'list',
    'skills:\n  - own, mine\n  - cmd\n  - deep:cmd\n  - hidden\n  - nothing\n  - /one',
  ),
  'plug/agents/bad.md': written('bad', 'skills: one, bad'),
  '.claude/agents/proj.md': written('proj', 'skills: [one, demo:two]'),
};
const skilled = (name: string, steps: Step[], ...args: string[]): Case => ({
  name: `agent: ${name}`,
  args: [...STREAM, 'go', '--plugin-dir', 'plug', ...args],
  files: { ...SKILLS, ...recorded(['SubagentStart'], { SubagentStart: 'echo begun' }) },
  turns: [ended(steps)],
});
const MODES = ['acceptEdits', 'plan', 'dontAsk', 'default', 'bypassPermissions'];
const FIELDS: Record<string, string> = {
  ...Object.fromEntries(MODES.map((mode) => [mode.toLowerCase(), `permissionMode: ${mode}`])),
  once: 'maxTurns: 1',
  twice: 'maxTurns: "2"',
  aside: 'background: true',
  hard: 'effort: high',
  memory: 'memory: project\ntools: Bash',
  apart: 'isolation: worktree',
  first: 'initialPrompt: Begin well\ncolor: red',
};
const FILES = {
  ...PLUGIN,
  ...Object.fromEntries(
    Object.entries(FIELDS).flatMap(([name, fields]) =>
      ['.claude', 'plug'].map((folder) => [`${folder}/agents/${name}.md`, written(name, fields)]),
    ),
  ),
  ...recorded(['SubagentStart', 'PreToolUse', 'SubagentStop', 'Stop']),
};
const fielded = (name: string, steps: Step[], ...args: string[]): Case => ({
  name: `agent: ${name}`,
  args: [...STREAM, 'go', '--plugin-dir', 'plug', ...args],
  files: FILES,
  turns: [ended(steps)],
});

const hook = (command: string): object[] => [{ hooks: [{ type: 'command', command }] }];
const HOOKS = {
  ...Object.fromEntries(
    ['SessionStart', 'UserPromptSubmit', 'SubagentStart', 'PostToolUse', 'Stop', 'SubagentStop'].map((event) => [
      event,
      hook(`echo own ${event}`),
    ]),
  ),
  PreToolUse: [{ matcher: 'Write', hooks: [{ type: 'command', command: 'echo no >&2; exit 2' }] }],
};
const HOOKED = written(
  'hooked',
  'hooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: echo own',
);

/** What the definition of an agent changes about its work. */
export const AGENT_CASES: readonly Case[] = [
  skilled(
    'skills',
    ['demo:bare', 'demo:list', 'proj', 'demo:bad'].map((type) => look(type, [WRITE, say('x')])),
  ),
  skilled('skills and the Skill tool', [
    look('demo:bare', [tool('Skill', { skill: 'one' }), tool('Skill', { skill: 'one' }), say('x')]),
    tool('Skill', { skill: 'one' }),
  ]),
  skilled('skills, and no slash commands', [look('demo:bare', [say('x')])], '--disable-slash-commands'),
  skilled('skills in the stream of parts', [look('demo:bare', [say('x')])], '--include-partial-messages'),
  skilled('skills of the agent of a session', [WRITE], '--agent', 'demo:bare'),
  skilled('skills as JSON', [look('own', [say('x')])], ...own({ skills: ['own', 'one'] })),
  skilled('skills in the background', [inBackground('demo:bare', [say('x')]), LATER]),
  fielded(
    'modes',
    [...MODES.map((mode) => mode.toLowerCase()), 'demo:acceptedits'].map((type) => look(type, [LS, WRITE, say('x')])),
  ),
  ...['acceptEdits', 'plan', 'dontAsk'].map((mode) =>
    fielded(`a mode in a session with ${mode}`, [look('default', [WRITE, say('x')])], '--permission-mode', mode),
  ),
  fielded('the mode of the agent of a session', [WRITE], '--agent', 'acceptedits'),
  fielded('limits', [
    look('once', [{ ...LS, say: 'words' }, say('x')]),
    look('twice', [LS, say('x')]),
    look('demo:once', [LS, say('x')]),
  ]),
  fielded('a limit in the background', [inBackground('once', [{ ...LS, say: 'words' }]), LATER]),
  fielded('the background, whatever the call says', [look('aside', [say('x')]), LATER]),
  fielded('effort, memory, isolation', [
    look('demo:hard', [LS, say('x')]),
    look('memory', [tool('Read', { file_path: 'none' }), say('x')]),
    look('demo:apart', [say('x')]),
  ]),
  fielded('the first words of the agent of a session', [], '--agent', 'first'),
  fielded('the first words of a plugin', [], '--agent', 'demo:first'),
  {
    name: 'agent: hooks',
    args: [...STREAM, 'go', ...own({ hooks: HOOKS })],
    turns: [[look('own', [LS, WRITE, say('x')]), LS, say('done')]],
  },
  {
    name: 'agent: hooks of the agent of a session',
    args: [...STREAM, 'go', '--agent', 'own', ...own({ hooks: HOOKS })],
    turns: [[look('general-purpose', [LS, say('x')]), LS, WRITE, say('done')]],
  },
  {
    name: 'agent: hooks of a user, a project and a plugin',
    args: [...STREAM, 'go', '--plugin-dir', 'plug'],
    files: {
      ...PLUGIN,
      'HOME/.claude/agents/user.md': HOOKED.replace('name: hooked', 'name: user'),
      '.claude/agents/hooked.md': HOOKED,
      'plug/agents/hooked.md': HOOKED,
    },
    turns: [[...['user', 'hooked', 'demo:hooked'].map((type) => look(type, [LS, say('x')])), say('done')]],
  },
  {
    name: 'agent: JSON with everything wrong',
    args: [
      ...[...STREAM, 'go'],
      ...own({
        ...Object.fromEntries(
          ['description', 'prompt', 'tools', 'permissionMode', 'mcpServers'].map((name) => [name, 1]),
        ),
        ...Object.fromEntries(['hooks', 'initialPrompt', 'memory', 'background', 'isolation'].map((name) => [name, 1])),
        ...{ disallowedTools: ['a', 1], model: '', effort: 'x', maxTurns: 1.5, skills: null },
      }),
    ],
  },
];
