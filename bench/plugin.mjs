// What a look at a plugin costs, against the bare CLI that is started with the same plugin, answers one prompt and
// ends. Both go in turns, two at a time, so that a busy machine slows both alike.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addAgent, defineScenario, inspectEach, inspectPlugin } from '../dist/index.js';
import { startModelServer } from '../dist/model-server/index.js';

export const title = 'A look at a plugin';

const ROUNDS = 6;
const PLUGINS = fileURLToPath(new URL('../examples/marketplace/plugins', import.meta.url));

export async function bench() {
  const agent = await addAgent('claude');
  const folders = readdirSync(PLUGINS).map((name) => join(PLUGINS, name));
  const model = await startModelServer({ scenario: defineScenario({ default_response: 'Hello back.' }) });
  const times = { bare: [], look: [] };
  const timed = (list, run) => async (folder) => {
    const started = performance.now();
    await run(folder);
    list.push(performance.now() - started);
  };
  const kinds = [
    timed(times.bare, (folder) => runBare(agent.command, folder, model)),
    timed(times.look, (folder) => inspectPlugin(folder, { agent })),
  ];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const run of kinds) await inspectEach(folders, run);
      kinds.reverse();
    }
  } finally {
    await model.close();
  }
  const names = { bare: 'the bare CLI with the plugin, one prompt', look: 'understudy plugin' };
  return {
    columns: ['two at a time (ms)', 'median', '10 %', '90 %'],
    rows: Object.entries(times).map(([name, list]) => [names[name], ...[0.5, 0.1, 0.9].map((q) => quantile(list, q))]),
    ratios: [
      {
        name: 'a look / the bare CLI, median',
        value: quantile(times.look, 0.5) / quantile(times.bare, 0.5),
        target: 1.2,
        better: 'lower',
      },
    ],
  };
}

async function runBare([program, ...args], folder, { url, key }) {
  const home = mkdtempSync(join(tmpdir(), 'bench-plugin-'));
  const cwd = join(home, 'project');
  mkdirSync(cwd);
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: key,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
  try {
    const child = spawn(program, [...args, '-p', 'hello', '--plugin-dir', folder], { cwd, env, stdio: 'ignore' });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    if (code !== 0) throw new Error(`the bare CLI ended with ${code}`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function quantile(list, q) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}
