import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPlugin } from '../../packages/stage/src/plugins/declared/plugin.js';
import { inspectTogether } from '../../packages/stage/src/plugins/inspect.js';
import type { ComponentReport, PluginReport } from '../../packages/stage/src/plugins/report.js';
import { reportFiles } from '../../packages/stage/src/plugins/report-files.js';
import { hooksFile, markdown, PING_SERVER, writeGoodPlugin, writePlugin } from '../helpers/plugin-fixtures.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const claude = await realAgent('claude');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-plugins-')));
afterAll(() => rmSync(root, { recursive: true }));

const ping = { command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/server.mjs'] };

/** Each plugin is broken in one way, and otherwise in order. */
const broken: Record<string, Record<string, unknown>> = {
  'hooks-not-json': { 'hooks/hooks.json': '{"hooks": {"Stop": [', 'commands/a.md': 'A' },
  'hooks-not-wrapped': { 'hooks/hooks.json': { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] } },
  'hook-event': { 'hooks/hooks.json': hooksFile('PreToolUs', 'true') },
  'hook-group': { 'hooks/hooks.json': { hooks: { Stop: [{ type: 'command', command: 'true' }] } } },
  'hook-type': { 'hooks/hooks.json': hooksFile('Stop', 'true', { type: 'comand' }) },
  'hook-matcher': { 'hooks/hooks.json': hooksFile('PreToolUse', 'true', {}, 'Write(') },
  'hook-script': { 'hooks/hooks.json': hooksFile('SessionEnd', '${CLAUDE_PLUGIN_ROOT}/gone.sh') },
  'hook-mode': {
    'hooks/hooks.json': hooksFile('SessionEnd', '"${CLAUDE_PLUGIN_ROOT}"/plain.txt now'),
    'plain.txt': '#!/bin/sh\n',
  },
  'hook-interpreter': {
    'hooks/hooks.json': hooksFile('SessionEnd', '"${CLAUDE_PLUGIN_ROOT}"/guard.sh'),
    'guard.sh': '#!/usr/bin/env nosuch\nexit 2\n',
  },
  'hook-source': { 'hooks/hooks.json': hooksFile('SessionStart', 'true', {}, 'start-up') },
  'hook-tool': { 'hooks/hooks.json': hooksFile('PreToolUse', 'true', {}, 'Wriet|Edti') },
  'hook-program': { 'hooks/hooks.json': hooksFile('SessionEnd', 'no-such-program-1') },
  'hook-dies': { 'hooks/hooks.json': hooksFile('SessionStart', 'echo broken >&2; exit 1') },
  'hook-dies-late': {
    'hooks/hooks.json': hooksFile('SessionEnd', '${CLAUDE_PLUGIN_ROOT}/late.sh'),
    'late.sh': 'exit 3',
  },
  'hook space': {
    '.claude-plugin/plugin.json': { name: 'hook-space' },
    'hooks/hooks.json': hooksFile('SessionStart', '${CLAUDE_PLUGIN_ROOT}/guard.sh'),
    'guard.sh': '#!/bin/sh\nexit 0\n',
  },
  'agent-dropped': {
    'agents/helper.md':
      '---\nname: helper\ndescription: Use it. Examples: <example>\nContext: a\nuser: "b"\n</example>\ntools: Read\n---\nHelp.',
  },
  'agent-tool': { 'agents/reader.md': markdown({ name: 'reader', description: 'Reads', tools: 'Raed, Grep' }, 'R') },
  'workflow-broken': { 'workflows/broken.js': 'export const meta = { name: (' },
  'workflow-bare': { 'workflows/bare.js': 'export default () => {}' },
  'agent-bare': { 'agents/bare.md': 'You have no front matter.' },
  'agent-twice': {
    'agents/one.md': markdown({ name: 'same', description: 'One' }, '1'),
    'agents/two.md': markdown({ name: 'same', description: 'Two' }, '2'),
  },
  'command-open': { 'commands/open.md': '---\ndescription: never closed\nBody.' },
  'command-and-skill': {
    'commands/x.md': 'X',
    'skills/x/SKILL.md': markdown({ name: 'x', description: 'X as a skill' }, 'X'),
  },
  'command-forgotten': {
    '.claude-plugin/plugin.json': { name: 'command-forgotten', commands: ['./other'] },
    'commands/std.md': 'Standard',
    'other/new.md': 'New',
  },
  'skill-misspelt': { 'skills/lower/skill.md': 'The name is wrong.' },
  'skill-bare': { 'skills/bare/SKILL.md': 'No front matter.' },
  'server-dies': { '.mcp.json': { mcpServers: { dead: { command: 'sh', args: ['-c', 'echo boom >&2; exit 3'] } } } },
  'server-not-json': { '.mcp.json': '{"mcpServers": {' },
  'server-shape': { '.mcp.json': { mcpServers: { x: { cmd: 'node' }, y: ping } }, 'server.mjs': PING_SERVER },
  'manifest-json': { '.claude-plugin/plugin.json': '{"name": ', 'commands/a.md': 'A' },
  'manifest-name': { '.claude-plugin/plugin.json': { version: '1.0.0' }, 'commands/a.md': 'A' },
  'manifest-agents': {
    '.claude-plugin/plugin.json': { name: 'manifest-agents', agents: './agents' },
    'agents/helper.md': markdown({ name: 'helper', description: 'Helps' }, 'Help.'),
  },
  'manifest-shape': {
    '.claude-plugin/plugin.json': { name: 'manifest-shape', version: 5 },
    'commands/a.md': 'A',
  },
  'hook-guard': { 'hooks/hooks.json': hooksFile('PreToolUse', 'true', { timeout: '5' }), 'commands/a.md': 'A' },
  'manifest-path': {
    '.claude-plugin/plugin.json': { name: 'manifest-path', commands: './none', hooks: './none.json' },
  },
  // The CLI names the plugin of an error by its folder.
  'other-folder': { '.claude-plugin/plugin.json': { name: 'its-name', skills: './none' }, 'commands/a.md': 'A' },
  'allows-nothing': { 'commands/a.md': markdown({ description: 'A', 'allowed-tools': 'Read, Bsh(git *)' }, 'A') },
  'line-refused': {
    'skills/a/SKILL.md': markdown({ name: 'a', description: 'A' }, 'Now: !`git push --dry-run`'),
  },
  'wrong-place': { '.claude-plugin/commands/a.md': 'A' },
};

/** What must be said of each, and of what. */
const said: Record<string, { what?: string; reason: RegExp }> = {
  'hooks-not-json': { reason: /Hook load failed: JSON Parse error/ },
  'hooks-not-wrapped': { reason: /Failed to load plugin: hooks\.json declares/ },
  'hook-event': { what: 'true', reason: /PreToolUs is not a hook event/ },
  'hook-group': { what: 'hooks/hooks.json', reason: /Stop\[0\] has no "hooks" list/ },
  'hook-type': { what: '{"type":"comand","command":"true"}', reason: /unknown type "comand"/ },
  'hook-matcher': { what: 'true', reason: /"Write\(" is not a valid regular expression/ },
  'hook-script': { what: '${CLAUDE_PLUGIN_ROOT}/gone.sh', reason: /it runs gone\.sh, which does not exist/ },
  'hook-mode': { what: '"${CLAUDE_PLUGIN_ROOT}"/plain.txt now', reason: /plain\.txt is not executable/ },
  'hook-interpreter': { what: '"${CLAUDE_PLUGIN_ROOT}"/guard.sh', reason: /no program nosuch on this machine/ },
  'hook-source': { what: 'true', reason: /there is no value for SessionStart "start-up"/ },
  'hook-tool': { what: 'true', reason: /there is no tool "Wriet"/ },
  'hook-program': { what: 'no-such-program-1', reason: /does not exist on this machine/ },
  'hook-dies': { what: 'echo broken >&2; exit 1', reason: /ended with exit code 1: broken/ },
  'hook-dies-late': { what: '${CLAUDE_PLUGIN_ROOT}/late.sh', reason: /ended with exit code 3/ },
  'hook space': { what: '${CLAUDE_PLUGIN_ROOT}/guard.sh', reason: /not in quotes/ },
  'agent-dropped': { what: 'agent-dropped:helper', reason: /drops all of it: name, description/ },
  'agent-tool': { what: 'agent-tool:reader', reason: /its tools name Raed/ },
  'workflow-broken': { what: 'workflow-broken:broken', reason: /a workflow that it cannot read/ },
  'workflow-bare': { what: 'workflow-bare:bare', reason: /a workflow that it cannot read/ },
  'agent-bare': { what: 'agent-bare:bare', reason: /no description: the model sees "Agent from agent-bare plugin"/ },
  // Which of the two the CLI keeps differs from run to run.
  'agent-twice': { what: 'agent-twice:same', reason: /agents\/(one|two)\.md has the same name/ },
  'command-open': { what: 'command-open:open', reason: /never closed/ },
  'command-and-skill': { what: 'command-and-skill:x', reason: /commands\/x\.md has the same name/ },
  'command-forgotten': { what: 'command-forgotten:std', reason: /the manifest names other commands/ },
  'skill-misspelt': { what: 'skill-misspelt:lower', reason: /has skill\.md, and no SKILL\.md/ },
  'skill-bare': { what: 'skill-bare:bare', reason: /takes it for a command only/ },
  'server-dies': { what: 'plugin:server-dies:dead', reason: /did not start: Connection closed; boom/ },
  'server-not-json': { what: '.mcp.json', reason: /not valid JSON/ },
  'server-shape': { what: 'x', reason: /neither a "command" nor a "type"/ },
  'manifest-json': { reason: /corrupt manifest file/ },
  'manifest-name': { reason: /invalid manifest file.*name/ },
  'manifest-agents': { reason: /invalid manifest file.*agents: Invalid string: must end with "\.md"/ },
  'manifest-shape': { reason: /invalid manifest file.*version: Invalid input: expected string/ },
  'hook-guard': { reason: /Invalid command hook \(timeout: Invalid input: expected number, received string\)/ },
  'manifest-path': { reason: /Path not found: .*none/ },
  'other-folder': { reason: /Path not found: .*none/ },
  'allows-nothing': { what: 'allows-nothing:a', reason: /allowed-tools name Bsh, and there is no such tool/ },
  'line-refused': { what: 'line-refused:a', reason: /it runs !`git push --dry-run`, which nothing allows/ },
  'wrong-place': { reason: /\.claude-plugin\/commands is in the wrong place/ },
};

/** What only a CLI that runs it can know. */
const SEEN_ONLY_WHEN_RUN = ['hook-dies', 'hook-dies-late', 'server-dies'];

/** In order, though it looks odd. */
const ODD = {
  '.claude-plugin/plugin.json': { name: 'odd', skills: ['./skills/rules'] },
  'skills/rules/SKILL.md': markdown({ name: 'Writing rules', description: 'Writes rules' }, 'Write.'),
  'skills/shared/notes.txt': 'No skill.',
  // Only what the front matter calls them is the same.
  'commands/cook.md': markdown({ description: 'Cooks', 'allowed-tools': 'Bash(node:*)' }, 'Cook: !`node -v`'),
  'skills/cook-master/SKILL.md': markdown({ name: 'cook', description: 'A master cook' }, 'Cook well.'),
  'workflows/sweep.js': 'export const meta = { name: "sweep-all", description: "Sweeps" }\nexport default () => {}',
  'output-styles/loud.md': markdown({ name: 'loud', description: 'Loud' }, 'Be loud.'),
  'agents/reader.md': markdown({ name: 'reader', description: 'Reads: all', tools: 'Read, LS, mcp__x__y' }, 'R'),
  'hooks/hooks.json': {
    hooks: {
      PreToolUse: [{ matcher: 'mcp__other__.*', hooks: [{ type: 'command', command: 'true' }] }],
      PostToolUse: ['Bash(git *)', 'Bash(ls *)'].map((one) => ({
        matcher: 'Bash',
        hooks: [{ type: 'command', command: 'true', if: one }],
      })),
      SubagentStop: [{ matcher: 'somebody-elses', hooks: [{ type: 'command', command: 'no-such-thing || true' }] }],
    },
  },
};

const names = (report: PluginReport | undefined, status: ComponentReport['status']) =>
  (report?.components ?? []).filter((component) => component.status === status).map(({ name }) => name);

describe.skipIf(claude === undefined)('what the real CLI loads', () => {
  const reports = new Map<string, PluginReport>();

  beforeAll(async () => {
    if (claude === undefined) return;
    const folders = Object.entries(broken).map(([name, files]) => writePlugin(root, name, files));
    folders.push(writeGoodPlugin(root), writePlugin(root, 'odd', ODD));
    // One session for all: they do not disturb each other, and each has its own report.
    for (const report of await inspectTogether(folders, { agent: claude })) {
      reports.set(report.path.slice(root.length + 1), report);
    }
  });

  it('finds nothing wrong with a plugin that is in order', () => {
    const good = reports.get('good');
    expect(names(good, 'failed')).toEqual([]);
    expect(good).toMatchObject({ ok: true, loaded: true, version: '1.0.0', problems: [] });
    expect(names(good, 'loaded').sort()).toEqual(
      [
        ...['good:deep:inner', 'good:hello', 'good:mapping', 'good:reviewer'],
        ...['plugin:good:pinger', 'true', '${CLAUDE_PLUGIN_ROOT}/guard.sh'],
      ].sort(),
    );
    expect(good?.counts).toEqual({
      command: { loaded: 2, failed: 0 },
      agent: { loaded: 1, failed: 0 },
      skill: { loaded: 1, failed: 0 },
      workflow: { loaded: 0, failed: 0 },
      hook: { loaded: 2, failed: 0 },
      server: { loaded: 1, failed: 0 },
    });
  });

  it('gives no false alarm, and names the parts as the CLI does', () => {
    const odd = reports.get('odd');
    expect(names(odd, 'failed'), JSON.stringify(odd, null, 1)).toEqual([]);
    expect(odd).toMatchObject({
      ok: true,
      problems: [],
      notes: ['skills/shared has no SKILL.md, so the CLI does not take it for a skill'],
      notCompared: ['output styles (output-styles)'],
    });
    expect(names(odd, 'loaded')).toEqual([
      ...['odd:cook', 'odd:reader', 'odd:cook-master', 'odd:rules', 'odd:sweep-all'],
      ...['true', 'true', 'true', 'no-such-thing || true'],
    ]);
    expect(odd?.components.flatMap(({ warnings }) => warnings)).toEqual([
      expect.stringContaining('front matter is not valid YAML'),
    ]);
  });

  it('comes to the same verdict by the files alone, but for what has to run', () => {
    const verdicts = [...reports].map(([name, { path, ok }]) => [name, ok, reportFiles(readPlugin(path)).ok]);
    const differ = verdicts.filter(([, real, files]) => real !== files).map(([name]) => name);
    expect(differ.sort()).toEqual(SEEN_ONLY_WHEN_RUN);
  });

  it.each(Object.entries(said))('catches %s, with the reason and a fix', (name, { what, reason }) => {
    const report = reports.get(name);
    expect(report?.ok).toBe(false);
    const failed = (report?.components ?? []).filter(({ status }) => status === 'failed');
    const found =
      what === undefined
        ? report?.problems.find((problem) => reason.test(problem.reason))
        : failed.find((component) => component.name === what && reason.test(component.reason ?? ''));
    expect(found, JSON.stringify(report, null, 1)).toBeDefined();
    expect(found?.fix).toMatch(/\w/);
  });

  it('loads what is in order beside what is not', () => {
    expect(names(reports.get('server-shape'), 'loaded')).toEqual(['plugin:server-shape:y']);
    expect(names(reports.get('agent-twice'), 'loaded')).toEqual(['agent-twice:same']);
    expect(names(reports.get('hooks-not-json'), 'loaded')).toEqual(['hooks-not-json:a']);
    expect(reports.get('hook-event')?.components[0]?.fix).toBe('Did you mean PreToolUse?');
  });

  it('says of a plugin that did not load that nothing of it did', () => {
    expect(reports.get('manifest-json')).toMatchObject({ loaded: false });
    expect(names(reports.get('manifest-json'), 'loaded')).toEqual([]);
  });
});

describe.skipIf(claude === undefined)('understudy plugin', () => {
  it('prints what came up, and ends with 0', async () => {
    const { code, stdout } = await runUnderstudy(['plugin', writeGoodPlugin(root, 'fine')]);
    expect(stdout).toContain('✓ fine 1.0.0');
    expect(stdout).toContain('✓ /fine:hello  commands/hello.md');
    expect(stdout).toContain('Hooks 2 loaded');
    expect(code).toBe(0);
  });

  it('prints what failed with reason and fix, and ends with 1', async () => {
    const folder = writePlugin(root, 'sad', { 'hooks/hooks.json': hooksFile('Stpo', 'true') });
    const { code, stdout } = await runUnderstudy(['plugin', folder]);
    expect(stdout).toContain('✗ Stpo: true');
    expect(stdout).toContain('Stpo is not a hook event');
    expect(stdout).toContain('fix: Did you mean Stop?');
    expect(code).toBe(1);
  });

  it('gives one JSON document for a whole marketplace', async () => {
    const market = join(root, 'market');
    writeGoodPlugin(join(market, 'plugins'), 'first');
    writePlugin(join(market, 'plugins'), 'second', { 'hooks/hooks.json': '{' });
    writeFiles(market, {
      '.claude-plugin/marketplace.json': JSON.stringify({
        name: 'market',
        owner: { name: 'nobody' },
        plugins: [
          { name: 'first', source: './plugins/first' },
          { name: 'second', source: './plugins/second' },
          { name: 'third', source: './plugins/third' },
          { name: 'far', source: { source: 'url', url: 'https://example.invalid/far.git' } },
        ],
      }),
    });
    const { code, stdout } = await runUnderstudy(['plugin', market, '--json']);
    const { ok, plugins } = JSON.parse(stdout) as { ok: boolean; plugins: PluginReport[] };
    expect(code).toBe(1);
    expect(ok).toBe(false);
    expect(plugins.map((report) => [report.plugin, report.ok])).toEqual([
      ['first', true],
      ['second', false],
      ['third', false],
      ['far', false],
    ]);
    expect(plugins[1]?.problems[0]?.reason).toContain('Hook load failed');
    expect(plugins[2]?.loaded).toBe(false);
    expect(plugins.map(({ unjudged }) => unjudged?.reason)).toEqual([
      ...[undefined, undefined, undefined],
      expect.stringContaining('its source is outside this machine'),
    ]);
    expect(plugins[3]?.problems).toEqual([]);
  });
});

it.skipIf(claude === undefined)(
  'judges the plugin at the root of a marketplace, too, unless the marketplace offers it',
  async () => {
    const market = (plugins: object[]) => ({ name: 'shelf', owner: { name: 'nobody' }, plugins });
    const inner = { name: 'inner', source: './plugins/inner' };
    writeGoodPlugin(join(root, 'both', 'plugins'), 'inner');
    const both = (plugins: object[]) =>
      writePlugin(root, 'both', {
        '.claude-plugin/marketplace.json': market(plugins),
        'hooks/hooks.json': hooksFile('Stpo', 'true'),
      });
    const verdicts = async (folder: string) => {
      const { stdout } = await runUnderstudy(['plugin', folder, '--json']);
      return (JSON.parse(stdout) as { plugins: PluginReport[] }).plugins.map(({ plugin, ok }) => [plugin, ok]);
    };
    expect(await verdicts(both([inner]))).toEqual([
      ['both', false],
      ['inner', true],
    ]);
    expect(await verdicts(both([inner, { name: 'both', source: './' }]))).toEqual([
      ['inner', true],
      ['both', false],
    ]);
  },
);

it.skipIf(claude === undefined)('judges a project by its .claude, where its hooks and servers run', async () => {
  const settings = (hooks: object) => JSON.stringify({ hooks });
  const run = (command: string) => [{ hooks: [{ type: 'command', command }] }];
  const sound = {
    '.claude/settings.json': settings({ Stop: run('sh .claude/stop.sh') }),
    '.claude/stop.sh': 'exit 0\n',
    '.claude/agents/helper.md': markdown({ name: 'helper', description: 'Helps' }, 'Help.'),
    '.mcp.json': JSON.stringify({ mcpServers: { pinger: { command: 'node', args: ['ping.mjs'] } } }),
    'ping.mjs': PING_SERVER,
  };
  writeFiles(join(root, 'sound-project'), sound);
  writeFiles(join(root, 'bad-project'), {
    ...sound,
    '.claude/settings.json': settings({ Stop: run('sh .claude/stop.sh'), Stpo: run('true') }),
    '.claude/stop.sh': 'exit 3\n',
    '.claude/agents/helper.md': markdown({ name: 'helper' }, 'Help.'),
    'ping.mjs': 'process.exit(1);\n',
  });
  const look = async (name: string) => {
    const { code, stdout } = await runUnderstudy(['plugin', join(root, name), '--json']);
    const [report] = (JSON.parse(stdout) as { plugins: PluginReport[] }).plugins;
    return { code, report };
  };
  const good = await look('sound-project');
  expect(names(good.report, 'failed'), JSON.stringify(good.report, null, 1)).toEqual([]);
  expect(names(good.report, 'loaded')).toEqual(['helper', 'sh .claude/stop.sh', 'pinger']);
  expect(good.code).toBe(0);
  const bad = await look('bad-project');
  expect(names(bad.report, 'failed')).toEqual(['helper', 'sh .claude/stop.sh', 'true', 'pinger']);
  expect(bad.code).toBe(1);
});

it('ends with 2 when it cannot look', async () => {
  expect(await runUnderstudy(['plugin', join(root, 'nowhere')])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('FOLDER_NOT_FOUND'),
  });
  expect(await runUnderstudy(['plugin', root, '--agent', 'claude@0.0.1'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('claude@0.0.1'),
  });
});
