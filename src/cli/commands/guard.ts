import { type Command, InvalidArgumentError, Option } from 'commander';
import type { GuardFlags } from '../guard-folder.js';
import { addReporterOptions, collect, isolationOption, wholeNumber } from './run-options.js';

/** The stage of guards: a stand-in would prove nothing about the real CLI. */
export function stageOfGuards(): Option {
  return new Option('--stage <stage>', 'scripted, and no other').argParser((value: string) => {
    if (value === 'scripted') return value;
    throw new InvalidArgumentError(
      `Guards are played on the stage scripted alone: only the real CLI proves that one holds, and ${value} does not play it.`,
    );
  });
}

/** `understudy guard`: does what was written to stop an agent stop it? */
export function register(program: Command): void {
  const command = program
    .command('guard')
    .summary('does each hook, rule and policy stop what it should?')
    .description(
      'attack every guard of a plugin or project (hooks that block, permission rules, lists of MCP servers) on the real Claude Code, and try a harmless twin of each attack',
    )
    .argument('[path]', 'the folder of a plugin, or of a project with .claude/settings.json (default: ".")')
    .option('--mine', 'your own settings in ~/.claude and enabled plugins, from copies: nothing is written there')
    .option('--agent <agent>', 'claude, claude@2.1.325; may be given several times', collect)
    .addOption(stageOfGuards())
    .option('--managed <file>', 'settings of an administrator, to be played and tested, too')
    .option('-g, --grep <text>', 'play only guards with this text in their name or file')
    .option('--list', 'list the guards with their attacks, and play nothing')
    .option('--prove', 'plant faults into copies of each guard, and name those that nobody would notice')
    .option('--write <folder>', 'write a rehearsal for each guard, which `understudy run` plays alone')
    .option('--workers <n>', 'play this many at the same time', wholeNumber)
    .option('--keep-workspace', 'keep the folders of all guards, not only of those that do not hold')
    .option('--strict', 'fail when a guard was skipped')
    .option('--no-open', 'do not open the report of a failed run in the browser')
    .addOption(isolationOption());
  addReporterOptions(command)
    .addHelpText(
      'after',
      '\nAn attack that nothing stops really runs, so a sandbox is required; --isolation none is at your own risk.' +
        '\nExit codes: 0 every guard holds, 1 one does not hold or could not be judged, 2 there is no guard, or the harness could not do its job, 130 interrupted.',
    )
    .action(async (path: string | undefined, options: GuardFlags) => {
      const { readProjectConfig } = await import('@understudy/runner');
      const { withConfig } = await import('../config-flags.js');
      const { guardFolder } = await import('../guard-folder.js');
      process.exitCode = await guardFolder(path, withConfig(options, readProjectConfig()));
    });
}
