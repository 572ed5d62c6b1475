import { Argument, type Command } from 'commander';
import type { ValueKind } from '../completion-values.js';

/** What the scripts of `completion` ask for. */
export function register(program: Command): void {
  program
    .command('completion-values', { hidden: true })
    .addArgument(new Argument('<kind>').choices(['agents', 'targets', 'tags']))
    .action(async (kind: ValueKind) => {
      const { printValues } = await import('../completion-values.js');
      printValues(kind);
    });
}
