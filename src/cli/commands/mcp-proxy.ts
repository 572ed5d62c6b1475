import type { Command } from 'commander';

export function register(program: Command): void {
  program
    .command('mcp-proxy', { hidden: true })
    .argument('<spec>')
    .action(async (spec: string) => {
      const { runProxy } = await import('@understudy/stage');
      process.exit(await runProxy(spec));
    });
}
