import type { Command } from 'commander';

export function register(program: Command): void {
  program
    .command('mcp')
    .description('the harness as an MCP server, for agents and test frameworks')
    .option('--http', 'serve over HTTP instead of stdin and stdout')
    .option('--port <number>', 'the port for --http; 0 takes a free one', '3000')
    .option('--host <address>', 'the address for --http', '127.0.0.1')
    .option('--allow-host <name...>', 'another name under which clients may reach us')
    .option('--token <text>', 'the token that clients must send; also UNDERSTUDY_MCP_TOKEN; a fresh one by default')
    .option('--no-token', 'let everybody in who reaches the port')
    .option('--root <folder...>', 'folders below which projects may lie (default: this one and the temporary one)')
    .option('--artifacts <folder>', 'where captured artifacts go; without it they go when the client does')
    .option('--max-conversations <number>', 'conversations that one client may have at once', '8')
    .option('--idle-minutes <number>', 'a conversation that nobody uses is ended after this long', '15')
    .option('--allow-live', 'let conversations use the real model, with the credentials of this environment')
    .option('--print-config', 'print the entry for Claude Code, OpenCode and others, and do not serve')
    .option('--json', 'with --http or --print-config: one JSON document')
    .addHelpText(
      'after',
      '\nOver stdio it serves one client and ends when that leaves. Over HTTP it serves until it is interrupted.' +
        '\nExit codes: 0 the client left, 130 interrupted, 2 it could not start.',
    )
    .action(async (options) => {
      const { serveMcp } = await import('../serve-mcp.js');
      process.exitCode = await serveMcp(options);
    });
  program
    .command('mcp-proxy', { hidden: true })
    .argument('<spec>')
    .action(async (spec: string) => {
      const { runProxy } = await import('../../mcp/harness/mcp-servers/run-proxy.js');
      process.exit(await runProxy(spec));
    });
}
