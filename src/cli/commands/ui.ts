import { stages } from '@understudy/agents';
import { fileOfPlace } from '@understudy/kit';
import { type Command, Option } from 'commander';
import type { UiOptions } from '../serve-ui.js';
import { collect, wholeNumber } from './run-options.js';

/** `understudy ui`: the report as a page from which tests are run. */
export function register(program: Command): void {
  program
    .command('ui')
    .summary('a page from which rehearsals are run, with their timelines')
    .description('a page on this machine: all rehearsals, run by a click or when a file changes, with their timelines')
    .argument('[paths...]', 'files and folders (default: `paths` of understudy.toml, else this folder)')
    .addOption(new Option('--stage <stage>', 'where the rehearsals are played').choices(stages))
    .option('--agent <agent>', 'claude, claude@2.1.325 …; may be given several times', collect)
    .option('--model <model>', 'the model that the agents are started with; may be given several times', collect)
    .option('--target <name>', 'one row of [[targets]] (default: all); may be given several times', collect)
    .option('--workers <n>', 'run this many at the same time', wholeNumber)
    .option('--port <number>', 'the port to listen on; 0 means any free port', '0')
    .option('--no-open', 'do not open it in the browser')
    .action(async (paths: string[], options: UiOptions) => {
      const { readProjectConfig } = await import('@understudy/runner');
      const { withConfig, withTargets } = await import('../config-flags.js');
      const { serveUi } = await import('../serve-ui.js');
      const config = readProjectConfig();
      const chosen = paths.length > 0 ? paths.map(fileOfPlace) : (config.paths ?? ['.']);
      process.exitCode = await serveUi(chosen, {
        ...withConfig(options, config),
        ...withTargets(options, config),
        ...{ defaults: config, suites: config.suites },
      });
    });
}
