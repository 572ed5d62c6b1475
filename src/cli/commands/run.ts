import { type Command, InvalidArgumentError, Option } from 'commander';
import { stages } from '../../agents/driver.js';

export function register(program: Command): void {
  program
    .command('run')
    .description('run rehearsals; a folder is searched for *.rehearsal.toml')
    .argument('[paths...]', 'files and folders', ['.'])
    .addOption(new Option('--stage <stage>', 'where they are played').choices(stages))
    .option('--agent <agent>', 'claude, claude@2.1.325 …; may be given several times', collect)
    .option('--filter <text>', 'only those with this in their name, file or tags')
    .option('--workers <n>', 'how many at once', wholeNumber)
    .option('--shard <i/n>', 'the i-th of n parts', shard)
    .option('--repeat <n>', 'each this often', wholeNumber)
    .option('--retries <n>', 'try a failed one again; on the live stage only', wholeNumber)
    .option('--last-failed', 'only those that failed last time')
    .addOption(new Option('--watch', 'run again what a changed file touches').conflicts('json'))
    .option('--keep-workspace', 'keep project, events and requests of all, not only of failures')
    .option('-u, --update', 'write snapshots anew')
    .addOption(new Option('--reporter <name>', 'how to tell').choices(['live', 'lines', 'json']))
    .option('--json', 'the same as --reporter json')
    .addHelpText(
      'after',
      '\nExit codes: 0 all passed, 1 something failed, 2 the harness could not do its job or nothing ran, 130 interrupted.',
    )
    .action(async (paths: string[], options: Record<string, unknown>) => {
      const { runRehearsals } = await import('../run-rehearsals.js');
      process.exitCode = await runRehearsals(paths, options);
    });
}

function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

function wholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('It must be a whole number from 1.');
  return number;
}

function shard(value: string): { index: number; count: number } {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(value)?.map(Number) ?? [];
  if (index === undefined || count === undefined || index < 1 || index > count) {
    throw new InvalidArgumentError('It must be i/n with i from 1 to n, such as 1/3.');
  }
  return { index, count };
}
