import type { Command } from 'commander';
import { collect } from './run-options.js';

export function register(program: Command): void {
  program
    .command('mcp')
    .summary('the harness as an MCP server, for agents')
    .description('run understudy as an MCP server, for agents and test frameworks')
    .option('--http', 'serve over HTTP instead of stdin and stdout')
    .option('--port <number>', 'the port for --http; 0 means any free port', '3000')
    .option('--host <address>', 'the address for --http', '127.0.0.1')
    .option('--allow-host <name>', 'another host name that clients may use; may be given several times', collect)
    .option(
      '--token <text>',
      'the token that clients must send, at least 16 characters (default: UNDERSTUDY_MCP_TOKEN, or a new random one)',
    )
    .option('--no-token', 'accept every client that can reach the port')
    .option(
      '--root <folder>',
      'a folder that may contain projects; may be given several times (default: the current and the temporary folder)',
      collect,
    )
    .option(
      '--artifacts <folder>',
      'where to keep captured artifacts, with --http in a folder for each client (default: removed when the client leaves)',
    )
    .option('--max-conversations <number>', 'conversations that one client may run at the same time', '8')
    .option('--idle-minutes <number>', 'end a conversation that was not used for N minutes', '15')
    .option(
      '--client-idle-minutes <number>',
      'with --http: end the session of a client that sent nothing for N minutes',
      '10',
    )
    .option('--allow-live', 'allow the stage live: the real model, with the credentials of this environment')
    .option('--print-config', 'print the configuration for Claude Code, OpenCode and others, and exit')
    .option('--json', 'with --http or --print-config: print one JSON document')
    .addHelpText(
      'after',
      '\nOver stdio it serves one client and ends when the client leaves. Over HTTP it serves until it is interrupted.' +
        '\nExit codes: 0 the client left, 130 interrupted, 2 it could not start.',
    )
    .action(async (options) => {
      const { serveMcp } = await import('../serve-mcp.js');
      process.exitCode = await serveMcp(options);
    });
}
