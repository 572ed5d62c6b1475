import { type Case, STREAM, say, tool } from '../case.js';

const BYPASS = ['--permission-mode', 'bypassPermissions'];
const hook = (event: string, command: string, more: object = {}): object => ({
  hooks: { [event]: [{ ...more, hooks: [{ type: 'command', command }] }] },
});
const json = (value: object): string => `echo '${JSON.stringify(value)}'`;
const hooked = (name: string, event: string, command: string, turns: Case['turns'], more: object = {}): Case => ({
  name: `hook: ${name}`,
  args: [...STREAM, 'go', '--include-hook-events'],
  files: { 'HOME/.claude/settings.json': hook(event, command, more), 'a.txt': 'x' },
  ...(turns === undefined ? {} : { turns }),
});
const LS = [[tool('Bash', { command: 'ls' }), say('done')]];
const specific = (fields: object): string => json({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });

/** Tools that really run. */
const tools: Case[] = [
  {
    name: 'tools',
    args: [...STREAM, 'go', ...BYPASS],
    files: { 'a.txt': 'one\ntwo\nthree\n', 'sub/b.ts': 'const two = 2;\n', 'many.txt': 'a\na\n' },
    turns: [
      [
        tool('Bash', { command: 'echo hi; echo err >&2; exit 3' }),
        tool('Bash', { command: 'echo hi; echo err >&2' }),
        tool('Bash', { command: 'true' }),
        tool('Bash', { command: 'cd / && pwd' }),
        tool('Read', { file_path: 'a.txt' }),
        tool('Read', { file_path: 'a.txt', offset: 2, limit: 1 }),
        tool('Read', { file_path: '/nope/nothing' }),
        tool('Read', { file_path: '.' }),
        tool('Read', { wrong: 1 }),
        tool('Write', { file_path: 'new.txt', content: 'hello\n' }),
        tool('Write', { file_path: 'new.txt', content: 'hello2\n' }),
        tool('Write', { file_path: 'new.txt', content: 'no newline' }),
        tool('Edit', { file_path: 'a.txt', old_string: 'two', new_string: '2' }),
        tool('Edit', { file_path: 'a.txt', old_string: 'zzz', new_string: '2' }),
        tool('Edit', { file_path: 'sub/b.ts', old_string: 'two', new_string: '2' }),
        tool('Edit', { file_path: 'none.txt', old_string: 'a', new_string: 'b' }),
        tool('Edit', { file_path: 'fresh.txt', old_string: '', new_string: 'b' }),
        tool('Edit', { file_path: 'many.txt', old_string: 'a', new_string: 'b' }),
        tool('Edit', { file_path: 'many.txt', old_string: 'a', new_string: 'a' }),
        tool('NoSuchTool', { x: 1 }),
        say('done'),
      ],
    ],
  },
  {
    name: 'tools on request',
    args: [...STREAM, 'go', ...BYPASS, '--tools', 'Glob,Grep,Read'],
    files: { 'a.txt': 'one\ntwo\nthree\n', 'sub/b.ts': 'const two = 2;\n' },
    turns: [
      [
        tool('Glob', { pattern: '**/*.ts' }),
        tool('Glob', { pattern: '**/*.zz' }),
        tool('Grep', { pattern: 'three' }),
        tool('Grep', { pattern: 'two', output_mode: 'content', '-n': true }),
        tool('Grep', { pattern: 'two', output_mode: 'count' }),
        tool('Grep', { pattern: 'zzzz' }),
        tool('Bash', { command: 'ls' }),
        say('done'),
      ],
    ],
  },
  { name: 'no tools', args: [...STREAM, 'go', '--tools', ''] },
];

/** Who may use what. */
const permissions: Case[] = [
  {
    name: 'permissions of the default mode',
    args: [...STREAM, 'go'],
    files: { 'a.txt': 'one\n' },
    turns: [
      [
        tool('Bash', { command: 'touch x' }),
        tool('Bash', { command: 'ls' }),
        tool('Bash', { command: 'cat a.txt && ls | grep a' }),
        tool('Bash', { command: 'node -e 0' }),
        tool('Bash', { command: 'echo hi > out.txt' }),
        tool('Bash', { command: 'echo $(ls)' }),
        tool('Bash', { command: 'find . -delete' }),
        tool('Read', { file_path: 'a.txt' }),
        tool('Read', { file_path: '/etc/hostname' }),
        tool('Write', { file_path: 'new.txt', content: 'hello\n' }),
        tool('Edit', { file_path: 'a.txt', old_string: 'one', new_string: '2' }),
        tool('WebFetch', { url: 'http://127.0.0.1:1/', prompt: 'x' }),
        say('done'),
      ],
    ],
  },
  {
    name: 'accepting edits',
    args: [...STREAM, 'go', '--permission-mode', 'acceptEdits'],
    turns: [
      [
        tool('Bash', { command: 'touch x' }),
        tool('Bash', { command: 'mkdir -p q && rm -f x' }),
        tool('Bash', { command: 'node -e 0' }),
        tool('Write', { file_path: 'new.txt', content: 'x' }),
        tool('Write', { file_path: '/outside.txt', content: 'x' }),
        say('done'),
      ],
    ],
  },
  {
    name: 'plan mode',
    args: [...STREAM, 'go', '--permission-mode', 'plan'],
    turns: [[tool('Bash', { command: 'ls' }), tool('Write', { file_path: 'new.txt', content: 'x' }), say('done')]],
  },
  {
    name: 'not asking',
    args: [...STREAM, 'go', '--permission-mode', 'dontAsk'],
    turns: [[tool('Bash', { command: 'ls' }), tool('Write', { file_path: 'new.txt', content: 'x' }), say('done')]],
  },
  {
    name: 'rules',
    args: [
      ...STREAM,
      'go',
      '--allowedTools',
      'Bash(git *),Write',
      'Edit(sub/**)',
      '--disallowedTools',
      'NotebookEdit',
      'Bash(git push:*)',
    ],
    files: {
      'HOME/.claude/settings.json': {
        permissions: {
          allow: ['Bash(npm run test:*)', 'Bash(node --check x.js)'],
          deny: ['Read(//**/secret.txt)'],
          ask: ['Bash(git commit:*)'],
        },
      },
      'secret.txt': 's',
      'sub/a.txt': 'a',
      'x.js': '',
    },
    turns: [
      [
        tool('Bash', { command: 'git' }),
        tool('Bash', { command: 'git push origin' }),
        tool('Bash', { command: 'git status && git push' }),
        tool('Bash', { command: 'git commit -m x' }),
        tool('Bash', { command: 'npm run test:unit' }),
        tool('Bash', { command: 'node --check x.js' }),
        tool('Read', { file_path: 'secret.txt' }),
        tool('Bash', { command: 'cat secret.txt' }),
        tool('Write', { file_path: 'new.txt', content: 'x' }),
        tool('Edit', { file_path: 'sub/a.txt', old_string: 'a', new_string: 'b' }),
        tool('NotebookEdit', { notebook_path: 'x.ipynb', new_source: 'x' }),
        say('done'),
      ],
    ],
  },
  {
    name: 'rules of a project that nobody has trusted',
    args: [...STREAM, 'go'],
    files: { '.claude/settings.json': { permissions: { allow: ['Write'] } } },
    turns: [[tool('Write', { file_path: 'n', content: 'x' }), say('done')]],
  },
];

const once = (then: string): string => `if [ -e $HOME/once ]; then exit 0; fi; touch $HOME/once; ${then}`;

/** Hooks of settings. */
function conditional(rule: string, command: string): { hooks: object[] } {
  return { hooks: [{ type: 'command', if: rule, command }] };
}

const hooks: Case[] = [
  hooked('exit 2 before a tool', 'PreToolUse', 'echo nope >&2; exit 2', LS, { matcher: 'Bash' }),
  hooked('exit 1 before a tool', 'PreToolUse', 'echo oops >&2; exit 1', LS, { matcher: 'Ba.*' }),
  hooked('a matcher for another tool', 'PreToolUse', 'exit 2', LS, { matcher: 'Write|Edit' }),
  hooked('deny', 'PreToolUse', specific({ permissionDecision: 'deny', permissionDecisionReason: 'because' }), LS),
  hooked(
    'allow with another input',
    'PreToolUse',
    specific({ permissionDecision: 'allow', updatedInput: { command: 'echo changed' } }),
    [[tool('Bash', { command: 'touch zz' }), say('done')]],
  ),
  hooked('ask', 'PreToolUse', specific({ permissionDecision: 'ask', permissionDecisionReason: 'please' }), LS),
  hooked('decision block', 'PreToolUse', json({ decision: 'block', reason: 'old style' }), LS),
  hooked('continue false', 'PreToolUse', json({ continue: false, stopReason: 'halt' }), LS),
  {
    ...hooked('too slow', 'PreToolUse', 'true', LS),
    files: {
      'HOME/.claude/settings.json': {
        hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'sleep 5', timeout: 1 }] }] },
      },
    },
  },
  {
    name: 'hooks with a condition',
    args: [...STREAM, 'go', '--include-hook-events', '--allowedTools', 'Bash(ls:*)', 'Write'],
    turns: [
      [
        ...['ls', 'git status', 'ls && git status', 'nohup git status', 'foo "$X"', 'foo'].map((command) =>
          tool('Bash', { command }),
        ),
        ...['a.md', 'sub/b.md', 'c.txt'].map((file) => tool('Write', { file_path: file, content: 'x' })),
        tool('Read', { file_path: 'a.md' }),
        tool('WebFetch', { url: 'http://a.test/x', prompt: 'p' }),
        say('done'),
      ],
    ],
    files: {
      'HOME/.claude/settings.json': {
        hooks: {
          PreToolUse: [
            conditional('Bash(git:*)', 'echo no git >&2; exit 2'),
            conditional('Write(sub/**)', 'echo not there >&2; exit 2'),
            { ...conditional('Bash(git:*)', 'echo never >&2; exit 2'), matcher: 'Write' },
            { ...conditional('', 'echo always'), matcher: 'Read', if: 'Bash' },
            conditional('WebFetch(domain:a.test)', 'echo never >&2; exit 2'),
            conditional('Write(*.ts) || Write(c.txt)', 'echo never >&2; exit 2'),
          ],
          PostToolUse: [conditional('Bash(ls)', 'echo seen'), conditional('Write(*.md)', 'echo written')],
          PermissionRequest: [conditional('Bash(foo:*)', 'exit 0')],
          UserPromptSubmit: [conditional('Bash', 'echo never')],
          Stop: [conditional('Bash', 'exit 2'), conditional('', 'exit 0')],
        },
      },
    },
  },
  hooked('exit 2 after a tool', 'PostToolUse', 'echo bad >&2; exit 2', LS),
  hooked('after a tool that failed', 'PostToolUseFailure', 'true', [
    [tool('Bash', { command: 'cat nothing' }), say('done')],
  ]),
  hooked('exit 2 on the prompt', 'UserPromptSubmit', 'echo not allowed >&2; exit 2', undefined),
  hooked('decision block on the prompt', 'UserPromptSubmit', json({ decision: 'block', reason: 'blocked' }), undefined),
  hooked('continue false on the prompt', 'UserPromptSubmit', json({ continue: false, stopReason: 'halt' }), undefined),
  hooked('context for the prompt', 'UserPromptSubmit', 'echo context', undefined),
  hooked('stop that goes on', 'Stop', once('echo keep going >&2; exit 2'), [[say('first')], [say('second')]]),
  hooked('stop with a decision', 'Stop', once(json({ decision: 'block', reason: 'more' })), [
    [say('first')],
    [say('second')],
  ]),
  hooked('session start', 'SessionStart', 'echo context', undefined),
  hooked('session start with exit 2', 'SessionStart', 'echo no >&2; exit 2', undefined),
];

const PLUGIN = {
  'plug/.claude-plugin/plugin.json': { name: 'demo', version: '1.2.3' },
  'plug/commands/explore.md': '---\ndescription: Explore\n---\nInvestigate $ARGUMENTS.\n',
  'plug/agents/rev.md': '---\nname: rev\ndescription: Reviews\n---\nYou review.',
  'plug/skills/sk/SKILL.md': '---\nname: sk\ndescription: A skill\n---\nDo it',
  'plug/hooks/hooks.json': hook('UserPromptSubmit', 'true'),
};
const SERVER = { command: 'node', args: ['mcp-server.mjs'] };

/** Plugins and MCP servers. */
const additions: Case[] = [
  {
    name: 'plugin',
    args: [...STREAM, '/demo:explore the db', '--plugin-dir', 'plug', '--include-hook-events'],
    files: PLUGIN,
  },
  { name: 'plugin that is not there', args: [...STREAM, 'x', '--plugin-dir', 'ROOT/nope'] },
  {
    name: 'dead MCP server',
    args: [...STREAM, 'x', '--mcp-config', '{"mcpServers":{"dead":{"command":"/bin/false"}}}'],
  },
  { name: 'missing MCP config', args: ['-p', 'x', '--mcp-config', 'ROOT/nope.json'] },
  { name: 'wrong MCP config', args: ['-p', 'x', '--mcp-config', '{"a":1}'] },
  {
    name: 'MCP tools',
    args: [
      ...STREAM,
      'x',
      '--mcp-config',
      JSON.stringify({ mcpServers: { srv: SERVER } }),
      '--allowedTools',
      'mcp__srv__echo',
    ],
    files: { 'mcp-server.mjs': mcpServerSource() },
    turns: [
      [tool('mcp__srv__echo', { text: 'yo' }), tool('mcp__srv__other', {}), tool('mcp__nope__x', {}), say('done')],
    ],
  },
  {
    name: 'rules about a parameter of a tool',
    args: [...STREAM, 'go', '--mcp-config', JSON.stringify({ mcpServers: { srv: SERVER } }), '--strict-mcp-config'],
    files: {
      'mcp-server.mjs': mcpServerSource(),
      'a.txt': 'a\nb\nc\n',
      'HOME/.claude/settings.json': {
        permissions: {
          allow: ['Edit', 'Write', 'mcp__srv', 'Bash(timeout:7000)'],
          deny: [
            ...['Bash(timeout:5*)', 'Bash(description:a b)', 'Read(limit:1)', 'Read(offset:*)', 'Write(content:x)'],
            ...['Edit(replace_all:true)', 'mcp__srv__echo(text:no)', 'Bash(command:ls)', 'Write(file_path:z.txt)'],
          ],
          ask: ['Bash(run_in_background:true)', 'Read(limit:2)', 'Write(content:y*)', 'mcp__srv__echo(text:may*)'],
        },
      },
    },
    turns: [
      [
        ...[{}, { timeout: 5000 }, { timeout: 6000 }, { description: 'a b' }, { run_in_background: true }].map((more) =>
          tool('Bash', { command: 'ls', ...more }),
        ),
        tool('Bash', { command: 'bash none', timeout: 7000 }),
        ...[{ limit: 1 }, { limit: 2 }, { offset: 2 }].map((more) => tool('Read', { file_path: 'a.txt', ...more })),
        ...['x', 'y', 'yes', 'z'].map((content) => tool('Write', { file_path: `${content}.txt`, content })),
        tool('Edit', { file_path: 'a.txt', old_string: 'a', new_string: 'A', replace_all: true }),
        tool('Edit', { file_path: 'a.txt', old_string: 'b', new_string: 'B' }),
        ...['no', 'maybe', 'yes'].map((text) => tool('mcp__srv__echo', { text })),
        say('done'),
      ],
    ],
  },
  {
    name: 'rules about skills, pages and agents',
    args: [...STREAM, 'go'],
    files: {
      '.claude/agents/mine.md': '---\nname: mine\ndescription: Mine\n---\nBe me.\n',
      ...Object.fromEntries(
        ['one', 'two', 'three', 'four'].map((name) => [
          `.claude/skills/${name}/SKILL.md`,
          `---\nname: ${name}\ndescription: ${name}\n---\nDo ${name}.\n`,
        ]),
      ),
      '.claude/commands/pre/a.md': 'Do a.',
      'HOME/.claude/settings.json': {
        permissions: {
          deny: [
            ...['Skill(one)', 'Skill(/two)', 'Skill(pre:*)', 'Skill(args:x y)', 'Skill(f*)', 'Agent(mine)'],
            ...['Agent(model:haiku)', 'WebFetch(domain:a.test)', 'WebFetch(domain:*.b.test)', 'WebFetch(prompt:p)'],
          ],
          ask: ['Skill(three)', 'Agent(prompt:ask)'],
        },
      },
    },
    turns: [
      [
        ...['one', '/one', 'two', 'three', 'pre:a', 'four'].map((skill) => tool('Skill', { skill })),
        tool('Skill', { skill: 'four', args: 'x y' }),
        ...['a.test', 'x.a.test', 'b.test', 'x.b.test'].map((host) =>
          tool('WebFetch', { url: `http://${host}/x`, prompt: 'p' }),
        ),
        ...[{}, { model: 'haiku' }, { prompt: 'ask' }].map((more) =>
          tool('Agent', {
            description: 'look',
            prompt: 'look',
            subagent_type: 'mine',
            run_in_background: false,
            ...more,
          }),
        ),
        say('done'),
      ],
    ],
  },
  {
    name: 'MCP server of the project',
    args: [...STREAM, 'x'],
    files: { '.mcp.json': { mcpServers: { srv: SERVER } }, 'mcp-server.mjs': mcpServerSource() },
  },
];

/** An MCP server of a few lines, for programs that speak the protocol properly. */
function mcpServerSource(): string {
  return `import readline from 'node:readline';
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const reply = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  if (method === 'initialize') reply({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'srv', version: '1' } });
  else if (method === 'tools/list') reply({ tools: ['echo', 'other'].map((name) => ({ name, inputSchema: { type: 'object' } })) });
  else if (method === 'tools/call') reply({ content: [{ type: 'text', text: 'echo: ' + params.arguments.text }] });
  else if (id !== undefined) reply({});
});
`;
}

export const TOOL_CASES: readonly Case[] = [...tools, ...permissions, ...hooks, ...additions];
