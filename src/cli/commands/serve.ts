import type { Command } from 'commander';
import type { ServeOptions } from '../serve-scenario.js';
import { collect } from './run-options.js';

export function register(program: Command): void {
  program
    .command('serve')
    .summary('a model API that answers from a scenario')
    .description('run the scripted model server: a model API that answers from a scenario')
    .requiredOption('--scenario <file>', 'the scenario, a .toml or .json file')
    .option('--port <number>', 'the port to listen on; 0 means any free port', '0')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--allow-remote', 'listen on an address that other machines can reach')
    .option(
      '--allow-host <name>',
      'another name under which clients reach the server; may be given several times',
      collect,
    )
    .option('--key <text>', 'the API key that clients must send, at least 16 characters (default: a random one)')
    .option('--control-token <text>', 'the token for the control API, at least 16 characters (default: a random one)')
    .option('--ready-file <file>', 'write this file, with the document of --json, when the server listens')
    .option('--no-reload', 'do not reload the scenario when its file changes')
    .option('-q, --quiet', 'no line for each request')
    .option('--log <file>', 'write every request and answer to this file, as JSON lines')
    .option('--json', 'print one JSON document with the URL and the environment variables for each CLI')
    .addHelpText(
      'after',
      '\nRuns until it is interrupted. Then it reports unanswered requests and unused rules.' +
        '\nThe control API: GET /_understudy/usage, GET /_understudy/journal, POST /_understudy/reset, POST /_understudy/scenario.' +
        '\nExit codes: 130 interrupted; ended by another signal: 0, or 1 if a request was not answered; 2 it could not start.',
    )
    .action(async (options: ServeOptions) => {
      const { serveScenario } = await import('../serve-scenario.js');
      process.exitCode = await serveScenario(options);
    });
}
