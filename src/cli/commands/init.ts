import { UnderstudyError } from '@understudy/kit';
import type { Command } from 'commander';
import { isolationOption } from './run-options.js';

interface InitOptions {
  program?: string;
  start: boolean;
  isolation?: string;
  force?: true;
  json?: true;
}

export function register(program: Command): void {
  program
    .command('init')
    .summary('write a first test for a plugin or a program')
    .description(
      'write a first rehearsal for the plugin in this folder, or for a program; `orchestrator init` is for orchestrators',
    )
    .argument('[folder]', 'the folder of the plugin, or for the file that is written', '.')
    .option('--program <command>', 'write a rehearsal for this program, which calls agents or models; runs it twice')
    .addOption(isolationOption())
    .option('--no-start', 'do not run the hooks and MCP servers of the plugin to see what they do')
    .option('--force', 'overwrite a file that exists')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExit codes: 0 written, 2 nothing was written.')
    .action(async (folder: string, { program: tested, ...options }: InitOptions) => {
      if (tested !== undefined) {
        refuseOfPlugins(options);
        const { initProgram } = await import('../init-program.js');
        process.exitCode = await initProgram(tested, folder, options);
        return;
      }
      const { withIsolation } = await import('../config-flags.js');
      const { initRehearsal } = await import('../init-rehearsal.js');
      process.exitCode = await initRehearsal(folder, withIsolation(options));
    });
}

/** The program that is tried is the user's own, with the user's own environment. */
function refuseOfPlugins({ isolation, start }: InitOptions): void {
  const flag = isolation === undefined ? (start ? undefined : '--no-start') : '--isolation';
  if (flag === undefined) return;
  throw new UnderstudyError(
    'BAD_FLAG',
    `${flag} does nothing with --program: it is for the hooks and servers of a plugin`,
    {
      fix: `Leave out ${flag}.`,
    },
  );
}
