import { type Case, STREAM, say, tool } from '../case.js';

const text = (fields: string, body: string): string => `---\n${fields}\n---\n${body}\n`;
const said = (command: string) => [{ hooks: [{ type: 'command', command }] }];
const WHERE = 'echo "$CLAUDE_PLUGIN_ROOT" "$CLAUDE_PLUGIN_DATA"';

/** A plugin with a part of each kind. */
const plugin = (folder: string, manifest: object): NonNullable<Case['files']> => ({
  [`${folder}/.claude-plugin/plugin.json`]: manifest,
  [`${folder}/commands/make.md`]: text(
    'description: Make',
    'Make $ARGUMENTS in ${CLAUDE_PLUGIN_ROOT} with ${CLAUDE_PLUGIN_DATA}.',
  ),
  [`${folder}/skills/sk/SKILL.md`]: text('name: sk\ndescription: A skill', 'Do it'),
  [`${folder}/agents/helper.md`]: text('name: helper\ndescription: Helps', 'You help.'),
  [`${folder}/hooks/hooks.json`]: { hooks: { SessionStart: said(WHERE) } },
});
/** What several hooks of one event say comes as they end. */
const NO_HOOKS = (...folders: string[]) =>
  Object.fromEntries(folders.map((folder) => [`${folder}/hooks/hooks.json`, { hooks: {} }]));
const MARKETPLACE = 'shop/.claude-plugin/marketplace.json';
const MANIFEST = 'shop/plugins/demo/.claude-plugin/plugin.json';
const market = (...plugins: object[]) => ({ [MARKETPLACE]: { name: 'shop', owner: { name: 'Somebody' }, plugins } });
const DEMO = { name: 'demo', source: './plugins/demo' };
const SHOP = {
  ...market(DEMO, { name: 'other', source: './plugins/other', version: '0.1.0' }, { name: 'needy', source: './needy' }),
  ...plugin('shop/plugins/demo', { name: 'demo', version: '1.2.3' }),
  ...plugin('shop/plugins/other', { name: 'other' }),
  ...plugin('shop/needy', { name: 'needy', version: '2.0.0', dependencies: ['other'] }),
};

const declared = (path: string, source = 'directory') => ({ shop: { source: { source, path } } });
const settings = (enabledPlugins: object, extraKnownMarketplaces: object = declared('ROOT/work/shop')): string[] => [
  '--settings',
  JSON.stringify({ enabledPlugins, extraKnownMarketplaces }),
];
const ON = { 'demo@shop': true };
const enabled = (name: string, choice: object, more: Partial<Case> = {}): Case => ({
  name: `installed plugin: ${name}`,
  ...more,
  args: [...STREAM, ...(more.args ?? ['go']), ...settings(choice)],
  files: { ...SHOP, ...more.files },
});
/** What a marketplace says of the plugin; without a manifest it stands for it. */
const listed = (name: string, entry: object, files: NonNullable<Case['files']> = {}): Case =>
  enabled(name, ON, {
    args: ['go', '--include-hook-events'],
    files: {
      ...market({ ...DEMO, ...entry }),
      'shop/plugins/demo/more/x.md': text('description: X', 'X'),
      'shop/plugins/demo/folk/zed.md': text('name: zed\ndescription: Z', 'You zed.'),
      'shop/plugins/demo/arts/b/SKILL.md': text('name: b\ndescription: B', 'B'),
      ...files,
    },
  });
const PARTS = { commands: ['./more'], agents: ['./folk/zed.md'], skills: ['./arts'] };
const warned = (name: string, wrong: object): Case => ({
  name: `installed plugin: ${name}`,
  args: ['-p', 'go'],
  files: { ...SHOP, 'HOME/.claude/settings.json': wrong },
});
const added = (name: string, more: Partial<Case> = {}): Case => ({
  name: `installed plugin: ${name}`,
  args: [...STREAM, 'go', '--include-hook-events'],
  before: [{ args: ['plugin', 'marketplace', 'add', './shop'] }, { args: ['plugin', 'install', 'demo@shop'] }],
  ...more,
  files: { ...SHOP, ...more.files },
});

/** Plugins that settings enable, of marketplaces on this machine. */
export const INSTALLED_PLUGIN_CASES: readonly Case[] = [
  enabled('with a part of each kind', ON, {
    args: ['/demo:make it', '--allowedTools', 'Agent'],
    turns: [
      [
        tool('Skill', { skill: 'demo:sk' }),
        {
          ...tool('Agent', {
            description: 'help',
            prompt: 'help',
            subagent_type: 'demo:helper',
            run_in_background: false,
          }),
          subagent: [say('helped')],
        },
        say('done'),
      ],
    ],
  }),
  enabled('whose hook blocks a tool', ON, {
    files: { 'shop/plugins/demo/hooks/hooks.json': { hooks: { PreToolUse: said('echo not now >&2; exit 2') } } },
    turns: [[tool('Bash', { command: 'ls' }), say('done')]],
  }),
  enabled('whose server is asked for', ON, {
    files: { 'shop/plugins/demo/.mcp.json': { mcpServers: { srv: { command: 'false' } } } },
  }),
  enabled('that is turned off', { 'demo@shop': false, 'other@shop': true }),
  enabled('that nobody offers', { 'nope@shop': true, 'demo@nowhere': true, demo: true, 'other@shop': true }),
  enabled('with a manifest that is no JSON', { ...ON, 'other@shop': true }, { files: { [MANIFEST]: '{' } }),
  enabled('with a manifest that is wrong', ON, { files: { [MANIFEST]: { name: 'demo', version: 3 } } }),
  enabled('with hooks that are no JSON', ON, { files: { 'shop/plugins/demo/hooks/hooks.json': '{' } }),
  enabled('with another name in its manifest', ON, {
    args: ['/real:make it'],
    files: { [MANIFEST]: { name: 'real' } },
  }),
  enabled(
    'that needs another one',
    { 'needy@shop': true, 'other@shop': true },
    {
      files: NO_HOOKS('shop/plugins/other'),
    },
  ),
  enabled('that needs one which is not enabled', { 'needy@shop': true }),
  enabled('that needs one which is turned off', { 'needy@shop': true, 'other@shop': false }),
  enabled(
    'that needs one of another marketplace',
    { 'needy@shop': true, 'demo@shop': true },
    {
      files: { 'shop/needy/.claude-plugin/plugin.json': { name: 'needy', dependencies: ['demo@far'] } },
    },
  ),
  enabled(
    'that needs one which needs another one',
    { 'demo@shop': true, 'needy@shop': true },
    {
      files: { [MANIFEST]: { name: 'demo', dependencies: ['needy'] } },
    },
  ),
  enabled(
    'beside one of --plugin-dir that needs it',
    { 'other@shop': true, 'demo@shop': true },
    {
      args: ['go', '--plugin-dir', 'mine'],
      files: { ...plugin('mine', { name: 'mine', dependencies: ['demo'] }), ...NO_HOOKS('mine', 'shop/plugins/other') },
    },
  ),
  enabled(
    'beside one of --plugin-dir with its name',
    { 'other@shop': true, 'demo@shop': true },
    {
      args: ['go', '--plugin-dir', 'mine'],
      files: { ...plugin('mine', { name: 'demo' }), ...NO_HOOKS('shop/plugins/other') },
    },
  ),
  enabled(
    'whose folder is not there',
    { ...ON, 'gone@shop': true },
    {
      files: market(DEMO, { name: 'gone', source: './gone' }),
    },
  ),
  enabled('outside of its marketplace', ON, {
    files: { ...market({ name: 'demo', source: '../evil' }), ...plugin('evil', { name: 'demo' }) },
  }),
  enabled('below the root of all plugins', ON, {
    files: {
      [MARKETPLACE]: {
        ...{ name: 'shop', owner: { name: 'S' }, metadata: { pluginRoot: './plugins' } },
        plugins: [{ name: 'demo', source: 'demo' }],
      },
    },
  }),
  enabled('of a marketplace that is wrong', ON, { files: { [MARKETPLACE]: { name: 'shop', plugins: [DEMO] } } }),
  listed('to which its marketplace adds parts', PARTS),
  listed(
    'to which its marketplace adds hooks',
    { hooks: { SessionStart: said('echo entry') } },
    {
      'shop/plugins/demo/hooks/hooks.json': { hooks: { SessionStart: said('echo own'), Stop: said('echo stop') } },
    },
  ),
  listed('that may have no manifest', { ...PARTS, strict: false }),
  listed('with servers and needs of its marketplace', {
    mcpServers: { srv: { command: 'false' } },
    dependencies: ['gone'],
    version: '9.9.9',
  }),
  {
    name: 'installed plugin: of a marketplace that is a file',
    args: [...STREAM, 'go', ...settings(ON, declared('ROOT/work/shop/.claude-plugin/marketplace.json', 'file'))],
    files: SHOP,
  },
  {
    name: 'installed plugin: of a project that nobody trusts',
    args: [...STREAM, 'go'],
    files: { ...SHOP, '.claude/settings.json': { enabledPlugins: ON, extraKnownMarketplaces: declared('./shop') } },
  },
  added('by the commands of the CLI'),
  added('that the project turns off', {
    files: {
      '.claude/settings.local.json': { enabledPlugins: { 'demo@shop': false, 'other@shop': true } },
    },
  }),
  added('of settings that are not read', { args: [...STREAM, 'go', '--setting-sources', 'project'] }),
  added('that a project enables which nobody trusts', {
    files: { '.claude/settings.json': { enabledPlugins: { 'other@shop': true } }, ...NO_HOOKS('shop/plugins/other') },
  }),
  warned('settings with a list of plugins', { enabledPlugins: ['demo@shop'] }),
  warned('settings with words for plugins', { enabledPlugins: { 'demo@shop': 'yes', 'other@shop': ['^1.0.0'] } }),
  warned('settings with a wrong marketplace', {
    extraKnownMarketplaces: { shop: 'x', far: {}, near: { source: { source: 'file' } } },
  }),
  warned('settings with a list of marketplaces', { extraKnownMarketplaces: ['x'] }),
  warned('settings with an unknown kind of marketplace', {
    extraKnownMarketplaces: { shop: { source: { source: 'x' } } },
  }),
  {
    name: 'plugin: two with commands and skills',
    args: [...STREAM, '/one:make it', '--plugin-dir', 'one', '--plugin-dir', 'two'],
    files: { ...plugin('one', { name: 'one' }), ...plugin('two', { name: 'two.x_y' }), ...NO_HOOKS('one') },
  },
];
