// The whole suite of the example marketplace with the usual number of workers: on the real Claude Code, and on the
// stand-in. Times are of the machine as it is; on a busy one they say little, so its load is shown.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const title = 'The marketplace suite';

const UNDERSTUDY = fileURLToPath(new URL('../dist/bin/understudy.js', import.meta.url));
const SUITE = fileURLToPath(new URL('../examples/marketplace/rehearsals', import.meta.url));
const TARGETS = { scripted: 60, sim: 10 };
const NAMES = { scripted: 'real Claude Code', sim: 'stand-in' };

export async function bench() {
  const rows = [];
  const ratios = [];
  for (const [stage, target] of Object.entries(TARGETS)) {
    const [load] = loadavg();
    const { counts, verdict, exit_code: code, entries, seconds } = await runSuite(stage);
    if (code !== 0) throw new Error(`on ${stage}: ${verdict}`);
    const longest = Math.max(...entries.map(({ duration_ms: duration }) => duration)) / 1000;
    rows.push([NAMES[stage], `${counts.passed}`, `${counts.skipped}`, seconds, longest, load]);
    ratios.push({ name: `the suite on the ${NAMES[stage]}, seconds`, value: seconds, target, better: 'lower' });
  }
  return {
    columns: ['stage', 'passed', 'skipped', 'seconds', 'longest rehearsal (s)', 'load before'],
    rows,
    ratios,
  };
}

async function runSuite(stage) {
  const cwd = mkdtempSync(join(tmpdir(), 'bench-suite-'));
  try {
    const started = performance.now();
    const args = [UNDERSTUDY, 'run', SUITE, '--stage', stage, '--json'];
    const { PATH, HOME, UNDERSTUDY_STORE, XDG_CACHE_HOME } = process.env;
    const env = Object.fromEntries(
      Object.entries({ PATH, HOME, UNDERSTUDY_STORE, XDG_CACHE_HOME }).filter(([, value]) => value !== undefined),
    );
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    for await (const chunk of child.stdout) output += chunk;
    return { ...JSON.parse(output), seconds: (performance.now() - started) / 1000 };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
