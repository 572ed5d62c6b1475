import { scaffoldRehearsal } from '../scaffold/scaffold-rehearsal.js';
import { paint } from '../terminal/paint.js';
import { print, printJson } from './output.js';

/** Writes a first rehearsal and prints how to run it. */
export function initRehearsal(folder: string, { force = false, json = false }): number {
  const scaffolded = scaffoldRehearsal(folder, { force });
  const { plugin, commands, skipped, written, file } = scaffolded;
  const next = `understudy run ${file}`;
  if (json) {
    printJson({ ok: true, ...scaffolded, next });
    return 0;
  }
  const count = commands.length === 1 ? '1 command' : `${commands.length} commands`;
  print(
    `${paint.green('✓')} ${plugin} ${paint.dim(commands.length === 0 ? 'no commands: the rehearsal only sends a greeting' : count)}`,
  );
  for (const path of written) print(`  wrote ${path}`);
  for (const { name, reason, fix } of skipped)
    print(`  ${paint.yellow('skipped')} /${name}: ${reason} ${paint.dim(fix)}`);
  print(`\nNext: ${paint.bold(next)}`);
  return 0;
}
