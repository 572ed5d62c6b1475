import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { storeFolder } from '../../packages/agents/src/store-folder.js';
import { hooksFile, writePlugin } from './plugin-fixtures.js';
import { greeting } from './rehearsal-files.js';
import { writeInlineFiles } from './run-inline-tests.js';
import { UNDERSTUDY } from './understudy.js';

/** A command of ours, or a program that uses us, as the attacks start it. */
export interface AttackedCommand {
  name: string;
  /** The script that Node runs, if it is not our command line. */
  script?: string;
  args: readonly string[];
  /** Given to its stdin; a server's stdin stays open. */
  input?: string;
  /** It runs until it is ended. */
  serves?: true;
  /** It needs the real Claude Code. */
  real?: true;
  /** It needs a sandbox, or an engine and its image (`UNDERSTUDY_TEST_IMAGE`). */
  needs?: 'sandbox' | 'docker';
}

const rpc = (id: number, method: string, params: object) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const INITIALIZE = rpc(1, 'initialize', {
  ...{ protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'attack', version: '1' } },
});
const CONVERSATION = rpc(2, 'tools/call', {
  name: 'start_conversation',
  arguments: { stage: 'sim', scenario: { responses: [{ pattern: { type: 'any' }, response: 'Hello.' }] } },
});
/** Of an engine that answers; none without one. */
export const TEST_IMAGE = process.env['UNDERSTUDY_TEST_IMAGE'] ?? '';
const VITEST = resolve('node_modules/vitest/vitest.mjs');
const E2E = ['--loop', '--skip-baselines', '--skip-analysis'];

export const attackedCommands: readonly AttackedCommand[] = [
  { name: 'run, sim', args: ['run', 'a.rehearsal.toml', '--stage', 'sim'] },
  {
    ...{ name: 'run, in sandboxes', needs: 'sandbox' },
    args: ['run', 'a.rehearsal.toml', '--stage', 'sim', '--isolation', 'sandbox'],
  },
  {
    ...{ name: 'run, in containers', needs: 'docker' },
    args: ['run', 'a.rehearsal.toml', '--stage', 'sim', '--isolation', `docker=${TEST_IMAGE}`],
  },
  {
    ...{ name: 'e2e, in sandboxes', needs: 'sandbox' },
    args: ['e2e', '--stage', 'sim', 'kiro', ...E2E, '--grep', 'connect@kiro', '--isolation', 'sandbox'],
  },
  { name: 'run, scripted', args: ['run', 'a.rehearsal.toml', '--stage', 'scripted'], real: true },
  {
    name: 'run, scripted, with marketplaces',
    args: ['run', 'far.rehearsal.toml', '--stage', 'scripted'],
    real: true,
  },
  { name: 'e2e', args: ['e2e', '--stage', 'sim', 'kiro', ...E2E, '--grep', 'connect@kiro'] },
  {
    name: 'e2e, scripted',
    args: ['e2e', '--stage', 'sim', 'claude', ...E2E, '--grep', 'connect@claude', '--stage', 'scripted'],
    real: true,
  },
  { name: 'mcp', args: ['mcp'], input: `${INITIALIZE}${CONVERSATION}`, serves: true },
  { name: 'mcp --http', args: ['mcp', '--http', '--port', '0'], serves: true },
  { name: 'serve', args: ['serve', '--scenario', 'hello.json'], serves: true },
  { name: 'ui', args: ['ui', 'a.rehearsal.toml', '--stage', 'sim', '--no-open'], serves: true },
  { name: 'exec', args: ['exec', '--stage', 'sim', '--scenario', 'hello.json', '--', 'claude', '-p', 'hello'] },
  { name: 'vitest, sim', script: VITEST, args: ['run', 'sim.test.mjs'] },
  { name: 'vitest, scripted', script: VITEST, args: ['run', 'scripted.test.mjs'], real: true },
  { name: 'plugin', args: ['plugin', 'plugin'], real: true },
  { name: 'hook', args: ['hook', 'plugin', 'Stop'] },
  { name: 'play', args: ['play', 'hello.json'], input: 'hello\nhello\n' },
  { name: 'check', args: ['check', '.'] },
  { name: 'loop run', args: ['orchestrator', 'loop', 'run', '-p', 'say it'] },
  { name: 'shim', args: ['shim', '--stage', 'sim', 'bin'] },
  { name: 'init', args: ['init', 'plugin', '--force'] },
  { name: 'doctor', args: ['doctor'] },
  { name: 'agents list', args: ['agents', 'list'] },
  { name: 'claude', args: ['claude', '-p', 'hello', '--scenario', 'hello.json'] },
];

const RUNAWAY = 'sleep 0.2; env -i setsid sleep 97 >/dev/null 2>&1 </dev/null & echo hi';
const TOOLS = `tool_calls = [{ tool = "Bash", input = { command = "${RUNAWAY}" } }]`;

/** A test file for Vitest, whose agent starts a process that gets away. */
const vitestFile = (stage: 'sim' | 'scripted') => `import { expect, test } from 'agent-understudy/vitest';
const response = { text: 'Hello.', tool_calls: [{ tool: 'Bash', input: { command: ${JSON.stringify(RUNAWAY)} } }] };
test.override({ stage: '${stage}', scenario: { responses: [{ pattern: { type: 'any' }, response }] } });
test('greets', async ({ conversation }) => expect((await conversation.send('hello')).text).toContain('Hello.'));
`;

/** What Node runs for a command. */
export function scriptOf({ script = UNDERSTUDY, args }: AttackedCommand): readonly string[] {
  return [script, ...args];
}

/** Settings of a project that name marketplaces elsewhere. */
const FAR = {
  extraKnownMarketplaces: {
    hub: { source: { source: 'github', repo: 'example-owner/example-repo' } },
    git: { source: { source: 'git', url: 'https://example.invalid/x.git' } },
    url: { source: { source: 'url', url: 'https://example.invalid/marketplace.json' } },
    npm: { source: { source: 'npm', package: 'example-no-such-package' } },
  },
  enabledPlugins: { 'a@hub': true, 'b@git': true, 'c@url': true, 'd@npm': true },
};

/** A folder with all that the commands need, and the variables to start them with. */
export function prepareAttack(root: string): { cwd: string; temp: string; env: Record<string, string> } {
  const [cwd, temp, home] = ['work', 't', 'home'].map((name) => join(root, name)) as [string, string, string];
  for (const folder of [cwd, temp, home]) mkdirSync(folder, { recursive: true });
  writeInlineFiles(cwd, {
    'vitest.config.mjs':
      'export default { server: { fs: { strict: false } }, test: { testTimeout: 60_000, maxWorkers: 1 } };\n',
    'sim.test.mjs': vitestFile('sim'),
    'scripted.test.mjs': vitestFile('scripted'),
    'a.rehearsal.toml': greeting().replace(/response = .*/, `response = { text = "Hello, I have a plan.", ${TOOLS} }`),
    'far.rehearsal.toml': `project = { path = "far" }\n${greeting()}`,
    'far/.claude/settings.json': JSON.stringify(FAR),
    'hello.json': JSON.stringify({ responses: [{ pattern: { type: 'contains', text: 'hello' }, response: 'Hello.' }] }),
    'ralph.yml': 'cli: { backend: custom, command: node, args: [backend.mjs] }\nevent_loop: { max_iterations: 1 }\n',
    'backend.mjs':
      "import { spawn } from 'node:child_process';\nspawn('env', ['-i', 'setsid', 'sleep', '96'], { detached: true, stdio: 'ignore' }).unref();\nconsole.log('LOOP_COMPLETE');\n",
  });
  writePlugin(cwd, 'plugin', {
    'hooks/hooks.json': hooksFile('Stop', 'setsid sleep 98 >/dev/null 2>&1 & sleep 0.2; echo stopped'),
  });
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    TMPDIR: temp,
    NO_COLOR: '1',
    UNDERSTUDY_STORE: storeFolder(process.env),
    ...(process.env['DOCKER_HOST'] === undefined ? {} : { DOCKER_HOST: process.env['DOCKER_HOST'] }),
  };
  return { cwd, temp, env };
}
