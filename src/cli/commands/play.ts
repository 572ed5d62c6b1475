import type { Command } from 'commander';

interface Options {
  json?: true;
}

export function register(program: Command): void {
  program
    .command('play')
    .summary('talk to a scenario in the terminal')
    .description('talk to a scenario in the terminal, or pipe prompts into it, one per line')
    .argument('<file>', 'the scenario, a .toml or .json file')
    .option('--json', 'print one JSON document when the input ends')
    .addHelpText(
      'after',
      '\nOn a terminal you can also type :unused, :reset and :quit.\nExit codes: 0 every prompt was answered, 1 a prompt had no answer, 2 there was no prompt.',
    )
    .action(async (file: string, options: Options) => {
      const { playScenario } = await import('../play-scenario.js');
      process.exitCode = await playScenario(file, options);
    });
}
