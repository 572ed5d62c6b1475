import type { Command } from 'commander';

interface Options {
  agent: string;
  json?: true;
  strict?: true;
}

/** `understudy plugin`: does this plugin really load? */
export function register(program: Command): void {
  program
    .command('plugin')
    .description('does this plugin really load? what came up, what failed and why')
    .argument('<path>', 'the folder of a plugin, or of a marketplace for every plugin in it')
    .option('--agent <agent>', 'the Claude Code to ask: claude@2.1.325', 'claude')
    .option('--strict', 'warnings fail too')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExit codes: 0 all of it loaded, 1 something failed, 2 it could not be looked at (no folder, no CLI).',
    )
    .action(async (path: string, options: Options) => {
      const { inspectPlugins } = await import('../inspect-plugins.js');
      process.exitCode = await inspectPlugins(path, options);
    });
}
