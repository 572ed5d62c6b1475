import type { Command } from 'commander';

/** `understudy claude …`: the stand-in; everything after the word is its own command line. */
export function register(program: Command): void {
  program
    .command('claude')
    .description('the stand-in for Claude Code: plays a scenario behind the flags of the real CLI')
    .argument('[args...]', 'flags of claude, with --scenario FILE or UNDERSTUDY_SCENARIO')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (args: string[]) => {
      const { runClaude } = await import('../../stand-ins/claude/main.js');
      process.exitCode = await runClaude(args, process.env);
    });
}
