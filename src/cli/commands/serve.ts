import type { Command } from 'commander';

interface Options {
  scenario: string;
  port: string;
  host: string;
  journal?: string;
  json?: true;
}

export function register(program: Command): void {
  program
    .command('serve')
    .description('play a scenario as a model API, for the real CLIs')
    .requiredOption('--scenario <file>', 'the scenario: TOML, or JSON by its extension')
    .option('--port <number>', 'the port to listen on; 0 takes a free one', '0')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--journal <file>', 'write every request and answer to a file, as JSON lines')
    .option('--json', 'print one JSON document with the URL and the environment of each CLI')
    .addHelpText(
      'after',
      '\nRuns until it is interrupted. Then it says what no rule answered and which rules were not used.' +
        '\nExit codes: 130 interrupted, 1 ended by a signal after a request that no rule answered, 2 it could not start.',
    )
    .action(async (options: Options) => {
      const { serveScenario } = await import('../serve-scenario.js');
      process.exitCode = await serveScenario(options);
    });
}
