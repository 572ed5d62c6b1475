import type { Command } from 'commander';

interface Options {
  agent: string;
  json?: true;
  strict?: true;
}

/** `understudy plugin`: loads a plugin and reports what loaded. */
export function register(program: Command): void {
  program
    .command('plugin')
    .description('load a plugin into the real Claude Code and report what loaded, what failed and why')
    .argument('<path>', 'the folder of a plugin, or of a marketplace to load all its plugins')
    .option('--agent <agent>', 'the version to use, such as claude@2.1.325', 'claude')
    .option('--strict', 'treat warnings as errors')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExit codes: 0 everything loaded, 1 something failed, 2 the plugin could not be inspected (no folder, no CLI).',
    )
    .action(async (path: string, options: Options) => {
      const { inspectPlugins } = await import('../inspect-plugins.js');
      process.exitCode = await inspectPlugins(path, options);
    });
}
