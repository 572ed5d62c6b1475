import type { Command } from 'commander';
import { isolationOption } from './run-options.js';

interface Options {
  agent: string;
  json?: true;
  reporter?: string;
  strict?: true;
  fire?: true;
  allowNetwork?: true;
  isolation?: string;
}

/** `understudy plugin`: loads a plugin and reports what loaded. */
export function register(program: Command): void {
  program
    .command('plugin')
    .summary('load a plugin into the real CLI, and see what fails')
    .description('load a plugin into the real Claude Code and report what loaded, what failed and why')
    .argument('<paths...>', 'folders of plugins, or of marketplaces to load all their plugins')
    .option('--agent <agent>', 'the version to use, such as claude@2.1.325', 'claude')
    .option('--strict', 'treat warnings as errors')
    .option('--fire', 'also run each hook command once by hand, with a fitting payload')
    .option(
      '--allow-network',
      'fetch plugins of a marketplace from elsewhere, and let hooks and servers use the network',
    )
    .addOption(isolationOption())
    .option('--reporter <names>', 'list, json or sarif; several with commas, a file with =: list,sarif=findings.sarif')
    .option('--json', 'the same as --reporter json')
    .addHelpText(
      'after',
      '\nExit codes: 0 everything loaded, 1 something failed or was not judged, 2 the plugin could not be inspected (no folder, no CLI).',
    )
    .action(async (paths: string[], options: Options) => {
      const { withIsolation } = await import('../config-flags.js');
      const { inspectPlugins } = await import('../inspect-plugins.js');
      process.exitCode = await inspectPlugins(paths, withIsolation(options));
    });
}
