import type { Command } from 'commander';

export function register(program: Command): void {
  program
    .command('init')
    .description('write a first rehearsal for the plugin in this folder')
    .argument('[folder]', 'the folder of the plugin', '.')
    .option('--force', 'overwrite a rehearsal that exists')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExit codes: 0 written, 2 there is no plugin, or the rehearsal exists.')
    .action(async (folder: string, options: { force?: true; json?: true }) => {
      const { initRehearsal } = await import('../init-rehearsal.js');
      process.exitCode = initRehearsal(folder, options);
    });
}
