import { type Command, Option } from 'commander';
import { stages } from '../../agents/driver.js';
import { addRunOptions, collect } from './run-options.js';

export function register(program: Command): void {
  const command = program
    .command('run')
    .description('run rehearsals; a folder is searched for *.rehearsal.toml')
    .argument('[paths...]', 'files and folders', ['.'])
    .addOption(new Option('--stage <stage>', 'where the rehearsals are played').choices(stages))
    .option('--agent <agent>', 'claude, claude@2.1.325 …; may be given several times', collect)
    .option('--list', 'list the rehearsals, and run nothing')
    .option('-u, --update', 'write snapshots anew')
    .addOption(
      new Option('--resume', 'go on with the last run if it was killed: run only what had not ended').conflicts([
        'watch',
        'list',
      ]),
    );
  addRunOptions(command).action(async (paths: string[], options: Record<string, unknown>) => {
    const { runRehearsals } = await import('../run-rehearsals.js');
    process.exitCode = await runRehearsals(paths, options);
  });
}
