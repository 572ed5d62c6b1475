import { type Case, control, fail, LIVING, STREAM, say, tool, user } from '../case.js';
import { BEFORE, REFUSED, SESSION, says, userHooks } from './parts.js';

const TITLED = ['-p', 'before', '--name', 'my title'];
const look = (prompt: string, command: string, agent = 'Explore', more: object = {}) => ({
  ...tool('Task', { description: 'look', prompt, subagent_type: agent, run_in_background: false, ...more }),
  subagent: [tool('Bash', { command }), say('found')],
});
const untrusted = { '.claude/settings.json': { permissions: { allow: ['Write'] } } };
const permission = (decision: object): string =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })}'`;

const definitions = (root: string, text: string) => ({
  [`${root}/agents/rev.md`]: `---\nname: rev\ndescription: ${text}\n---\nYou review.`,
  [`${root}/agents/other.md`]: `---\nname: other\ndescription: ${text}\n---\nYou review.`,
  [`${root}/commands/mine.md`]: `---\ndescription: ${text}\n---\nDo ${text}`,
  [`${root}/skills/sk/SKILL.md`]: `---\nname: sk\ndescription: ${text}\n---\nDo ${text} $ARGUMENTS`,
});
const LITTLE = ['--max-budget-usd', '0.00001'];

const hooks = (event: string, ...commands: string[]) => ({
  'HOME/.claude/settings.json': {
    hooks: { [event]: [{ hooks: commands.map((command) => ({ type: 'command', command })) }] },
  },
});

/** What generated invocations have found, one case for each cause. */
export const FOUND_CASES: readonly Case[] = [
  { name: 'a warning before an error', args: ['-p', 'hi', '--include-partial-messages'], files: untrusted },
  { name: 'an error before a warning', args: ['-p', 'hi', '--agents', '{', '--betas', 'x'], files: untrusted },
  { name: 'the session before the prompt', args: ['-p', '', '--resume', 'nope', '--output-format', 'stream-json'] },
  {
    name: 'a failure in partial messages',
    args: [...STREAM, 'hi', '--include-partial-messages'],
    turns: [[fail({ type: 'malformed_json', raw: '{"type":' })]],
    env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  },
  {
    name: 'one overload is not enough for the fallback',
    args: [...STREAM, 'hi', '--fallback-model', 'haiku'],
    turns: [[fail({ type: 'overloaded' })]],
    env: { CLAUDE_CODE_MAX_RETRIES: '1' },
  },
  {
    name: 'a title outlives clear',
    args: [...STREAM, '/clear', '--resume', 'my title'],
    before: [{ args: TITLED }],
  },
  {
    name: 'tools that subagents name once',
    args: [...STREAM, 'go'],
    turns: [[look('one', 'ls'), look('two', 'ls'), tool('Read', { file_path: 'none' }), say('done')]],
  },
  {
    name: 'plan mode without the check of the API',
    args: [...STREAM, 'go', '--permission-mode', 'plan'],
    turns: [[tool('Bash', { command: 'touch new' }), look('one', 'ls'), say('done')]],
  },
  {
    name: 'auto mode without the check of the API',
    args: ['-p', 'go', '--permission-mode', 'auto'],
    turns: [[tool('Bash', { command: 'exit 3' }), tool('Write', { file_path: 'n.txt', content: 'x' }), say('done')]],
  },
  {
    name: 'nobody at the other end of stdio',
    args: [...STREAM, 'go', '--permission-prompt-tool', 'stdio'],
    turns: [[tool('Bash', { command: 'touch new' }), say('done')]],
  },
  {
    name: 'a permission that a hook gives',
    args: [...STREAM, 'go'],
    files: hooks('PermissionRequest', permission({ behavior: 'allow' })),
    turns: [[tool('Write', { file_path: 'n.txt', content: 'x' }), say('done')]],
  },
  {
    name: 'a permission that a hook refuses',
    args: [...STREAM, 'go'],
    files: hooks('PermissionRequest', permission({ behavior: 'deny', message: 'no' })),
    turns: [[tool('Write', { file_path: 'n.txt', content: 'x' }), say('done')]],
  },
  {
    name: 'two hooks against a tool',
    args: [...STREAM, 'go'],
    files: hooks('PreToolUse', 'echo one >&2; exit 2', 'sleep 0.3; echo two >&2; exit 2'),
    turns: [[tool('Bash', { command: 'ls' }), say('done')]],
  },
  {
    name: 'results after the last turn',
    args: [...LIVING, '--max-turns', '1'],
    turns: [[tool('Bash', { command: 'ls' }), say('done')], [say('next')]],
    talk: [user('hi'), { until: 'result' }, user('go on'), { until: 'result' }],
  },
  {
    name: 'events as one list',
    args: ['-p', 'go', '--output-format', 'json', '--verbose', '--name', 'x'],
    turns: [[look('one', 'ls'), tool('Bash', { command: 'touch new' }), say('done')]],
  },
  {
    name: 'a skill with a similar name',
    args: [...STREAM, 'go'],
    files: { '.claude/skills/other/SKILL.md': '---\nname: other\ndescription: Another\n---\nDo it' },
    turns: [[tool('Skill', { skill: 'othr' }), tool('Skill', { skill: 'cost' }), say('done')]],
  },
  { name: 'a resumed session whose prompt was refused', args: [...STREAM, 'hi', '--resume', SESSION], ...REFUSED },
  { name: 'a session without a message, continued', args: [...STREAM, 'hi', '--continue'], ...REFUSED },
  {
    name: 'a fork of a session whose prompt was refused',
    args: [...STREAM, 'hi', '--resume', SESSION, '--fork-session'],
    ...REFUSED,
  },
  {
    name: 'what an earlier process left unanswered',
    args: [...STREAM, 'hi', '--resume', SESSION],
    before: [
      { args: ['-p', 'go', '--session-id', SESSION, '--max-turns', '1'], turns: [[tool('Bash', { command: 'ls' })]] },
      { args: ['-p', '/model haiku', '--resume', SESSION] },
      { args: ['-p', 'lost', '--resume', SESSION], turns: [[fail({ type: 'forbidden' })]] },
    ],
  },
  {
    name: 'a budget that ends before tools are refused',
    args: [...STREAM, 'go', ...LITTLE],
    turns: [
      [
        { say: 'both', tools: ['a', 'b'].map((file) => ({ tool: 'Bash', input: { command: `touch ${file}` } })) },
        say('x'),
      ],
    ],
  },
  {
    name: 'a budget that ends before a tool that is not there',
    args: [...STREAM, 'go', ...LITTLE],
    turns: [[tool('NoSuchTool', { x: 1 }), say('done')]],
  },
  { name: 'a budget that is spent', args: [...LIVING, ...LITTLE, '--replay-user-messages'], talk: says('a', 'b') },
  {
    name: 'a budget for each process',
    args: [...LIVING, '--resume', SESSION, '--max-budget-usd', '0.0002'],
    before: [BEFORE],
    talk: says('a', 'b', 'c'),
  },
  {
    name: 'a hook that wants a person to be asked',
    args: [...STREAM, 'go'],
    files: userHooks({
      PreToolUse: `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}'`,
      PermissionRequest: permission({ behavior: 'allow' }),
    }),
    turns: [[tool('Bash', { command: 'ls' }), tool('Write', { file_path: 'n.txt', content: 'x' }), say('done')]],
  },
  {
    name: 'tools beside the usual ones',
    args: [...STREAM, 'go', '--tools', 'default', '--tools', 'Read'],
    turns: [[tool('Bash', { command: 'ls' }), say('done')]],
  },
  {
    name: 'a subagent that uses a tool which is not there',
    args: [...STREAM, 'go', '--disallowedTools', 'Bash'],
    turns: [[look('one', 'ls'), say('done')]],
  },
  { name: 'clear before any prompt', args: LIVING, talk: says('/cost', '/clear') },
  {
    name: 'prompts that come back with partial messages',
    args: [...LIVING, '--replay-user-messages', '--include-partial-messages'],
    turns: [[tool('Bash', { command: 'ls' }), say('one')], [say('two')]],
    talk: says('a', 'b'),
  },
  {
    name: 'commands that are no skills',
    args: [...STREAM, 'go'],
    turns: [
      [...['clear', 'undo', 'btw', 'quit', 'debug', 'ot', 'q'].map((skill) => tool('Skill', { skill })), say('done')],
    ],
  },
  {
    name: 'a subagent in each process',
    args: [...STREAM, 'go', '--resume', SESSION],
    turns: [[look('one', 'ls'), say('two')]],
    before: [{ ...BEFORE, turns: [[look('one', 'ls'), say('one')]] }],
  },
  {
    name: 'a command whose shell line fails',
    args: [...STREAM, '/mine'],
    files: { '.claude/commands/mine.md': 'Now: !`exit 3`' },
  },
  {
    name: 'single arguments of a command',
    args: LIVING,
    turns: [[say('one')], [say('two')], [say('three')], [say('four')]],
    talk: says('/mine "x y" $HOME z; w', "/mine don't stop", '/mine', '/named x'),
    files: {
      '.claude/commands/mine.md': '[$0] [$1] [$2] [$ARGUMENTS] [$ARGUMENTS[1]]',
      '.claude/commands/named.md': '---\ndescription: Named\narguments: [first, second]\n---\n[$first] [$second]',
    },
  },
  {
    name: 'several of one name',
    args: [...LIVING, '--agents', '{"rev":{"description":"Flag","prompt":"p"}}'],
    turns: [[say('one')], [tool('Skill', { skill: 'sk' }), tool('Skill', { skill: 'sk', args: 'a' }), say('two')]],
    talk: says('/mine', '/sk'),
    files: {
      ...definitions('.claude', 'Project'),
      ...definitions('HOME/.claude', 'User'),
      '.claude/skills/both/SKILL.md': '---\nname: both\ndescription: Skill\n---\nDo it',
      'HOME/.claude/commands/both.md': '---\ndescription: Command\n---\nDo it',
    },
  },
  {
    name: 'nothing to continue, and no hooks',
    args: [...STREAM, 'hi', '--continue'],
    files: { 'HOME/.claude/settings.json': { disableAllHooks: true } },
  },
  {
    name: 'a hook that judges no tool',
    args: LIVING,
    turns: [
      [tool('Bash', { command: 'ls' }), tool('Bash', { command: 'ls' }), say('one')],
      [tool('Bash', { command: 'ls' }), say('two')],
    ],
    talk: says('a', 'b'),
    files: userHooks({ PreToolUse: 'nosuchcommand' }),
  },
  { name: 'the model and its effort', args: [...STREAM, '/model', '--effort', 'high'] },
  {
    name: 'another model plans',
    args: [...LIVING, '--model', 'haiku'],
    turns: ['one', 'two', 'three'].map((text) => [say(text)]),
    talk: [
      ...says('a'),
      ...control('plan', { subtype: 'set_permission_mode', mode: 'plan' }),
      ...says('b', '/model opusplan', 'c', '/model', '/cost'),
    ],
  },
  {
    name: 'a fork keeps the title',
    args: ['-p', 'hi', '--resume', 'my title', '--fork-session'],
    before: [{ args: TITLED }],
  },
  {
    name: 'the Skill tool is switched off later',
    args: [...STREAM, 'go', '--resume', SESSION, '--disable-slash-commands'],
    turns: [
      [
        tool('Skill', { skill: 'other' }),
        { ...look('one', 'ls'), subagent: [tool('Skill', { skill: 'other' }), say('found')] },
        say('done'),
      ],
    ],
    before: [BEFORE],
  },
  {
    name: 'the Skill tool was off from the beginning',
    args: [...STREAM, 'go', '--resume', SESSION, '--disable-slash-commands'],
    turns: [[tool('Skill', { skill: 'other' }), say('done')]],
    before: [{ args: [...BEFORE.args, '--disable-slash-commands'] }, { args: ['-p', 'again', '--resume', SESSION] }],
  },
  {
    name: 'commands that look outside',
    args: [...STREAM, 'go', '--allowedTools', 'Bash(head:*)', 'Read(//etc/**)'],
    turns: [
      [
        ...['cd .. && ls', 'grep x ~/y', 'find / -name x', 'cat /usr/x', 'head /usr/x', 'cat /etc/nothing'],
        ...['sed -n 1p ../x', 'ls .. && make', 'touch x && ls ..', 'ls .. | wc -l', 'cat ../a*', 'nosuchcommand'],
      ].map((command) => tool('Bash', { command })),
    ].map((steps) => [...steps, say('done')]),
  },
  {
    name: 'nobody to ask about files and commands',
    args: [...STREAM, 'go', '--permission-prompts', 'none', '--settings', '{"permissions":{"ask":["Bash"]}}'],
    turns: [
      [
        tool('Write', { file_path: '../outside.txt', content: 'x' }),
        tool('Read', { file_path: '/etc/hostname' }),
        ...['touch x', 'ls', 'touch ../x'].map((command) => tool('Bash', { command })),
        say('done'),
      ],
    ],
  },
  ...(['server_error', 'overloaded'] as const).map((type) => ({
    name: `the fallback after ${type}, three times`,
    args: [...STREAM, 'hi', '--fallback-model', 'haiku'],
    turns: [[...Array.from({ length: 3 }, () => fail({ type })), say('fine')], [say('next')]],
    env: { CLAUDE_CODE_MAX_RETRIES: '2' },
  })),
  {
    name: 'the fallback for a model that is not there',
    args: [...STREAM, 'hi', '--fallback-model', 'haiku'],
    turns: [[fail({ type: 'model_not_found' }), say('fine')]],
  },
  {
    name: 'clear in a session that has only a title',
    args: ['-p', '/clear', '--name', 'a title'],
    files: userHooks({ SessionStart: 'echo started' }),
  },
  {
    name: 'hooks that are off, those of a plugin too',
    args: [...STREAM, 'hi', '--plugin-dir', 'plug', '--include-hook-events'],
    files: {
      'HOME/.claude/settings.json': { disableAllHooks: true },
      'plug/.claude-plugin/plugin.json': { name: 'demo' },
      'plug/hooks/hooks.json': { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } },
    },
  },
  {
    name: 'several tools at once in the last turn',
    args: [...STREAM, 'go', '--max-turns', '1'],
    files: { 'a.txt': 'one\n' },
    turns: [
      [
        {
          say: 'both',
          tools: [
            { tool: 'Read', input: { file_path: 'a.txt' } },
            { tool: 'Read', input: { file_path: 'a.txt', limit: 1 } },
          ],
        },
      ],
    ],
  },
  ...['haiku', 'claude-sonnet-4-5', 'inherit'].flatMap((model): Case[] => {
    const files = { '.claude/agents/rev.md': `---\nname: rev\ndescription: d\nmodel: ${model}\n---\nYou review.` };
    const turns = [[look('one', 'ls', 'rev'), say('done')]];
    return [
      { name: `the agent ${model} of the session`, args: [...STREAM, 'hi', '--agent', 'rev'], files },
      { name: `the agent ${model} as a subagent`, args: [...STREAM, 'go'], files, turns },
    ];
  }),
  {
    name: 'a project with variables and code of its own',
    args: [...STREAM, 'hi'],
    files: {
      '.env': 'ANTHROPIC_MODEL=haiku\n',
      'bunfig.toml': 'preload = ["./first.js"]\n',
      'first.js': 'console.log("first");\n',
    },
  },
  {
    name: 'a directory that is added twice',
    args: [...STREAM, 'go', '--add-dir', '/'],
    files: { 'HOME/.claude/settings.json': { permissions: { additionalDirectories: ['/', '.'] } } },
    turns: [[tool('Bash', { command: 'touch new' }), say('done')]],
  },
  {
    name: 'models before that of the agent',
    args: [...STREAM, 'go', '--agent', 'rev', '--model', 'sonnet'],
    files: { '.claude/agents/rev.md': '---\nname: rev\ndescription: d\nmodel: haiku\n---\nYou review.' },
    turns: [[look('one', 'ls', 'rev', { model: 'opus' }), say('done')]],
  },
  ...['user', 'project', 'local'].map(
    (source): Case => ({
      name: `MCP servers of the source ${source} alone`,
      args: [...STREAM, 'hi', '--setting-sources', source],
      files: {
        '.mcp.json': { mcpServers: { ofProject: { command: '/bin/false' } } },
        'HOME/.claude.json': { mcpServers: { ofUser: { command: '/bin/false' } } },
      },
    }),
  ),
];
