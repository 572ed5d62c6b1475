import { type Case, LIVING, RECORD_PAYLOAD, STREAM, say } from '../case.js';
import { says } from './parts.js';

const COMMAND = { type: 'command', command: 'true' };
const GROUP = { hooks: [COMMAND] };
const LANGUAGE = { command: 'x', extensionToLanguage: { '.py': 'python' } };

/** What a manifest can have wrong, one thing each, and what looks wrong and is not. */
const MANIFESTS: readonly Record<string, unknown>[] = [
  { version: 1 },
  { description: 1 },
  { author: 'me' },
  { author: {} },
  { author: { name: '' } },
  { author: { name: 'x', email: 'no mail' } },
  { author: { name: 'x', email: 1 } },
  { author: { name: 'x', url: 1 } },
  { author: null },
  { homepage: 'no url' },
  { homepage: 'mailto:x' },
  { repository: { url: 'x' } },
  { repository: 'no url' },
  { license: {} },
  { keywords: 'a' },
  { keywords: [1, 'a', 2], version: 3 },
  { displayName: 1 },
  { defaultEnabled: 1 },
  { $schema: 1 },
  { unknown: 1 },
  { name: '' },
  { name: 'With Space' },
  { name: 'a/b' },
  { name: 'a@b' },
  { name: 'Caps.1' },
  ...['commands', './none', '../x', './../x', 1, ['x'], ['./none.md'], { a: 1 }, { a: {} }].map((commands) => ({
    commands,
  })),
  ...[
    { a: { source: 'c.md' } },
    { a: { content: 'x', description: 1 } },
    { a: { content: 'x', allowedTools: 'y' } },
  ].map((commands) => ({ commands })),
  { commands: { a: { source: './c.md', content: 'x' } } },
  ...['agents', './agents', './none.md', ['./a.md', './b'], ['a.md'], {}].map((agents) => ({ agents })),
  ...['skills', './none', ['x'], {}, []].map((skills) => ({ skills })),
  ...['hooks', './none.json', 1, [1], [], { Nonsense: [GROUP] }, { PostToolUse: 1 }].map((hooks) => ({ hooks })),
  ...[{ PreToolUse: 1 }, { PreToolUse: [{ matcher: 1, ...GROUP }] }, { PermissionRequest: [{ hooks: [{}] }] }].map(
    (hooks) => ({ hooks }),
  ),
  ...['x', './none.json', 1, { a: 1 }, { a: {} }, { a: { command: '' } }, { a: { type: 'http' } }].map(
    (mcpServers) => ({
      mcpServers,
    }),
  ),
  ...[{ a: { url: 'http://x.test' } }, { a: { type: 'none', command: 'x' } }, { a: { command: 'x', args: 'y' } }].map(
    (mcpServers) => ({ mcpServers }),
  ),
  ...['l.json', 1, {}, { a: { command: 'x' } }, { a: { ...LANGUAGE, args: 'x' } }].map((lspServers) => ({
    lspServers,
  })),
  ...[{ a: { ...LANGUAGE, command: 'x y' } }, { a: { ...LANGUAGE, extensionToLanguage: {} } }].map((lspServers) => ({
    lspServers,
  })),
  ...['w', './none', 1].map((workflows) => ({ workflows })),
  ...['o', './none', 1].map((outputStyles) => ({ outputStyles })),
  { themes: 1 },
  { themes: './none' },
  { monitors: 1 },
  { experimental: 1 },
  { experimental: { themes: 1 } },
  { channels: [1] },
  { userConfig: { a: 1 } },
  { settings: 1 },
  { dependencies: 1 },
  { dependencies: [{}] },
];

/** What a file of hooks can have wrong. */
const HOOK_FILES: readonly unknown[] = [
  ...[[], 'text', 1, {}, { hooks: null }, { hooks: [] }, { hooks: [{ event: 'Stop' }] }, { hooks: 1 }, { hooks: true }],
  { description: 1, hooks: { Stop: [GROUP] } },
  { nonsense: 1, hooks: { Stop: [GROUP] } },
  { PreToolUse: [GROUP] },
  { PostToolUse: [GROUP] },
  { PreToolUse: [GROUP], hooks: { Stop: [GROUP] } },
  ...[1, {}, 'x', true, null, [1], [{}], [{ hooks: 1 }], [{ hooks: [1] }], [{ hooks: [{}] }], [{ hooks: [] }]].map(
    (PreToolUse) => ({ hooks: { PreToolUse } }),
  ),
  { hooks: { PermissionRequest: 1, PreToolUse: 1 } },
  { hooks: { PreToolUse: [{ matcher: ['Bash'], hooks: [{}] }] } },
  ...['x', 'prompt', 'agent', 'http', 'mcp_tool', 'command', 1, null].map((type) => ({
    hooks: { PreToolUse: [{ hooks: [{ type }] }] },
  })),
  ...[
    { timeout: '5' },
    { timeout: 0 },
    { async: 'x' },
    { asyncRewake: 1 },
    { if: 1 },
    { once: 1 },
    { args: [1] },
    { shell: 'fish' },
    { statusMessage: 1 },
    { nonsense: 1 },
  ].map((more) => ({ hooks: { PreToolUse: [{ hooks: [{ ...COMMAND, ...more }] }] } })),
  { hooks: { PreToolUse: [{ hooks: [{ type: 'http', url: 'no url' }] }] } },
  { hooks: { PreToolUse: [{ hooks: [{ type: 'http', url: 'http://x.test', headers: 1 }] }] } },
  { hooks: { PostToolUse: 1, Stop: [1], SessionEnd: [{ hooks: [{ type: 'x' }] }] } },
];

/** A plugin for each, all of them in one run. */
function plugins(all: readonly Record<string, string | object>[]): Pick<Case, 'files' | 'args'> {
  return {
    files: Object.assign(
      {},
      ...all.map((files, at) =>
        Object.fromEntries(Object.entries(files).map(([file, text]) => [`p${at}/${file}`, text])),
      ),
    ),
    args: [...STREAM, 'hi', ...all.flatMap((_, at) => ['--plugin-dir', `p${at}`])],
  };
}

const MANIFEST = '.claude-plugin/plugin.json';
const started = (name: string) => ({
  SessionStart: [{ hooks: [{ type: 'command', command: `${RECORD_PAYLOAD}; echo ${name}` }] }],
});
const WRONG_GUARD = { PreToolUse: [1, { hooks: [{ ...COMMAND, timeout: '5' }, {}] }] };
const WRONG_OTHERS = {
  PostToolUse: 1,
  Stop: [{ matcher: 'x' }, 1, { matcher: 1, ...GROUP }],
  SessionEnd: [{ hooks: [{ type: 'x' }, { type: 'command' }, 1, {}, COMMAND] }],
  Nonsense: [GROUP],
};

/** What the CLI does not load, wholly or in part, and what it says of it. */
export const REFUSED_CASES: readonly Case[] = [
  {
    name: 'refused: manifests that are wrong',
    ...plugins(MANIFESTS.map((manifest, at) => ({ [MANIFEST]: { name: `p${at}`, ...manifest } }))),
  },
  {
    name: 'refused: manifests that are no object or have no name',
    ...plugins([{ [MANIFEST]: '[]' }, { [MANIFEST]: 'null' }, { [MANIFEST]: {} }, { [MANIFEST]: '{"name": 1' }]),
  },
  {
    name: 'refused: hooks of plugins that are wrong',
    ...plugins(
      HOOK_FILES.map((hooks, at) => ({ [MANIFEST]: { name: `p${at}` }, 'hooks/hooks.json': JSON.stringify(hooks) })),
    ),
  },
  {
    name: 'refused: plugins that need others',
    ...plugins(
      [['p1'], [], ['p0@inline'], ['p4'], ['none'], ['a', 'b'], [{ name: 'p1' }]].map((dependencies, at) => ({
        [MANIFEST]: { name: `p${at}`, dependencies },
      })),
    ),
  },
  {
    name: 'refused: settings whose hooks are wrong',
    args: ['-p', 'hi', '--settings', JSON.stringify({ hooks: { ...started('flag'), PreToolUse: {} } })],
    files: {
      'HOME/.claude/settings.json': { hooks: { ...WRONG_GUARD, ...started('user') } },
      '.claude/settings.json': { hooks: { ...WRONG_OTHERS, ...started('project') } },
      '.claude/settings.local.json': { hooks: [], permissions: { allow: ['read'] } },
    },
  },
  {
    name: 'refused: what wrong settings would have denied',
    args: [...STREAM, 'hi', '--include-hook-events'],
    files: {
      'HOME/.claude/settings.json': { hooks: [{ event: 'Stop' }], permissions: { deny: ['WebFetch'] } },
      '.claude/settings.json': {
        hooks: { ...WRONG_GUARD, ...started('project') },
        permissions: { deny: ['WebSearch'] },
      },
      '.claude/settings.local.json': {
        hooks: { ...WRONG_OTHERS, ...started('local') },
        permissions: { deny: ['Write'] },
      },
    },
  },
];

const matter = (fields: string, body = 'Do it'): string => `---\n${fields}\n---\n${body}\n`;
const workflow = (name: string, more = ''): string =>
  `// What it is.\nexport const meta = { name: '${name}', description: 'Scan\\'s all',${more} };\nreturn 1;\n`;
const PHASES = ` whenToUse: "If asked.", phases: [{ title: 'One', detail: 'the first' }, { title: \`Two\` }, 3,]`;

/** Names and descriptions as the model is told of them, workflows, and the tool for servers that know a language. */
export const LISTED_CASES: readonly Case[] = [
  {
    name: 'listed: lines, names and tools as they are written',
    args: [
      ...LIVING,
      '--plugin-dir',
      'plug',
      '--agents',
      JSON.stringify({ j: { description: 'J.\nTwo.\n', prompt: 'x' } }),
    ],
    files: {
      'plug/.claude-plugin/plugin.json': { name: 'demo' },
      'plug/.lsp.json': { py: LANGUAGE },
      'plug/skills/lines/SKILL.md': matter('description: |\n  One.\n  Two  spaces.\n\n    Three\tafter.  \n  Four.'),
      'plug/skills/other/SKILL.md': matter('name: another-name\ndescription: Named otherwise'),
      'plug/skills/caps/SKILL.md': matter('name: Caps.2\ndescription: Named in capitals'),
      'plug/skills/spaced/SKILL.md': matter('name: With Space\ndescription: Named with a space'),
      'plug/skills/same/SKILL.md': matter('name: demo:same\ndescription: Named with the plugin'),
      'plug/skills/long/SKILL.md': matter(`description: ${'word '.repeat(400)}`),
      'plug/commands/cmd.md': matter('name: other-cmd\ndescription: |\n  A command.\n  Two lines.'),
      'plug/commands/deep/er.md': matter('name: deeper\ndescription: Deep'),
      'plug/agents/a.md': matter(
        'name: a\ndescription: |\n  An agent.\n  Two.\ntools: Read, Agent(demo:b), Bash(git log:*), Task(x, y)',
      ),
      'plug/agents/b.md': matter('name: b\ndescription: B\ndisallowedTools: Bash(git:*), Task'),
      'plug/agents/c.md': matter('name: c\ndescription: C\ntools: Read, Bash(a:*), Bash\ndisallowedTools: Bash(a:*)'),
      'plug/agents/d.md': matter('name: d\ndescription: D\ntools: "*"'),
      '.claude/agents/own.md': matter('name: own\ndescription: |\n  Own one.\n  Own two.\ntools: Bash(x:*)'),
      '.claude/skills/proj/SKILL.md': matter('name: proj-other\ndescription: |\n  P one.\n  P two.'),
      '.claude/commands/pc.md': matter('name: pc-other\ndescription: |\n  PC one.\n  PC two.'),
    },
    turns: [[say('done')]],
    talk: says('hello'),
  },
  {
    name: 'listed: workflows of plugin, user and project',
    args: [...LIVING, '--plugin-dir', 'plug'],
    files: {
      'plug/.claude-plugin/plugin.json': { name: 'demo' },
      'plug/workflows/scan.js': workflow('scan-all', PHASES),
      'plug/workflows/below/none.js': workflow('none'),
      'HOME/.claude/workflows/mine.js': workflow('mine', ' model: `opus`, extra: { a: [1, -2.5, true, null] }'),
      '.claude/workflows/own.js': workflow('own'),
      '.claude/workflows/broken.js': 'export const meta = { name: x };\n',
    },
    turns: [[say('one')], [say('two')], [say('three')]],
    talk: says('/demo:scan-all say "it"', '/mine', 'hello'),
  },
];
