import type { Command } from 'commander';

/** `understudy pipe`: the harness for tests in other languages. */
export function register(program: Command): void {
  program
    .command('pipe')
    .summary('the harness for tests in other languages')
    .description('answer requests of tests in other languages: JSON lines on stdin and stdout (pytest-understudy)')
    .addHelpText(
      'after',
      '\nEach line is {"id": 1, "method": "…", "params": {…}}; docs/pytest.md lists the methods.' +
        '\nWhen stdin ends, everything that was started ends. Exit codes: 0 stdin ended, 130 interrupted.',
    )
    .action(async () => {
      const { servePipe } = await import('../serve-pipe.js');
      process.exitCode = await servePipe();
    });
}
