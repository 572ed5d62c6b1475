import type { Command } from 'commander';

/** `understudy claude …`: the stand-in. All arguments after `claude` are its own. */
export function register(program: Command): void {
  program
    .command('claude')
    .summary('the stand-in for Claude Code')
    .description('the stand-in for Claude Code: the flags of the real CLI, the answers of a scenario')
    .argument('[args...]', 'flags of claude, with --scenario FILE or UNDERSTUDY_SCENARIO')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (args: string[]) => {
      const { runClaude } = await import('@understudy/stand-ins');
      process.exitCode = await runClaude(args, process.env);
    });
}
