import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configPaths, transcriptPath } from '../../packages/agents/src/claude/facts/config-paths.js';
import { readFrontMatter, textField, toolListField } from '../../packages/agents/src/claude/facts/front-matter.js';
import { type LoadedPlugins, loadPlugins } from '../../packages/agents/src/claude/facts/plugins/load.js';
import { fillVariables, missingVariables, pluginVariables } from '../../packages/agents/src/claude/facts/variables.js';
import versions from '../../packages/agents/src/versions.json' with { type: 'json' };
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { LONG } from '../helpers/seeded.js';
import { writeFiles } from '../helpers/write-files.js';
import { eventually, FactsSession, type FactsTurn, type Json } from './claude-facts.js';
import { BODIES, HEADS } from './claude-facts-shapes.js';

/** An old one, too, where a second download and twice the time do not count. */
const VERSIONS = LONG ? [versions.claude, '2.1.197'] : [versions.claude];
const scratch = createScratch('facts-files');
afterAll(() => scratch.remove());

/** Writes what it was started with, and then is an MCP server without tools. */
const PROBE = `import { writeFileSync } from 'node:fs';
import readline from 'node:readline';
const [out, ...args] = process.argv.slice(2);
writeFileSync(out, JSON.stringify({ args, env: process.env }));
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = method === 'initialize'
    ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'probe', version: '1' } }
    : { tools: [] };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`;

const VARIABLES = { SET: 'a value', EMPTY: '', lower: 'low' };
const TEXTS = [
  ...['${SET}', '${SET:-other}', '${UNSET:-default}', '${UNSET}', '${EMPTY}', '${EMPTY:-default}', '$SET', '${lower}'],
  ...['${SET}/${UNSET:-y}', '${UNSET:-}', '${UNSET:-a:-b}', '${UNSET:-${SET}}', '${A-B}', '$${SET}', '${ SET }'],
  ...['${CLAUDE_PLUGIN_ROOT}', '${CLAUDE_PLUGIN_DATA}', '${CLAUDE_PROJECT_DIR}'],
];

const md = (fields: Record<string, unknown> = {}, body = 'Body') =>
  [
    '---',
    ...Object.entries({ description: 'd', ...fields }).map(([name, value]) => `${name}: ${value}`),
    '---',
    body,
  ].join('\n');
const stop = (command: string) => ({ Stop: [{ hooks: [{ type: 'command', command }] }] });
let count = 0;
/** A server that ends at once: only its configuration counts. Of two with equal commands the CLI keeps one. */
const server = () => ({ command: 'false', args: [String(count++)] });
const manifest = (name: string, parts: Json = {}) => ({
  '.claude-plugin/plugin.json': { name, version: '1.0.0', ...parts },
});

/** Plugins of many layouts, each with a manifest of its name. */
const LAYOUTS: Record<string, Record<string, unknown>> = {
  commands: {
    'commands/a.md': md(),
    'commands/deep/b.md': md({ name: 'c' }),
    'commands/deep/er/x.md': md(),
    'commands/UP.MD': md(),
    'commands/notes.txt': 'no command',
    'commands/sk/SKILL.md': md({ name: 'third' }),
    'commands/sk/beside.md': md(),
  },
  agents: {
    'agents/a.md': md({ name: 'named' }),
    'agents/plain.md': md(),
    'agents/sub/file.md': md({ name: 'inner' }),
    'agents/sub/deep/f.md': md(),
    'agents/number.md': md({ name: 12 }),
    'agents/notes.txt': 'no agent',
  },
  skills: {
    'skills/s/SKILL.md': md({ name: 'other' }),
    'skills/plain/SKILL.md': md(),
    'skills/bare/SKILL.md': 'No description.',
    'skills/deep/er/SKILL.md': md(),
    'skills/lower/skill.md': md(),
    'skills/empty/notes.md': 'no skill',
    'skills/flat.md': md(),
  },
  'root-skill': { 'SKILL.md': md() },
  'root-skill-beside': { 'SKILL.md': md(), 'skills/x/SKILL.md': md() },
  named: {
    ...manifest('named', { skills: ['./skills/a'], commands: ['./more', './one.md'], agents: ['./ag/x.md'] }),
    'skills/a/SKILL.md': md(),
    'skills/b/SKILL.md': md(),
    'more/m.md': md(),
    'more/deep/n.md': md(),
    'one.md': md(),
    'commands/left.md': md(),
    'ag/x.md': md(),
    'agents/left.md': md(),
  },
  'one-skill': {
    ...manifest('one-skill', { skills: './abilities' }),
    'abilities/SKILL.md': md(),
    'abilities/inner/SKILL.md': md(),
  },
  'skills-here': { ...manifest('skills-here', { skills: ['./'] }), 'top/SKILL.md': md(), 'skills/q/SKILL.md': md() },
  listed: {
    ...manifest('listed', { commands: { greet: { source: './g.md' }, said: { content: 'Say it', description: 'd' } } }),
    'g.md': md(),
    'commands/left.md': md(),
  },
  hooks: {
    ...manifest('hooks', { hooks: './more.json' }),
    'more.json': { hooks: stop('true # more') },
    'hooks/hooks.json': { hooks: stop('true # usual') },
  },
  'hooks-inline': { ...manifest('hooks-inline', { hooks: stop('true # inline') }) },
  'hooks-wrapped': { ...manifest('hooks-wrapped', { hooks: { hooks: stop('true # wrapped') } }) },
  'hooks-list': { ...manifest('hooks-list', { hooks: [stop('true # in a list')] }) },
  servers: {
    ...manifest('servers', { mcpServers: './more.json' }),
    'more.json': { mcpServers: { x: server() } },
    '.mcp.json': { mcpServers: { y: server() } },
  },
  'servers-bare': { ...manifest('servers-bare', { mcpServers: { z: server() } }), '.mcp.json': { bare: server() } },
  'servers-twice': {
    ...manifest('servers-twice', { mcpServers: { same: server() } }),
    '.mcp.json': { mcpServers: { same: server() } },
  },
};

const heads = Object.entries(HEADS);
const bodies = Object.entries(BODIES);

function writeEverything(root: string): { plugins: string[]; probe: string } {
  const probe = join(root, 'probe.mjs');
  const texts = join(root, 'plugins', 'texts');
  const probing = (out: string) => ({ command: 'node', args: [probe, join(root, out), ...TEXTS] });
  writeFiles(root, { 'probe.mjs': PROBE });
  writeFiles(texts, {
    ...manifest('texts'),
    ...Object.fromEntries(heads.map(([, head], at) => [`agents/a${at}.md`, `---\n${head}\n---\nBody.\n`])),
    ...Object.fromEntries(bodies.map(([, text], at) => [`commands/b${at}.md`, text])),
    '.mcp.json': { mcpServers: { probe: probing('plugin.json') } },
  });
  for (const [name, files] of Object.entries(LAYOUTS)) {
    writeFiles(join(root, 'plugins', name), { ...manifest(name), ...files });
  }
  return { plugins: ['texts', ...Object.keys(LAYOUTS)].map((name) => join(root, 'plugins', name)), probe };
}

describe.each(VERSIONS)('files of the real Claude Code %s', async (version) => {
  const claude = await realAgent(`claude@${version}`);
  const root = join(scratch.path, version);
  // Longer than the 200 characters that a folder's name may have.
  const cwd = join(root, 'w'.repeat(90), 'x y_z.é', 'b'.repeat(100));
  const home = join(root, 'home');
  const expansions: string[] = [];
  let init: Json = {};
  let listed: { agents: Json[]; commands: Json[] } = { agents: [], commands: [] };
  let hooks: Json[] | undefined;
  let servers: Json[] = [];
  let first: FactsTurn | undefined;
  let ours: LoadedPlugins = { plugins: [], problems: [], warnings: [] };

  beforeAll(async () => {
    if (claude === undefined) return;
    mkdirSync(cwd, { recursive: true });
    const { plugins, probe } = writeEverything(root);
    ours = loadPlugins(plugins, cwd);
    const flag = { command: 'node', args: [probe, join(root, 'flag.json'), ...TEXTS] };
    const session = await FactsSession.start({
      claude,
      root,
      cwd,
      env: VARIABLES,
      args: [
        ...plugins.flatMap((folder) => ['--plugin-dir', folder]),
        ...['--mcp-config', JSON.stringify({ mcpServers: { probe: flag } })],
      ],
      scenario: { default_response: 'Understood.' },
    });
    first = await session.say('hello');
    init = first.events.find(({ subtype }) => subtype === 'init') ?? {};
    for (const at of bodies.keys()) {
      const { requests } = await session.say(`/texts:b${at}`);
      expansions.push(expansionIn(requests.at(-1) ?? '', `texts:b${at}`));
    }
    listed = (await session.control('reload_plugins'))['response'] as typeof listed;
    hooks = ((await session.control('get_hooks_listing'))['response'] as { hooks?: Json[] } | undefined)?.hooks;
    await eventually(() => (existsSync(join(root, 'flag.json')) && existsSync(join(root, 'plugin.json'))) || undefined);
    servers = ((await session.control('mcp_status'))['response'] as { mcpServers: Json[] }).mcpServers;
    await session.end();
  }, 120_000);

  /** 2.1.197 takes a byte order mark for text. */
  const bodyOf = (text: string) =>
    version === '2.1.197' && text.startsWith('\uFEFF') ? text : readFrontMatter(text).body;
  const isOwn = (name: string) => name.includes(':') && Object.hasOwn(LAYOUTS, name.split(':')[0] ?? '');
  const names = (field: string) => ((init[field] ?? []) as string[]).filter(isOwn).sort();

  it.skipIf(claude === undefined)('keeps of front matter what we say that it keeps', () => {
    const wire = JSON.stringify(first?.requests);
    const differences = heads.flatMap(([what, head], at) => {
      const matter = readFrontMatter(`---\n${head}\n---\nBody.\n`);
      const description = textField(matter, 'description') ?? 'Agent from texts plugin';
      const tools = toolListField(matter, 'tools').join(', ');
      const real = listed.agents.find(({ name }) => name === `texts:a${at}`)?.['description'];
      const offered = new RegExp(`- texts:a${at}: (?:(?!- texts:).)*\\(Tools: ((?:[^()]|\\([^()]*\\))*)\\)`).exec(
        wire,
      )?.[1];
      const same = real === description && offered === (tools === '' || tools === '*' ? 'All tools' : tools);
      return same ? [] : [{ what, head, real, offered, ours: description, tools }];
    });
    expect(differences).toEqual([]);
    expect(heads.length).toBeGreaterThan(350);
  });

  it.skipIf(claude === undefined)('cuts front matter and body where we do', () => {
    expect(expansions).toEqual(bodies.map(([, text]) => bodyOf(text)));
  });

  it.skipIf(claude === undefined)('finds and names the components of a plugin as we do', () => {
    const own = ours.plugins.filter(({ name }) => Object.hasOwn(LAYOUTS, name));
    const typed = own.flatMap(({ commands, skills }) => [...commands, ...skills]);
    expect(names('slash_commands')).toEqual(typed.map(({ name }) => name).sort());
    expect(names('agents')).toEqual(own.flatMap(({ agents }) => agents.map(({ name }) => name)).sort());
    expect(names('skills')).toEqual(
      typed
        .filter(({ kind }) => kind === 'skill')
        .map(({ name }) => name)
        .sort(),
    );
  });

  it.skipIf(claude === undefined)('finds hooks and servers where we do', () => {
    const own = ours.plugins.filter(({ name }) => Object.hasOwn(LAYOUTS, name));
    // 2.1.197 cannot list its hooks.
    if (hooks !== undefined) {
      expect(hooks.map(({ commandText }) => commandText).sort()).toEqual(
        own.flatMap((plugin) => plugin.hooks.map(({ run }) => (run.type === 'command' ? run.command : ''))).sort(),
      );
    }
    const ofPlugins = servers.filter(
      ({ config }) => (config as { command?: unknown } | undefined)?.command === 'false',
    );
    expect(ofPlugins.map(({ name, config }) => [name, (config as { args: string[] }).args[0]]).sort()).toEqual(
      own
        .flatMap(({ name, mcpServers }) =>
          Object.entries(mcpServers).map(([short, config]) => [
            `plugin:${name}:${short}`,
            (config as { args: string[] }).args[0],
          ]),
        )
        .sort(),
    );
  });

  // 2.1.197 lists such a command under that name alone.
  if (version !== '2.1.197') {
    it.skipIf(claude === undefined)('takes the name in the front matter for an alias', () => {
      const aliases = (name: string) =>
        listed.commands.find((one) => [one['name'], ...((one['aliases'] ?? []) as string[])].includes(name));
      for (const { commands, skills } of ours.plugins) {
        for (const { name, aliases: also = [] } of [...commands, ...skills]) {
          for (const alias of also) expect(aliases(alias), `${alias} of ${name}`).toBe(aliases(name));
        }
      }
    });
  }

  it.skipIf(claude === undefined)('fills in variables as we do', () => {
    const started = (out: string) =>
      JSON.parse(readFileSync(join(root, out), 'utf8')) as { args: string[]; env: Record<string, string> };
    expect(started('flag.json').args).toEqual(TEXTS.map((text) => fillVariables(text, VARIABLES)));
    const place = { id: 'texts@inline', root: join(root, 'plugins', 'texts') };
    const own = pluginVariables(place, join(home, '.claude'), cwd);
    expect(started('plugin.json').args).toEqual(TEXTS.map((text) => fillVariables(text, { ...VARIABLES, ...own })));
    expect(started('plugin.json').env).toMatchObject(own);
    expect(missingVariables(TEXTS, { ...VARIABLES, ...own })).toEqual(['UNSET']);
  });

  it.skipIf(claude === undefined)('keeps the transcript of a project with a long path where we look for it', () => {
    const paths = configPaths({ HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude') });
    expect(existsSync(transcriptPath(paths, cwd, String(init['session_id'])))).toBe(true);
  });
});

/** What a command became: the text behind its tags. */
function expansionIn(request: string, name: string): string {
  const { messages } = JSON.parse(request) as { messages: { role: string; content: unknown }[] };
  const blocks = messages.flatMap(({ role, content }) =>
    role === 'user' && Array.isArray(content) ? (content as { text?: string }[]) : [],
  );
  const at = blocks.findLastIndex(({ text }) => text?.includes(`<command-name>/${name}</command-name>`));
  return blocks[at + 1]?.text ?? '';
}
