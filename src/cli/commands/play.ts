import type { Command } from 'commander';

interface Options {
  json?: true;
}

export function register(program: Command): void {
  program
    .command('play')
    .description('talk to a scenario in the terminal; piped, each line is a prompt')
    .argument('<file>', 'the scenario: TOML, or JSON by its extension')
    .option('--json', 'print one JSON document when the input ends')
    .addHelpText(
      'after',
      '\nOn a terminal: :unused, :reset and :quit are commands of the player.\nExit code 1: a prompt had no answer.',
    )
    .action(async (file: string, options: Options) => {
      const { playScenario } = await import('../play-scenario.js');
      process.exitCode = await playScenario(file, options);
    });
}
