import { type Case, type Run, STREAM, say, tool } from '../case.js';

const plugin = (folder: string, manifest: object): NonNullable<Case['files']> => ({
  [`${folder}/.claude-plugin/plugin.json`]: manifest,
  [`${folder}/commands/make.md`]: '---\ndescription: Make\n---\nMake $ARGUMENTS\n',
});
const MARKETPLACE = 'shop/.claude-plugin/marketplace.json';
const market = (name: string, ...plugins: object[]) => ({ name, owner: { name: 'Somebody' }, plugins });
const SHOP = {
  [MARKETPLACE]: market(
    'shop',
    { name: 'demo', source: './plugins/demo', description: 'A demo' },
    { name: 'other', source: './plugins/other', version: '0.1.0' },
    { name: 'needy', source: './plugins/needy' },
    { name: 'gone', source: './plugins/gone' },
    { name: 'poor', source: './plugins/poor' },
  ),
  ...plugin('shop/plugins/demo', { name: 'demo', version: '1.2.3' }),
  ...plugin('shop/plugins/other', { name: 'other' }),
  ...plugin('shop/plugins/needy', { name: 'needy', version: '2.0.0', dependencies: ['other'] }),
  ...plugin('shop/plugins/poor', { name: 'poor', dependencies: ['nobody'] }),
};

/** No command of these cases has a reason to ask anybody. One that did would find nobody. */
const ALONE = {
  ...{ HTTPS_PROXY: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' },
  ...{ GIT_ALLOW_PROTOCOL: 'file', CLAUDE_CODE_PLUGIN_PREFER_HTTPS: '1' },
};
const words = (line: string): string[] => ['plugin', ...line.split(' ').filter((word) => word !== '')];
const ran = (...lines: string[]): Run[] => lines.map((line) => ({ args: words(line) }));
const ADD = 'marketplace add ./shop';

/** One command, after others. */
const told = (line: string, before: string[] = [], files: NonNullable<Case['files']> = {}): Case => ({
  name: `claude plugin ${[line, ...(before.length === 0 ? [] : ['after', before.join(', ')])].join(' ')}`,
  args: words(line),
  before: ran(...before),
  files: { ...SHOP, ...files },
  env: ALONE,
});
/** What commands have written, and what a session then has. */
const FILES = ['$HOME/.claude/settings.json', '.claude/settings.json', '.claude/settings.local.json'];
const KEPT = ['installed_plugins.json', 'known_marketplaces.json'].map((name) => `$HOME/.claude/plugins/${name}`);
const LOOK = [
  `cat ${[...FILES, ...KEPT].join(' ')} 2> /dev/null | sed -E 's/20[0-9-]+T[0-9:.]+Z/TIME/'`,
  'cd $HOME/.claude/plugins && find cache -type f | sort',
];
const left = (...before: string[]): Case => ({
  name: `what claude plugin leaves: ${before.join(', ')}`,
  args: [...STREAM, 'go', '--allowedTools', 'Bash'],
  before: ran(...before),
  files: SHOP,
  env: ALONE,
  turns: [[...LOOK.map((command) => tool('Bash', { command })), say('done')]],
});
const wrong = (name: string, document: string | object, flags = ''): Case => ({
  ...told(`marketplace add ./bad ${flags}`, [], { 'bad/.claude-plugin/marketplace.json': document }),
  name: `claude plugin marketplace add of ${name}`,
});
const DEMO = 'install demo@shop';
const NEEDY = 'install needy@shop';

/** The commands about plugins and marketplaces on this machine. */
export const PLUGIN_COMMAND_CASES: readonly Case[] = [
  told(ADD),
  told(`${ADD} --json`),
  told(`${ADD} --scope bad`),
  told(ADD, [ADD]),
  told(`${ADD} --scope project --json`, [ADD]),
  told('marketplace add'),
  told('marketplace add shop'),
  told('marketplace add ./nowhere'),
  told('marketplace add ./nowhere --json'),
  told('marketplace add ./shop/plugins'),
  told('marketplace add ./shop/plugins --json'),
  told('marketplace add ./shop/.claude-plugin/marketplace.json'),
  told('marketplace add ./more', [ADD], { 'more/.claude-plugin/marketplace.json': market('shop') }),
  wrong('a file that is no JSON', '{'),
  wrong('a file that is no JSON, as JSON', '{', '--json'),
  wrong('a file without an owner', { name: 'bad', plugins: [] }),
  wrong('a name with a space', { name: 'very bad', owner: { name: 'x' }, plugins: [] }),
  told('marketplace list'),
  told('marketplace list', [ADD]),
  told('marketplace list', ['marketplace add ./shop/.claude-plugin/marketplace.json']),
  told('marketplace list --json', [ADD]),
  told('marketplace list --json'),
  told('marketplace update shop', [ADD]),
  told('marketplace update shop --json', [ADD]),
  told('marketplace update nobody', [ADD]),
  told('marketplace update nobody --json', [ADD]),
  told('marketplace remove shop', [ADD]),
  told('marketplace rm shop --json', [ADD, DEMO]),
  told('marketplace remove shop', [ADD, NEEDY]),
  told('marketplace remove shop --scope user', [ADD]),
  told('marketplace remove shop --scope local', [ADD]),
  told('marketplace remove nobody'),
  told('marketplace remove nobody --json'),
  told('marketplace bad'),
  told('bad'),
  told('install'),
  told(DEMO),
  told(`${DEMO} --json`),
  told(DEMO, [ADD]),
  told('install demo', [ADD]),
  told(`${DEMO} --json`, [ADD]),
  told(`${DEMO} --scope bad`, [ADD]),
  told(`${DEMO} --scope project`, [ADD]),
  told(DEMO, [ADD, DEMO]),
  told(`${DEMO} --json`, [ADD, DEMO]),
  told(DEMO, [ADD, DEMO, 'disable demo@shop']),
  told('install nobody@shop', [ADD]),
  told('install gone@shop', [ADD]),
  told('install gone@shop --json', [ADD]),
  told(NEEDY, [ADD]),
  told(`${NEEDY} --json -s local`, [ADD]),
  told('install poor@shop', [ADD]),
  told('list'),
  told('list --json'),
  told('list', [ADD, DEMO, NEEDY, 'disable demo@shop']),
  told('list', [ADD, 'install poor@shop']),
  told('list', [ADD, 'install other@shop'], { 'shop/plugins/other/hooks/hooks.json': '{' }),
  told('uninstall demo@shop', [ADD, DEMO]),
  told('uninstall demo --json', [ADD, DEMO]),
  told('uninstall demo@shop', [ADD, `${DEMO} -s local`]),
  told('uninstall nobody'),
  told('uninstall nobody@shop --json'),
  told('uninstall other@shop', [ADD, NEEDY]),
  told('uninstall needy@shop', [ADD, NEEDY]),
  told('uninstall needy@shop -s local --json', [ADD, `${NEEDY} -s local`]),
  told('disable demo@shop', [ADD, DEMO]),
  told('disable demo --json', [ADD, DEMO]),
  told('disable demo@shop', [ADD, DEMO, 'disable demo@shop']),
  told('disable demo@shop --json', [ADD, DEMO, 'disable demo@shop']),
  told('disable demo@shop --scope local', [ADD, DEMO]),
  told('disable demo@shop --scope project', [ADD, `${DEMO} -s local`]),
  told('disable demo@shop --scope bad', [ADD, DEMO]),
  told('disable other@shop', [ADD, NEEDY]),
  told('disable other@shop --json', [ADD, NEEDY]),
  told('disable'),
  told('enable demo', [ADD, DEMO]),
  told('enable demo@shop --json', [ADD, DEMO, 'disable demo@shop']),
  told('enable nobody'),
  told('enable nobody --json'),
  told('enable nobody@nowhere'),
  told('enable'),
  told('update demo@shop', [ADD, DEMO]),
  told('update demo@shop --json', [ADD, DEMO]),
  told('update demo', [ADD]),
  told('update nobody --json'),
  left(ADD, DEMO),
  left(ADD, `${NEEDY} --scope project`, DEMO),
  left(ADD, DEMO, 'disable demo', 'enable demo', NEEDY, 'disable needy@shop --scope local'),
  left(ADD, DEMO, NEEDY, 'uninstall demo@shop', 'uninstall needy@shop'),
  left(ADD, DEMO, 'marketplace remove shop'),
];
