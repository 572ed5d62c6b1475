// The orchestrator suite on the reference loop, all backends, with baselines, on stand-ins.
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { timed, UNDERSTUDY } from './helpers.mjs';

export const title = 'The orchestrator suite on the reference loop';

const STAGES = process.env['UNDERSTUDY_BENCH_SCRIPTED'] === '1' ? { sim: 20, scripted: 220 } : { sim: 20 };

export async function bench() {
  const rows = [];
  const ratios = [];
  for (const [stage, target] of Object.entries(STAGES)) {
    const cwd = mkdtempSync(join(tmpdir(), 'bench-loop-'));
    try {
      const [load] = loadavg();
      const { code, output, seconds } = await timed(
        [process.execPath, UNDERSTUDY, 'e2e', '--loop', '--stage', stage, '--json', '--skip-analysis'],
        { cwd },
      );
      const { counts, verdict } = JSON.parse(output);
      if (code !== 0) throw new Error(`on ${stage}: ${verdict}`);
      rows.push([stage, counts.passed, counts.skipped, seconds, load]);
      ratios.push({ name: `the suite on ${stage}, seconds`, value: seconds, target, better: 'lower' });
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  }
  return { columns: ['stage', 'passed', 'skipped', 'seconds', 'load before'], rows, ratios };
}
