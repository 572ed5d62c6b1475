import type { Command } from 'commander';
import type { FireHookOptions } from '../fire-hook.js';

/** `understudy hook`: hooks, one at a time. */
export function register(program: Command): void {
  const hook = program.command('hook').description('try the hooks of a plugin or of a project');
  hook
    .command('fire')
    .description('fire an event by hand and see what its hooks do with it')
    .argument('<path>', 'a plugin, or a project with hooks in .claude/settings.json')
    .argument('<event>', 'PreToolUse, Stop, SessionEnd …')
    .option('--tool <name>', 'the tool of tool events', 'Write')
    .option('--input <json>', 'the input of that tool')
    .option('--fields <json>', 'fields of the payload, in the place of ours')
    .option('--cwd <folder>', 'the project in which it happens; absent, an empty folder')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExit codes: 0 the hooks ran and none failed, blocking included; 1 a hook failed (exit 1, time-out …);' +
        '\n2 nothing ran (no such event, no hook that matches).',
    )
    .action(async (path: string, event: string, options: FireHookOptions) => {
      const { fireHookCommand } = await import('../fire-hook.js');
      process.exitCode = await fireHookCommand(path, event, options);
    });
}
