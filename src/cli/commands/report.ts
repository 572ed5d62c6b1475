import { type Command, Option } from 'commander';
import type { ExportFlags } from '../export-test.js';
import type { ReporterFlags } from '../run-flags.js';
import type { CommentOptions, ShowOptions } from '../show-report.js';
import { addReporterOptions, collect, wholeNumber } from './run-options.js';

const exportFormats = ['repro', 'atif'] as const;

const RUN = 'a folder that --output wrote, or its result.json (default: the last run)';

/** `understudy report`: look at a run again, merge shards, compare runs, see how they go. */
export function register(program: Command): void {
  const report = program
    .command('report')
    .summary('look at a run again, merge shards, compare runs, export a test')
    .description('look at a run again, merge shards, compare two runs, export a test');

  report
    .command('open', { isDefault: true })
    .description('write the page of a run and open it in the browser')
    .argument('[run]', RUN)
    .option('--no-open', 'only write it')
    .action(async (run: string | undefined, options: { open: boolean }) => {
      const { openReport } = await import('../show-report.js');
      process.exitCode = openReport(run, options);
    });

  addReporterOptions(report.command('show').description('show a run with any reporters').argument('[run]', RUN))
    .option('--queue <url>', 'with --run: show a run in the queue of this Postgres database')
    .option('--run <id>', 'with --queue: the id of the run')
    .action(async (run: string | undefined, options: ShowOptions) => {
      const { showReport } = await import('../show-report.js');
      process.exitCode = await showReport(run, options);
    });

  report
    .command('comment')
    .description('print a run as a comment for a pull request, in Markdown')
    .argument('[run]', RUN)
    .option('--base <run>', 'the run of the base branch, to say what changed')
    .option('--queue <url>', 'with --run: a run in the queue of this Postgres database')
    .option('--run <id>', 'with --queue: the id of the run')
    .action(async (run: string | undefined, options: CommentOptions) => {
      const { printComment } = await import('../show-report.js');
      process.exitCode = await printComment(run, options);
    });

  report
    .command('export')
    .description(
      'write one file with which anybody reproduces a test: rehearsal, plugins, project and versions; `understudy run FILE` plays it',
    )
    .argument('[test]', 'a part of its name, file or id (default: the only one that is red)')
    .argument('[run]', RUN)
    .addOption(
      new Option(
        '--format <format>',
        'repro: all that it takes to play it; atif: what was said, for tools that read agent trajectories',
      )
        .choices(exportFormats)
        .default('repro'),
    )
    .option(
      '-o, --output <file>',
      'the file (default: NAME.understudy-repro.json or NAME.trajectory.json in this folder)',
    )
    .option('--bundle <path>', 'another file or folder that it needs; may be given several times', collect)
    .option('--without <path>', 'leave a file or folder out; may be given several times', collect)
    .action(async (test: string | undefined, run: string | undefined, options: ExportFlags) => {
      const { exportTest } = await import('../export-test.js');
      process.exitCode = exportTest(test, run, options);
    });

  report
    .command('trends')
    .description('show trends of the last runs: verdicts, durations, tokens, tests that change or get slower')
    .option('--last <n>', 'how many runs', wholeNumber, 10)
    .option('--queue <url>', 'the runs in the queue of this Postgres database')
    .option('--json', 'print one JSON document')
    .action(async (options: { last: number; queue?: string; json?: true }) => {
      const { showTrends } = await import('../show-trends.js');
      process.exitCode = await showTrends(options);
    });

  addReporterOptions(
    report
      .command('merge')
      .description('make one result of the results of all shards; the exit code is that of the whole run')
      .argument('<runs...>', 'folders that --output wrote, or a folder with such folders'),
  ).action(async (runs: string[], options: ReporterFlags) => {
    const { mergeReports } = await import('../show-report.js');
    process.exitCode = await mergeReports(runs, options);
  });

  report
    .command('diff')
    .description(
      'compare two runs: newly failing, fixed, slower, more tokens; exit code 1 if something fails that did not before',
    )
    .argument('[before]', RUN)
    .argument('[after]', RUN)
    .option('--last', 'compare the last run with the one before it')
    .option('--json', 'print one JSON document')
    .action(async (before: string | undefined, after: string | undefined, options: { last?: true; json?: true }) => {
      const { diffReports } = await import('../diff-reports.js');
      process.exitCode = diffReports(before, after, options);
    });
}
