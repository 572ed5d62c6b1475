// What recording costs a call: the stand-in that records itself, and a program in the place of the real CLI behind the
// recorder, each beside the same without a record. They take turns, so that whatever else the machine does hits all.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const title = 'Calls of agents: what recording costs';

const ROUNDS = Number(process.env.UNDERSTUDY_BENCH_ROUNDS ?? 101);
const UNDERSTUDY = fileURLToPath(new URL('../dist/bin/understudy.js', import.meta.url));

export async function bench() {
  const root = mkdtempSync(join(tmpdir(), 'bench-calls-'));
  try {
    const scenario = join(root, 'scenario.toml');
    writeFileSync(scenario, '[[responses]]\npattern = { type = "any" }\noptional = true\nresponse = "hello"\n');
    const agent = join(root, 'agent');
    writeFileSync(agent, '#!/bin/sh\necho "1.0.0 hello"\n');
    chmodSync(agent, 0o755);
    const env = { PATH: process.env.PATH, HOME: root, UNDERSTUDY_CLAUDE: agent };
    const measure = (stage, plain) => {
      const inner = [process.execPath, fileURLToPath(import.meta.url), JSON.stringify(plain)];
      const args = [UNDERSTUDY, 'exec', '--scenario', scenario, '--stage', stage, '--agent', 'claude', '--', ...inner];
      const out = execFileSync(process.execPath, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      return JSON.parse(out);
    };
    const sim = measure('sim', { command: ['claude', '-p', 'hi'], env: { UNDERSTUDY_CALLS: '' } });
    const real = measure('scripted', { command: [agent, '-p', 'hi'], env: {} });
    const ms = (value) => `${value.toFixed(1)} ms`;
    return {
      columns: ['program', 'alone', 'recorded'],
      rows: [
        ['the stand-in', ms(sim.plain), ms(sim.recorded)],
        ['a shell script as the real CLI', ms(real.plain), ms(real.recorded)],
      ],
      ratios: [
        { name: 'recording a stand-in, ms', value: sim.recorded - sim.plain, target: 5, better: 'lower' },
        { name: 'recording a real CLI, ms', value: real.recorded - real.plain, target: 5, better: 'lower' },
      ],
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Inside `understudy exec`: calls `claude`, and beside it the same without a record. */
function inside({ command, env }) {
  const ways = { plain: { command, env }, recorded: { command: ['claude', '-p', 'hi'], env: {} } };
  const times = { plain: [], recorded: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const started = performance.now();
      const [file, ...args] = way.command;
      const { status } = spawnSync(file, args, { env: { ...process.env, ...way.env }, input: '' });
      if (status !== 0) throw new Error(`${file} ended with ${status}`);
      times[name].push(performance.now() - started);
    }
  }
  // The least of many: what else the machine does can only add to it.
  console.log(JSON.stringify({ plain: Math.min(...times.plain), recorded: Math.min(...times.recorded) }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) inside(JSON.parse(process.argv[2]));
