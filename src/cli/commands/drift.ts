import type { Command } from 'commander';
import type { DriftOptions } from '../show-drift.js';
import { collect, wholeNumber } from './run-options.js';

/** `understudy drift`: what changed between versions of a CLI. */
export function register(program: Command): void {
  program
    .command('drift')
    .summary('what changed between two versions of a CLI')
    .description('play the same inputs on two versions of Claude Code, and report what changed')
    .option('--agent <agent>', 'claude@2.1.197, claude@latest, stand-in …; give it twice or more', collect)
    .option('--stand-in', 'compare the last agent with its stand-in, too')
    .option(
      '-g, --grep <text>',
      'play only the inputs with this text in their name; may be given several times',
      collect,
    )
    .option(
      '--workers <n>',
      'play this many inputs at the same time (default: as many as there are cores)',
      wholeNumber,
    )
    .option('--reporter <name>', 'markdown or json; to a file with =: json=drift.json', 'markdown')
    .option('--list', 'list the inputs, and play nothing')
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing changed, 1 something changed, 2 it could not be compared, 130 interrupted (the report is a part).',
    )
    .action(async (options: DriftOptions) => {
      const { showDrift } = await import('../show-drift.js');
      process.exitCode = await showDrift(options);
    });
}
