import { SESSION_MODES } from '@understudy/agents';
import { type Command, Option } from 'commander';
import type { PermitFlags } from '../ask-permit.js';
import { stageOfGuards } from './guard.js';
import { isolationOption } from './run-options.js';

/** `understudy permit`: one question about permissions, asked of the real CLI. */
export function register(program: Command): void {
  program
    .command('permit')
    .summary('may the agent do this? Which rule or hook decides?')
    .description(
      'ask the real Claude Code whether it would use a tool like this, and show the rule or hook that decides',
    )
    .argument(
      '<use>',
      "the use of a tool, like a rule: 'Bash(cat .env)', 'Read(.env)', 'WebFetch(https://example.com)'",
    )
    .argument('[path]', 'the folder of a project, or of a plugin', '.')
    .addOption(new Option('--mode <mode>', 'the permission mode').choices(SESSION_MODES))
    .option('--settings <file>', 'more settings, as with --settings of Claude Code')
    .option('--managed <file>', 'settings of an administrator')
    .option('--agent <agent>', 'the version to ask, such as claude@2.1.325', 'claude')
    .addOption(stageOfGuards())
    .addOption(isolationOption())
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nWhat is allowed really runs, in a copy and in a sandbox; --isolation none is at your own risk.' +
        '\nExit codes: 0 there is an answer, whatever it is; 2 there is none.',
    )
    .action(async (use: string, path: string, options: PermitFlags) => {
      const { withIsolation } = await import('../config-flags.js');
      const { askPermitCommand } = await import('../ask-permit.js');
      process.exitCode = await askPermitCommand(use, path, withIsolation(options));
    });
}
