import type { Command } from 'commander';

export function register(program: Command): void {
  program
    .command('doctor')
    .description('what is on this machine, what is missing, how to get it')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExit code 1: something that understudy cannot do without is missing.')
    .action(async (options: { json?: true }) => {
      const { examineMachine } = await import('../examine-machine.js');
      process.exitCode = await examineMachine(options);
    });
}
