import type { Command } from 'commander';
import type { FireHookOptions } from '../fire-hook.js';
import { isolationOption } from './run-options.js';

/** `understudy hook`: runs the hooks of one event. */
export function register(program: Command): void {
  program
    .command('hook')
    .summary('send an event to hooks, and see what each one does')
    .description('send one event to the hooks of a plugin or of a project, and show what each of them does')
    .argument('<path>', 'a plugin, or a project with hooks in .claude/settings.json')
    .argument('<event>', 'PreToolUse, Stop, SessionEnd …')
    .option('--tool <name>', 'the tool, for events about tools', 'Write')
    .option('--input <json>', 'the input of that tool')
    .option('--fields <json>', 'fields that override the generated payload')
    .option('--cwd <folder>', 'the project folder (default: an empty one)')
    .addOption(isolationOption())
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExit codes: 0 the hooks ran and none failed (a hook that blocks has not failed); 1 a hook failed (exit 1, timeout);' +
        '\n2 nothing ran (unknown event, or no hook matches).',
    )
    .action(async (path: string, event: string, options: FireHookOptions) => {
      const { withIsolation } = await import('../config-flags.js');
      const { fireHookCommand } = await import('../fire-hook.js');
      process.exitCode = await fireHookCommand(path, event, withIsolation(options));
    });
}
