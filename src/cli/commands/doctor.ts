import type { Command } from 'commander';

export function register(program: Command): void {
  program
    .command('doctor')
    .description('show what is installed, what is missing, and how to get it')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExit codes: 0 everything that is required is installed, 1 something required is missing.')
    .action(async (options: { json?: true }) => {
      const { examineMachine } = await import('../examine-machine.js');
      process.exitCode = await examineMachine(options);
    });
}
