import type { Command } from 'commander';
import type { WorkerFlags } from '../run-worker.js';
import { collect, isolationOption, wholeNumber } from './run-options.js';

/** `understudy worker`: plays what `run --queue` has put into a queue. */
export function register(program: Command): void {
  program
    .command('worker')
    .summary('play what is in a queue on Postgres')
    .description('take entries from a queue on Postgres and play them; on any number of machines')
    .option('--queue <url>', 'postgres://USER@HOST/DATABASE (default: UNDERSTUDY_QUEUE)')
    .option('--workers <n>', 'play this many at the same time (default: the number of processors)', wholeNumber)
    .option('--per-agent <agent=n>', 'play at most N of an agent at the same time; may be given several times', collect)
    .option(
      '--agent <agent>',
      'take entries for this real CLI only; may be given several times (default: all that are here)',
      collect,
    )
    .addOption(isolationOption())
    .option('--live', 'take entries that call real models, too')
    .option(
      '--lease <seconds>',
      'another worker takes over when this one has not reported for this long',
      wholeNumber,
      30,
    )
    .option('--until-empty', 'end when nothing is left in the queue')
    .addHelpText('after', '\nExit codes: 0 the queue is empty, 2 the harness could not do its job, 130 interrupted.')
    .action(async (options: WorkerFlags) => {
      const { runWorker } = await import('../run-worker.js');
      process.exitCode = await runWorker(options);
    });
}
