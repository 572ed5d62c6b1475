// The whole suite of the example marketplace with the usual number of workers: on the real Claude Code, and on the
// stand-in. Times are of the machine as it is; on a busy one they say little, so its load is shown.
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { timed, UNDERSTUDY } from './helpers.mjs';

export const title = 'The marketplace suite';

const SUITE = fileURLToPath(new URL('../examples/marketplace/rehearsals', import.meta.url));
const TARGETS = { scripted: 60, sim: 6 };
const OWN_SHARE = 1.15;
const NAMES = { scripted: 'real Claude Code', sim: 'stand-in' };

export async function bench() {
  const rows = [];
  const ratios = [];
  for (const [stage, target] of Object.entries(TARGETS)) {
    const [load] = loadavg();
    const { counts, verdict, exit_code: code, entries, seconds, processor } = await runSuite(stage);
    if (code !== 0) throw new Error(`on ${stage}: ${verdict}`);
    const longest = Math.max(...entries.map(({ duration_ms: duration }) => duration)) / 1000;
    rows.push([NAMES[stage], `${counts.passed}`, `${counts.skipped}`, seconds, longest, load]);
    ratios.push({ name: `the suite on the ${NAMES[stage]}, seconds`, value: seconds, target, better: 'lower' });
    if (stage === 'scripted' && processor !== undefined) {
      const name = 'processor time of the run, of that of what it starts';
      const value = (processor.own + processor.children) / processor.children;
      ratios.push({ name, value, target: OWN_SHARE, better: 'lower' });
    }
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
    const command = [process.execPath, UNDERSTUDY, 'run', SUITE, '--stage', stage, '--json'];
    const { output, seconds, processor } = await timed(command, { cwd });
    return { ...JSON.parse(output), seconds, processor };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
