import { chooseIsolation } from '../isolation/isolation.js';
import { askedIsolation } from '../isolation/level.js';
import { paint } from '../terminal/paint.js';
import { printNote } from './output.js';
import type { RunFlags } from './run-flags.js';

let isPrinted = false;

/**
 * Says once how far agents are kept apart from this machine, to a person or with `--verbose`. What was asked for and is
 * not there is an error before anything runs.
 */
export async function tellIsolation({
  isolation,
  verbose,
  quiet,
}: Pick<RunFlags, 'isolation' | 'verbose' | 'quiet'>): Promise<void> {
  const { level, reason } = await chooseIsolation(askedIsolation(isolation));
  const isWanted = verbose === true || (process.stderr.isTTY === true && quiet !== true);
  if (isPrinted || !isWanted) return;
  isPrinted = true;
  printNote(paint.dim(`isolation: ${level}${reason === undefined ? '' : ` (${reason})`}`));
}
