import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { HOSTILE, harmfulIn } from '../helpers/hostile-text.js';
import { hooksFile, markdown, writePlugin } from '../helpers/plugin-fixtures.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const claude = await realAgent('claude');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-hostile-')));
afterAll(() => rmSync(root, { recursive: true }));

const tool = { tool: 'Bash', input: { command: HOSTILE }, result: HOSTILE };
const scenario = {
  name: HOSTILE,
  responses: [
    {
      pattern: { type: 'contains', text: 'hello' },
      response: { text: HOSTILE, thinking: HOSTILE, tool_calls: [tool] },
    },
    { pattern: { type: 'contains', text: HOSTILE }, response: 'never used' },
  ],
};
const rehearsal = {
  ...scenario,
  steps: [{ name: HOSTILE, send: `hello ${HOSTILE}`, expect: { keywords: { any: ['x'] } } }],
};
const backend = `console.log(${JSON.stringify(`${HOSTILE}\nLOOP_COMPLETE`)}); console.error(${JSON.stringify(HOSTILE)});`;
const hook = `node -e "process.stderr.write(process.argv[1]); process.exit(2)" ${shellQuoted(HOSTILE)}`;

writeFiles(root, {
  'hostile.json': JSON.stringify(scenario),
  'wrong.json': JSON.stringify({ ...scenario, [HOSTILE]: HOSTILE }, null, 2),
  'raw.toml': `name = "${HOSTILE}`,
  'hostile.rehearsal.json': JSON.stringify(rehearsal),
  'ralph.yml': `cli: { backend: custom, command: node, args: [backend.mjs] }\nevent_loop: { max_iterations: 1 }\n`,
  'backend.mjs': backend,
});
const hooked = writePlugin(root, 'hooked', {
  'hooks/hooks.json': hooksFile('Stop', hook),
});
const plugin = writePlugin(root, 'named', {
  '.claude-plugin/plugin.json': { name: 'named', version: HOSTILE, description: HOSTILE },
  'commands/bad.md': markdown({ description: JSON.stringify(HOSTILE), model: JSON.stringify(HOSTILE) }, HOSTILE),
  'hooks/hooks.json': { hooks: { [HOSTILE]: [] } },
  '.mcp.json': { mcpServers: { [`a${HOSTILE.slice(0, 9)}`]: { command: `/nowhere/${HOSTILE}` } } },
});

const walks: [string, readonly string[], string?][] = [
  ['play', ['play', 'hostile.json'], `hello ${HOSTILE.replaceAll('\r', '')}\nnothing\n`],
  ['play --json', ['play', 'hostile.json', '--json'], 'hello\n'],
  ['check', ['check', 'hostile.json', 'wrong.json', 'raw.toml']],
  ['run', ['run', 'hostile.rehearsal.json', '--stage', 'sim', '--verbose']],
  ['hook fire', ['hook', 'fire', hooked, 'Stop']],
  ['loop run', ['loop', 'run', '-p', HOSTILE, '--verbose']],
  ['loop run --dry-run', ['loop', 'run', '-p', HOSTILE, '--dry-run']],
  ['an option', [`--${HOSTILE}`]],
  ...(claude === undefined ? [] : [['plugin', ['plugin', plugin]] satisfies [string, string[]]]),
];

it.each(walks)('prints hostile text as text: %s', async (_name, args, input = '') => {
  const { stdout, stderr } = await runUnderstudy(args, { cwd: root, input, env: { NO_COLOR: '', FORCE_COLOR: '1' } });
  expect(stdout + stderr).toMatch(/\\u(?:\{202e\}|202e)/);
  expect(harmfulIn(stdout + stderr)).toEqual([]);
});

it('has no other way to the terminal', () => {
  const writers = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative('src', join(entry.parentPath, entry.name)))
    .filter((file) =>
      /process\.std(?:out|err)\b|\bconsole\.(?:log|error|warn|info)\(/.test(readFileSync(join('src', file), 'utf8')),
    )
    // Source text of sample projects.
    .filter((file) => !file.startsWith(join('workspace', 'templates')));
  expect(writers.toSorted()).toEqual([
    // With nothing but its own progress.
    'cli/add-agents.ts',
    'cli/closed-output.ts',
    'cli/main.ts',
    'cli/output.ts',
    // The lines that the user types.
    'cli/play-scenario.ts',
    'cli/run-flags.ts',
    // Protocols, which programs read.
    'mcp/stdio.ts',
    'plugins/servers/proxy.ts',
    'plugins/servers/run-proxy.ts',
    'process/child.ts',
    'stand-ins/shared/write-out.ts',
    'vitest/setup.ts',
  ]);
});

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
