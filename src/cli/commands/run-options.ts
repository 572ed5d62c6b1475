import { type Command, InvalidArgumentError, Option } from 'commander';

/** Adds the options that every run of rehearsals or cases has. */
export function addRunOptions(command: Command): Command {
  return command
    .option('--filter <text>', 'run only entries with this text in their name, file or tags')
    .option('--workers <n>', 'run this many at the same time', wholeNumber)
    .option('--shard <i/n>', 'run part i of n', shard)
    .option('--repeat <n>', 'run each N times', wholeNumber)
    .option('--retries <n>', 'try a failed entry again, up to N times; on the live stage only', wholeNumber)
    .option('--max-failures <n>', 'start no further entry after N failures', wholeNumber)
    .option('--strict', 'fail when an entry was skipped')
    .option('--last-failed', 'run only what failed last time')
    .addOption(new Option('--watch', 'run again what a changed file touches').conflicts('json'))
    .option('--keep-workspace', 'keep the folders of all entries, not only of failures')
    .addOption(new Option('--reporter <name>', 'how to show the run').choices(['live', 'list', 'json']))
    .option('--json', 'the same as --reporter json')
    .option('-v, --verbose', 'show passed checks, too')
    .option('-q, --quiet', 'show the summary only')
    .addHelpText(
      'after',
      '\nExit codes: 0 all passed, 1 something failed or could not be judged, 2 the harness could not do its job or nothing ran, 130 interrupted.',
    );
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
