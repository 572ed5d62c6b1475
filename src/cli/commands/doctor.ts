import type { Command } from 'commander';

export function register(program: Command): void {
  program
    .command('doctor')
    .summary('what is installed, what is missing, and how to get it')
    .description('show what is installed, what is missing, and how to get it')
    .option('--clean', 'remove what killed runs left: processes, folders, locks; every start does that, too')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExit codes: 0 everything that is required is installed, 1 something required is missing.')
    .action(async (options: { json?: true; clean?: true }) => {
      if (options.clean === true) {
        const { cleanMachine } = await import('../clean-machine.js');
        process.exitCode = await cleanMachine(options);
        return;
      }
      const { examineMachine } = await import('../examine-machine.js');
      process.exitCode = await examineMachine(options);
    });
}
