import { scaffoldRehearsal } from '../scaffold/scaffold-rehearsal.js';
import { paint } from '../terminal/paint.js';
import { print, printJson } from './output.js';
import { version } from './version.js';

/** Writes a first rehearsal and prints how to run it. */
export async function initRehearsal(folder: string, { force = false, json = false, start = true }): Promise<number> {
  const scaffolded = await scaffoldRehearsal(folder, { force, start, version });
  const { plugin, steps, skipped, written, file } = scaffolded;
  const next = `understudy run ${file}`;
  if (json) {
    printJson({ ok: true, ...scaffolded, next });
    return 0;
  }
  print(`${paint.green('✓')} ${plugin} ${paint.dim(steps.length === 1 ? '1 step' : `${steps.length} steps`)}`);
  for (const name of steps) print(`  ${paint.dim('·')} ${name}`);
  for (const path of written) print(`  wrote ${path}`);
  for (const { name, reason, fix } of skipped)
    print(`  ${paint.yellow('problem')} ${name}: ${reason} ${paint.dim(fix)}`);
  print(`\nNext: ${paint.bold(next)}`);
  return 0;
}
