import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { E2eOptions } from '../run-e2e.js';

/** `understudy e2e`: does the orchestrator work, on every backend? */
export function register(program: Command): void {
  program
    .command('e2e')
    .description('the orchestrator suite: hats, events, memories, limits, on every backend')
    .addArgument(
      new Argument('[backend]', 'the backend to test').choices(['claude', 'kiro', 'opencode', 'all']).default('all'),
    )
    .option('--filter <text>', 'only cases whose id has this, such as hat- or @kiro')
    .addOption(
      new Option('--stage <stage>', 'stand-ins, the real CLIs on a scripted model, or the real CLIs with your login')
        .choices(['sim', 'scripted', 'live'])
        .default('sim'),
    )
    .option('--list', 'list the cases, and run nothing')
    .option('--ralph <path>', 'the ralph to test (default: RALPH_BIN, ralph on PATH, else the reference loop)')
    .option('--workers <n>', 'cases at a time (default: one more than there are processors)', wholeNumber)
    .option('--keep-workspace', 'keep .e2e-tests/<case>/ of passed cases, too')
    .option('--skip-baselines', 'do not show that each case can fail')
    .addOption(
      new Option('--report <format>', 'what is written into .e2e-tests/: report.md, report.json, or both')
        .choices(['markdown', 'json', 'both'])
        .default('markdown'),
    )
    .option('--skip-analysis', 'ask no agent what the results mean')
    .option('--analyzer <path>', 'the ralph.yml of the agent that analyses the results (default: built in)')
    .option('-v, --verbose', 'show every assertion')
    .option('-q, --quiet', 'show the summary only')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExit codes: 0 all passed, 1 a case failed, 2 the harness could not do its job, or nothing ran.',
    )
    .action(async (backend: string, options: E2eOptions) => {
      const { runE2e } = await import('../run-e2e.js');
      process.exitCode = await runE2e(backend, options);
    });
}

function wholeNumber(value: string): number {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(value);
}
