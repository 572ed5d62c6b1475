import { UnderstudyError } from '@understudy/kit';
import { parseIsolation } from '@understudy/stage';
import { parseReporters, type ReporterChoice, reporterNames } from '@understudy/verdict';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** Adds the options that every run of rehearsals or cases has. */
export function addRunOptions(command: Command): Command {
  return addReporterOptions(command)
    .option(
      '-g, --grep <text>',
      'run only entries with this text in their name, file or tags; or "@hooks and not @slow"',
    )
    .option('--workers <n>', 'run this many at the same time', wholeNumber)
    .option('--shard <i/n>', 'run part i of n', shard)
    .option('--repeat <n>', 'run each N times; on the live stage, report the rate', wholeNumber)
    .option(
      '--retries <n>',
      'try again, up to N times, what failed and may vary: real models and programs',
      wholeNumber,
    )
    .option('--max-failures <n>', 'start no further entry after N failures', wholeNumber)
    .option('--max-calls <n>', 'make no more calls of real agents than this; on the live stage only', wholeNumber)
    .option('--max-cost <usd>', 'spend no more than this, by what the CLIs report; on the live stage only', positive)
    .option('-y, --yes', 'on live: begin without asking; where nobody sits at a terminal, nothing is asked')
    .option(
      '--threshold <share>',
      'on live: the share of --repeat that must pass where a real model may miss it',
      share,
    )
    .addOption(isolationOption())
    .option('--strict', 'fail when an entry was skipped')
    .option('--last-failed', 'run only what failed last time')
    .addOption(new Option('--watch', 'run again what a changed file touches').conflicts('json'))
    .option('--keep-workspace', 'keep the folders of all entries, not only of failures')
    .option('--no-open', 'do not open the report of a failed run in the browser')
    .option('--pass-with-no-tests', 'succeed when there is nothing to run')
    .addHelpText(
      'after',
      '\nExit codes: 0 all passed, 1 something failed or could not be judged, 2 the harness could not do its job or nothing ran, 130 interrupted.',
    );
}

/** Adds the options for what is shown of a result. */
export function addReporterOptions(command: Command): Command {
  return command
    .option(
      '--reporter <names>',
      `${reporterNames.join(', ')}, or your own module (./mine.mjs); several with commas, a file with =`,
      reporters,
    )
    .option('--json', 'the same as --reporter json')
    .option('--output <dir>', 'the folder for result, logs, report and artifacts (default: .understudy)')
    .option('-v, --verbose', 'show passed checks, too')
    .option('-q, --quiet', 'show the summary only');
}

function reporters(value: string, previous: readonly ReporterChoice[] = []): ReporterChoice[] {
  try {
    return [...previous, ...parseReporters(value)];
  } catch (error) {
    if (!(error instanceof UnderstudyError)) throw error;
    throw new InvalidArgumentError(`${error.message}. ${error.fix ?? ''}`);
  }
}

export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('It must be a whole number from 1.');
  return number;
}

export function positive(value: string): number {
  const number = Number(value);
  if (!(number > 0) || !Number.isFinite(number)) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}

function share(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number <= 1))
    throw new InvalidArgumentError('It must be a number from 0 to 1.');
  return number;
}

function shard(value: string): { index: number; count: number } {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(value)?.map(Number) ?? [];
  if (index === undefined || count === undefined || index < 1 || index > count) {
    throw new InvalidArgumentError('It must be i/n with i from 1 to n, such as 1/3.');
  }
  return { index, count };
}

/** For a command that reads understudy.toml. */
export function configOption(): Option {
  return new Option('--config <file>', 'the configuration (default: understudy.toml, in this folder or above)');
}

/** How far agents and programs are kept apart from this machine. */
export function isolationOption(): Option {
  return new Option(
    '--isolation <level>',
    'keep agents apart from this machine: none, sandbox, docker[=image]; auto, the best that works; or required, never none',
  ).argParser((value: string) => {
    try {
      parseIsolation(value);
    } catch (error) {
      if (!(error instanceof UnderstudyError)) throw error;
      throw new InvalidArgumentError(`${error.message}. ${error.fix ?? ''}`);
    }
    return value;
  });
}

/** For an option that may be given several times. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}
