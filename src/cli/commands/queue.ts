import type { Command } from 'commander';
import { wholeNumber } from './run-options.js';

const QUEUE = ['--queue <url>', 'postgres://USER@HOST/DATABASE (default: UNDERSTUDY_QUEUE)'] as const;

/** `understudy queue`: the runs in a queue on Postgres. */
export function register(program: Command): void {
  const queue = program
    .command('queue')
    .summary('list, cancel or remove runs in a queue')
    .description('list, cancel or remove runs in a queue on Postgres');

  queue
    .command('list', { isDefault: true })
    .description('list the newest runs')
    .option(...QUEUE)
    .option('--last <n>', 'how many runs', wholeNumber, 20)
    .option('--json', 'print one JSON document')
    .action(async (options: { queue?: string; last: number; json?: true }) => {
      const { listQueue } = await import('../manage-queue.js');
      process.exitCode = await listQueue(options);
    });

  queue
    .command('cancel')
    .description('cancel a run: what waits is not played, what is being played is ended')
    .argument('<run>', 'its id')
    .option(...QUEUE)
    .option('--json', 'print one JSON document')
    .action(async (run: string, options: { queue?: string; json?: true }) => {
      const { cancelQueued } = await import('../manage-queue.js');
      process.exitCode = await cancelQueued(run, options);
    });

  queue
    .command('clean')
    .description('remove runs that ended long ago, with their results and files')
    .option(...QUEUE)
    .option('--days <n>', 'older than this many days', wholeNumber, 30)
    .option('--json', 'print one JSON document')
    .action(async (options: { queue?: string; days: number; json?: true }) => {
      const { cleanQueue } = await import('../manage-queue.js');
      process.exitCode = await cleanQueue(options);
    });
}
