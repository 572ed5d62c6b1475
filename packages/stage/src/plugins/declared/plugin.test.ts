import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reportFiles } from '../report-files.js';
import type { DeclaredComponent } from './component.js';
import { readPlugin } from './plugin.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'understudy-declared-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(files: Record<string, unknown>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

const shown = (component: DeclaredComponent) =>
  component.kind === 'hook'
    ? `hook ${component.event} ${component.text}`
    : component.kind === 'server'
      ? `server ${component.name}`
      : `${component.kind} ${component.names.join(',')}`;

it('names commands by their folders, agents by their front matter, skills by both', () => {
  write({
    '.claude-plugin/plugin.json': { name: 'p' },
    'commands/a.md': 'A',
    'commands/deep/b.md': '---\nname: c\n---\nB',
    'commands/notes.txt': 'no command',
    'agents/sub/file.md': '---\nname: inner\ndescription: d\n---\n',
    'skills/s/SKILL.md': '---\nname: other\ndescription: d\n---\n',
    '.mcp.json': { mcpServers: { one: { command: 'node' } } },
    'hooks/hooks.json': { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'echo', args: ['a b'] }] }] } },
  });
  const plugin = readPlugin(root);
  expect(plugin).toMatchObject({ name: 'p', issues: [], notCompared: [] });
  expect(plugin.components.map(shown)).toEqual([
    ...['command a', 'command deep:b,deep:c', 'agent sub:inner', 'skill s,other', 'hook Stop echo a b', 'server one'],
  ]);
  expect(plugin.components.filter(({ issue }) => issue !== undefined)).toEqual([]);
});

it('knows texts below agents/ that may be no agents, and a folder where a file belongs', () => {
  write({
    '.claude-plugin/plugin.json': { name: 'p', hooks: ['./hooks/'] },
    'hooks/hooks.json': { hooks: {} },
    'agents/README.md': 'How our agents work.',
    'agents/references/style.md': '---\nname: style\n---\nBe short.',
    'agents/real.md': '---\nname: real\n---\nDo it.',
  });
  const { components } = reportFiles(readPlugin(root));
  const fixes = Object.fromEntries(components.map(({ file, fix }) => [file, fix]));
  expect(fixes['agents/README.md']).toMatch(/^Move it out of agents\/ if it is no agent, else begin/);
  expect(fixes['agents/references/style.md']).toMatch(/^Move it out of agents\//);
  expect(fixes['agents/real.md']).toMatch(/^Begin agents\/real\.md/);
  const [folder] = components.filter(({ kind }) => kind === 'hook');
  expect(folder).toMatchObject({
    reason: 'hooks is a folder, and the CLI reads a JSON file here',
    fix: expect.stringContaining('./hooks/NAME.json'),
  });
});

it('names all tools of an agent that are not known, beside one that is misspelt', () => {
  write({ 'agents/a.md': '---\nname: a\ndescription: d\ntools: Raed, Teleport\n---\n' });
  expect(reportFiles(readPlugin(root)).components[0]?.reason).toContain(
    'its tools name Raed, and there is no such tool: the agent does not get it (we do not know Teleport either)',
  );
});

it('knows the tools that are not always there', () => {
  write({
    'skills/s/SKILL.md': '---\nname: s\ndescription: d\nallowed-tools: LSP\n---\n',
    'agents/a.md': '---\nname: a\ndescription: d\ntools: LSP, PowerShell\n---\n',
  });
  expect(readPlugin(root).components.map(({ issue, ...one }) => [issue, 'defect' in one])).toEqual([
    [undefined, false],
    [undefined, false],
  ]);
});

it('warns of what the CLI does not read: limits of an agent, and conditions of a hook', () => {
  const hooks = [{ type: 'command', command: 'true' }];
  write({
    'agents/a.md': '---\nname: a\ndescription: d\nallowed-tools: Read\n---\n',
    'agents/b.md': '---\nname: b\ndescription: d\nallowed-tools: Read\ntools: Read\n---\n',
    'hooks/hooks.json': {
      hooks: {
        PostToolUse: [
          { matcher: 'Write', pathMatcher: '*.py', hooks },
          { matcher: 'Edit', description: 'd', hooks },
        ],
      },
    },
  });
  const { components } = readPlugin(root);
  expect(components.map((one) => ('warning' in one ? one.warning : undefined))).toEqual([
    'the CLI does not read allowed-tools of an agent, so it gets every tool: write "tools"',
    undefined,
    'the "pathMatcher" beside its matcher is ignored, so it always runs: look at the payload in the hook',
    undefined,
  ]);
});

it('looks where the manifest says, and finds what that leaves behind', () => {
  write({
    '.claude-plugin/plugin.json': {
      name: 'p',
      commands: ['./more', './one.md'],
      skills: './abilities',
      hooks: { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Done?' }] }] },
      mcpServers: { inline: { type: 'http', url: 'http://127.0.0.1:9/' } },
      outputStyles: './styles',
    },
    'commands/left.md': 'left',
    'more/x.md': 'x',
    'one.md': 'one',
    'skills/usual/SKILL.md': 's',
    'abilities/added/SKILL.md': 's',
  });
  const { components, notCompared } = readPlugin(root);
  expect(components.map(shown)).toEqual([
    ...['command x', 'command one', 'command left', 'skill usual', 'skill added', 'hook Stop Done?', 'server inline'],
  ]);
  expect(components[2]?.issue?.reason).toContain('the manifest names other commands');
  expect(notCompared).toEqual([expect.stringContaining('output styles')]);
});

it('sees whom a hook cannot ask', () => {
  const ask = (type: string, more: object = {}) => [
    { hooks: [{ type, prompt: 'p', url: 'http://127.0.0.1:9/', ...more }] },
  ];
  const call = (server: string) => ask('mcp_tool', { server, tool: 'judge' });
  write({
    '.claude-plugin/plugin.json': { name: 'p', mcpServers: { policy: { command: 'node' } } },
    'hooks/hooks.json': {
      hooks: {
        SessionStart: [...ask('http'), ...ask('prompt'), ...call('plugin:p:policy')],
        SessionEnd: [...ask('http'), ...ask('agent'), ...call('plugin:p:policy')],
        Stop: [...ask('http'), ...ask('prompt'), ...call('plugin:p:policy'), ...call('policy'), ...call('other')],
      },
    },
  });
  const hooks = readPlugin(root).components.filter((component) => component.kind === 'hook');
  expect(hooks.map(({ event, text, defect }) => [event, text, defect?.reason.replace(/.*: /, '')])).toEqual([
    ['SessionStart', 'http://127.0.0.1:9/', 'it does nothing'],
    ['SessionStart', 'p', 'it does nothing'],
    ['SessionStart', 'plugin:p:policy/judge', 'it does nothing'],
    ['SessionEnd', 'http://127.0.0.1:9/', undefined],
    ['SessionEnd', 'p', 'it does nothing'],
    ['SessionEnd', 'plugin:p:policy/judge', 'it does nothing'],
    ['Stop', 'http://127.0.0.1:9/', undefined],
    ['Stop', 'p', undefined],
    ['Stop', 'plugin:p:policy/judge', undefined],
    ['Stop', 'policy/judge', 'it is never reached'],
    ['Stop', 'other/judge', undefined],
  ]);
  expect(hooks[9]?.defect?.fix).toBe('Write "server": "plugin:p:policy".');
});

it('sees that a script is missing or cannot be run, and nothing in what the shell makes up', () => {
  const command = (text: string) => ({ type: 'command', command: text });
  write({
    'ok.sh': '',
    'plain.txt': '',
    'hooks/hooks.json': {
      hooks: {
        Stop: [
          {
            hooks: [
              ...[
                '"${CLAUDE_PLUGIN_ROOT}"/ok.sh x',
                '$CLAUDE_PLUGIN_ROOT/gone.sh',
                'node "${CLAUDE_PLUGIN_ROOT}/gone.js"',
              ].map(command),
              ...[
                '${CLAUDE_PLUGIN_ROOT}/plain.txt',
                'sh ${CLAUDE_PLUGIN_ROOT}/plain.txt',
                '${CLAUDE_PLUGIN_ROOT}/$x.sh',
              ].map(command),
            ],
          },
        ],
      },
    },
  });
  chmodSync(join(root, 'ok.sh'), 0o755);
  const defects = readPlugin(root).components.map((one) => ('defect' in one ? one.defect?.reason : undefined));
  expect(defects).toEqual([
    undefined,
    expect.stringContaining('gone.sh, which does not exist'),
    expect.stringContaining('gone.js, which does not exist'),
    expect.stringContaining('plain.txt is not executable'),
    undefined,
    undefined,
  ]);
});

it('sees a condition that can never hold', () => {
  const hook = (condition: string) => ({ hooks: [{ type: 'command', command: 'true', if: condition }] });
  const rules = [
    'Bash(git *)',
    'Write',
    'Bash(git *) && Write',
    'Bash(git *)|Bash(ls)',
    'Bash(a) || Bash(b)',
    'Bash|Write',
  ];
  write({ 'hooks/hooks.json': { hooks: { PreToolUse: rules.map(hook), Stop: [hook('Bash'), hook('')] } } });
  const defects = readPlugin(root).components.map((one) => ('defect' in one ? one.defect?.reason : undefined));
  expect(defects).toEqual([
    ...[undefined, undefined],
    ...rules.slice(2).map(() => expect.stringContaining('no use of a tool meets')),
    ...[expect.stringContaining('Stop is about no tool'), undefined],
  ]);
});

it('sees a condition that stands in the wrong place', () => {
  const hooks = [{ type: 'command', command: 'true' }];
  write({ 'hooks/hooks.json': { hooks: { PreToolUse: [{ matcher: 'Bash', if: 'Bash(git *)', hooks }, { hooks }] } } });
  const warnings = readPlugin(root).components.map((one) => ('warning' in one ? one.warning : undefined));
  expect(warnings).toEqual([expect.stringContaining('beside its matcher is ignored'), undefined]);
});

it('takes a manifest that cannot be read, and parts of the wrong shape, for issues', () => {
  write({
    '.claude-plugin/plugin.json': '{',
    '.mcp.json': '[',
    'hooks/hooks.json': {
      hooks: { Stop: {}, Stpo: [{ hooks: [{ type: 'command', command: 'x' }] }], SessionEnd: [{ hooks: [{}] }] },
    },
  });
  const { issues, components } = readPlugin(root);
  expect(issues[0]?.reason).toContain('plugin.json cannot be read');
  expect(components.map(({ issue }) => issue?.fix)).toEqual([
    expect.stringContaining('"Stop": ['),
    'Did you mean Stop?',
    expect.stringContaining('{"type": "command"'),
    'Correct .mcp.json.',
  ]);
  expect(components[2]?.issue?.reason).toContain('type Invalid input: expected string, received undefined');
});

it('reads only the skills that an entry lists, where several plugins share the marketplace folder', () => {
  const text = '---\ndescription: d\n---\n';
  write({ 'skills/a/SKILL.md': text, 'skills/b/SKILL.md': text });
  const skills = (entry: unknown) => readPlugin(root, entry).components.map(shown);
  expect(skills({ name: 'p', source: './', skills: ['./skills/a'] })).toEqual(['skill a']);
  expect(skills({ name: 'p', source: './', skills: ['./skills'] })).toEqual(['skill a', 'skill b']);
  expect(skills({ name: 'p', source: './p', skills: ['./skills/a'] })).toEqual(['skill a', 'skill b']);
});

it('knows the newer parts of plugins by name', () => {
  write({
    '.claude-plugin/plugin.json': { name: 'p', experimental: { monitors: [] } },
    'hooks/register.js': '',
    '.lsp.json': {},
    'themes/dark.json': {},
  });
  expect(readPlugin(root).notCompared).toEqual([
    'themes (themes)',
    'LSP servers (.lsp.json)',
    'monitors ("monitors" in .claude-plugin/plugin.json)',
    'mods (JavaScript hooks) (hooks/register.js)',
  ]);
});

it('warns of a hook that a plugin alone cannot have', () => {
  const hooks = [{ type: 'command', command: 'true' }];
  write({ 'hooks/hooks.json': { hooks: { CwdChanged: [{ hooks }], Stop: [{ hooks }] } } });
  const found = readPlugin(root).components.map((one) => ('warning' in one ? one.warning : undefined));
  expect(found).toEqual([expect.stringContaining('only where the settings'), undefined]);
});

it('tells which variables of a server nobody sets', () => {
  const servers = {
    github: { command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/s.js'], env: { TOKEN: '${NO_SUCH_TOKEN_1}' } },
    plain: { command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/s.js'], env: { TOKEN: '${NO_SUCH_TOKEN_1:-none}' } },
  };
  write({ '.mcp.json': { mcpServers: servers } });
  const found = readPlugin(root).components.map((one) => ('warning' in one ? one.warning : undefined));
  expect(found).toEqual([expect.stringContaining('it uses NO_SUCH_TOKEN_1'), undefined]);
});

it.each([
  [{ name: 'a/b' }, {}, /has no "name" that the CLI takes/],
  [{ agents: './agents' }, {}, /agents: Invalid string: must end with ".md"$/],
  [{ repository: { url: 'x' }, defaultEnabled: 1 }, {}, /repository: Invalid input: expected string, received object$/],
  [{ hooks: { PreToolUse: 1 } }, {}, /hooks.PreToolUse: must be an array of matchers/],
  [{}, { hooks: { PreToolUse: [{ hooks: [{ type: 'command' }] }] } }, /Invalid command hook \(command: /],
])('knows that the CLI does not load a plugin with %j and hooks %j', (fields, hooks, reason) => {
  write({ '.claude-plugin/plugin.json': { name: 'p', ...fields }, 'hooks/hooks.json': hooks, 'agents/a.md': 'A' });
  expect(readPlugin(root).refusals[0]?.reason).toMatch(reason);
});

it('finds nothing wrong with a manifest and hooks that the CLI takes', () => {
  const entries = [{ type: 'command', command: 'true', timeout: 5 }];
  write({
    '.claude-plugin/plugin.json': { name: 'p', author: 'x', agents: ['./agents/a.md'], unknown: 1 },
    'hooks/hooks.json': { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: entries }], Stop: [{}] } },
    'agents/a.md': 'A',
  });
  expect(readPlugin(root).refusals).toEqual([]);
});

it.each([
  ['claude-tools', true],
  ['claude', true],
  ['anthropics', true],
  ['cc-plugin-x', true],
  ['claude_x', true],
  ['official-claude-tools', true],
  ['official-x-claude', false],
  ['tools-for-claude', false],
  ['claudette', false],
])('notes a name that is reserved: %s', (name, isReserved) => {
  write({ '.claude-plugin/plugin.json': { name } });
  expect(readPlugin(root).notes).toHaveLength(isReserved ? 1 : 0);
});
