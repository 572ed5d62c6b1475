import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { tally, triesOf } from '../helpers/attack.js';
import { HOSTILE, harmfulIn, hostileText } from '../helpers/hostile-text.js';
import { hooksFile, markdown, writePlugin } from '../helpers/plugin-fixtures.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { seedOr } from '../helpers/seeded.js';
import { runUnderstudy } from '../helpers/understudy.js';

const claude = await realAgent('claude');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-hostile-')));
afterAll(() => rmSync(root, { recursive: true }));

/** Files that have the text wherever a plugin, file, model or program can put it, and the commands that print it. */
function prepareWalks(folder: string, hostile: string): [string, readonly string[], string?][] {
  const tool = { tool: 'Bash', input: { command: hostile }, result: hostile };
  const scenario = {
    name: hostile,
    responses: [
      {
        pattern: { type: 'contains', text: 'hello' },
        response: { text: hostile, thinking: hostile, tool_calls: [tool] },
      },
      { pattern: { type: 'contains', text: hostile }, response: 'never used' },
    ],
  };
  const rehearsal = {
    ...scenario,
    steps: [{ name: hostile, send: `hello ${hostile}`, expect: { keywords: { any: ['x'] } } }],
  };
  const backend = `console.log(${JSON.stringify(`${hostile}\nLOOP_COMPLETE`)}); console.error(${JSON.stringify(hostile)});`;
  const hook = `node -e "process.stderr.write(process.argv[1]); process.exit(2)" ${shellQuoted(hostile)}`;
  writeFiles(folder, {
    'hostile.json': JSON.stringify(scenario),
    'wrong.json': JSON.stringify({ ...scenario, [hostile]: hostile }, null, 2),
    'raw.toml': `name = "${hostile}`,
    'hostile.rehearsal.json': JSON.stringify(rehearsal),
    'ralph.yml': `cli: { backend: custom, command: node, args: [backend.mjs] }\nevent_loop: { max_iterations: 1 }\n`,
    'backend.mjs': backend,
  });
  const hooked = writePlugin(folder, 'hooked', { 'hooks/hooks.json': hooksFile('Stop', hook) });
  const plugin = writePlugin(folder, 'named', {
    '.claude-plugin/plugin.json': { name: 'named', version: hostile, description: hostile },
    'commands/bad.md': markdown({ description: JSON.stringify(hostile), model: JSON.stringify(hostile) }, hostile),
    'hooks/hooks.json': { hooks: { [hostile]: [] } },
    '.mcp.json': { mcpServers: { [`a${hostile.slice(0, 9)}`]: { command: `/nowhere/${hostile}` } } },
  });
  return [
    ['play', ['play', 'hostile.json'], `hello ${hostile.replaceAll('\r', '')}\nnothing\n`],
    ['play --json', ['play', 'hostile.json', '--json'], 'hello\n'],
    ['check', ['check', 'hostile.json', 'wrong.json', 'raw.toml']],
    ['run', ['run', 'hostile.rehearsal.json', '--stage', 'sim', '--verbose']],
    ['hook', ['hook', hooked, 'Stop']],
    ['loop run', ['orchestrator', 'loop', 'run', '-p', hostile, '--verbose']],
    ['loop run --dry-run', ['orchestrator', 'loop', 'run', '-p', hostile, '--dry-run']],
    ['an option', [`--${hostile}`]],
    ...(claude === undefined ? [] : [['plugin', ['plugin', plugin]] satisfies [string, string[]]]),
  ];
}

const FORCED = { NO_COLOR: '', FORCE_COLOR: '1' };

it.each(prepareWalks(root, HOSTILE))('prints hostile text as text: %s', async (_name, args, input = '') => {
  const { stdout, stderr } = await runUnderstudy(args, { cwd: root, input, env: FORCED });
  expect(stdout + stderr).toMatch(/\\u(?:\{202e\}|202e)/);
  expect(harmfulIn(stdout + stderr)).toEqual([]);
});

const SEEDS = triesOf(20);
it.each(SEEDS > 0 ? [SEEDS] : [])('prints %i other hostile texts as text', { timeout: 3_600_000 }, async () => {
  const first = seedOr(20_261_115);
  const failures = new Map<string, string[]>();
  for (let seed = first; seed < first + SEEDS; seed++) {
    const folder = join(root, String(seed));
    for (const [name, args, input = ''] of prepareWalks(folder, hostileText(seed))) {
      const { stdout, stderr } = await runUnderstudy(args, { cwd: folder, input, env: FORCED });
      const harmful = harmfulIn(stdout + stderr).map((character) => `seed ${seed}: ${character}`);
      failures.set(name, [...(failures.get(name) ?? []), ...harmful]);
    }
  }
  for (const [name, harmful] of failures) tally('hostile text', name, SEEDS, harmful);
});

it('has no other way to the terminal', () => {
  const writers = ['src', 'packages']
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /process\.std(?:out|err)\b|\bconsole\.(?:log|error|warn|info)\(/.test(readFileSync(file, 'utf8')))
    // Source text of sample projects.
    .filter((file) => !file.includes(join('workspace', 'templates')));
  expect(writers.toSorted()).toEqual([
    // The screen of the command that the user started in this terminal.
    'packages/agents/src/terminal/attached-terminal.ts',
    // Waits until all is printed before the process ends.
    'packages/kit/src/document/await-part.ts',
    // What a rehearsal in code prints: the user's own program.
    'packages/kit/src/document/read-modules.ts',
    // Asks for the filter that the user types.
    'packages/runner/src/run/watch-keys.ts',
    // Hands on what an agent wrote, unchanged, to the program that called it.
    'packages/stage/src/calls/node-recorder.ts',
    'packages/stage/src/plugins/servers/proxy.ts',
    'packages/stage/src/plugins/servers/run-proxy.ts',
    'packages/stand-ins/src/shared/write-out.ts',
    // Code that the hooks of a plugin are asked about.
    'packages/suites/src/guards/tool-candidates.ts',
    'packages/suites/src/orchestrators/contract/change-output.ts',
    // The version.
    'src/bin/understudy.ts',
    // With nothing but its own progress.
    'src/cli/add-agents.ts',
    'src/cli/closed-output.ts',
    // Asks whether real models may be called.
    'src/cli/confirm-calls.ts',
    // Asks questions.
    'src/cli/init-orchestrator.ts',
    'src/cli/main.ts',
    'src/cli/output.ts',
    // The lines that the user types.
    'src/cli/play-scenario.ts',
    // Asks whether a recording is to be kept.
    'src/cli/record-program.ts',
    'src/cli/run-flags.ts',
    // Protocols, which programs read.
    'src/cli/serve-pipe.ts',
    // With nothing but its own progress.
    'src/cli/show-drift.ts',
    // Asks whether there is a terminal.
    // Source texts of cases.
    'src/mcp/stdio.ts',
    'src/vitest/setup.ts',
  ]);
});

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
