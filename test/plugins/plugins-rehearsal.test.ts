import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Stage } from '../../packages/agents/src/driver.js';
import { rehearsalEntries } from '../../packages/runner/src/rehearsal/entries.js';
import { loadRehearsal } from '../../packages/runner/src/rehearsal/load.js';
import { rehearsalPlayer } from '../../packages/runner/src/rehearsal/player.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import type { CheckResult } from '../../packages/verdict/src/checks/result.js';
import { hooksFile, markdown, PING_SERVER, writeGoodPlugin, writePlugin } from '../helpers/plugin-fixtures.js';
import { realAgent } from '../helpers/real-agents.js';

const claude = await realAgent('claude');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-judged-')));
afterAll(() => rmSync(root, { recursive: true }));

/** Plugins that do not do what their files say, each with what must be said of it. */
const broken: Record<string, { files: Record<string, unknown>; reason: RegExp }> = {
  event: { files: { 'hooks/hooks.json': hooksFile('PreToolUze', 'true') }, reason: /PreToolUze is not a hook event/ },
  manifest: { files: { '.claude-plugin/plugin.json': '{"name": ' }, reason: /manifest|plugin\.json/ },
  'hooks-gone': {
    files: { '.claude-plugin/plugin.json': { name: 'hooks-gone', hooks: './gone.json' } },
    reason: /gone\.json/,
  },
  'hooks-json': { files: { 'hooks/hooks.json': '{"hooks": {' }, reason: /JSON/ },
  matcher: { files: { 'hooks/hooks.json': hooksFile('PreToolUse', 'true', {}, 'bash') }, reason: /no tool "bash"/ },
  agent: {
    files: { 'agents/a.md': '---\nname: a\ndescription: X: <example>\nuser: "b"\n</example>\ntools: Read\n---\nA.' },
    reason: /drops all of it/,
  },
  server: {
    files: { '.mcp.json': { mcpServers: { dead: { command: 'sh', args: ['-c', 'exit 3'] } } } },
    reason: /did not start/,
  },
};
const DYING = { 'hooks/hooks.json': hooksFile('SessionStart', 'echo broken >&2; exit 1') };

function writeRehearsal(name: string, plugins: readonly string[], expectation = ''): string {
  const file = join(root, `${name}.rehearsal.toml`);
  const list = plugins.map((plugin) => JSON.stringify(join(root, plugin))).join(', ');
  writeFileSync(
    file,
    `name = "${name}"\nplugins = [${list}]\ndefault_response = "Hello."\n[[steps]]\nsend = "Hi"\n${expectation}\n`,
  );
  return file;
}

writePlugin(root, 'dying', DYING);
for (const [name, { files }] of Object.entries(broken)) writePlugin(root, name, files);
writePlugin(root, 'sound', {
  'commands/go.md': markdown({ description: 'Goes' }, 'Go.'),
  'agents/reader.md': markdown({ name: 'reader', description: 'Reads', tools: 'Read, Grep' }, 'You read.'),
  'skills/map/SKILL.md': markdown({ name: 'A map', description: 'Maps' }, 'Map.'),
  'hooks/hooks.json': hooksFile('PreToolUse', 'true', {}, 'Write|mcp__.*'),
  '.mcp.json': { mcpServers: { ping: { command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/server.mjs'] } } },
  'server.mjs': PING_SERVER,
});
const files = [
  writeRehearsal('broken', [...Object.keys(broken), 'dying']),
  writeRehearsal('sound', ['sound']),
  writeRehearsal('any', ['event'], '[steps.expect]\nplugins = "any"'),
];

const stages: Stage[] = claude === undefined ? ['sim'] : ['sim', 'scripted'];
describe.each(stages)('a rehearsal judges its plugins on %s', (stage) => {
  const found: Record<string, CheckResult[]> = {};

  beforeAll(async () => {
    const loaded = files.map(loadRehearsal);
    const player = rehearsalPlayer(loaded);
    await Promise.all(
      rehearsalEntries(loaded, { stage }).map(async (entry) => {
        const { name } = entry;
        const folder = join(root, stage, name);
        mkdirSync(folder, { recursive: true });
        const { checks } = await player.play(entry, { folder, signal: new AbortController().signal, onStep: () => {} });
        found[name] = checks.filter(({ category }) => ['plugins', 'hooks'].includes(category));
      }),
    );
  });

  it.each(Object.entries(broken))('%s fails', (name, { reason }) => {
    const check = found['broken']?.[Object.keys(broken).indexOf(name)];
    expect(check).toMatchObject({ name: 'plugins are sound', status: 'failed', actual: expect.stringMatching(reason) });
    expect(check?.suggestion).toContain('plugins = "any"');
  });

  it('fails for a hook that died at the start', () => {
    expect(found['broken']?.at(-1)).toMatchObject({
      name: 'hooks are alive',
      status: 'failed',
      actual: expect.stringMatching(/SessionStart.*\(exit 1\).*broken/),
    });
  });

  it('is content with a sound plugin', () => {
    expect(found['sound']).toMatchObject([{ status: 'passed', actual: 'it does' }]);
  });

  it('does not judge where any plugin will do', () => {
    expect(found['any']).toEqual([]);
  });
});

it('a plugin folder that is not there is an error before anything starts', async () => {
  writeGoodPlugin(root, 'agent-loop');
  const start = Conversation.start({ stage: 'sim', plugins: [join(root, 'agent-lop')], scenario: {} });
  await expect(start).rejects.toMatchObject({
    code: 'FOLDER_NOT_FOUND',
    fix: `Did you mean ${join(root, 'agent-loop')}?`,
  });
});
