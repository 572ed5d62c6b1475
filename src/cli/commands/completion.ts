import { Argument, type Command } from 'commander';
import type { Shell } from '../completion.js';
import { print } from '../output.js';

export function register(program: Command): void {
  program
    .command('completion')
    .summary('a script that completes commands for your shell')
    .description('print a script with which a shell completes commands, flags and values')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      '\nbash: eval "$(understudy completion bash)" in ~/.bashrc. zsh: the same in ~/.zshrc. fish: understudy completion fish > ~/.config/fish/completions/understudy.fish.',
    )
    .action(async (shell: Shell) => {
      const { completionScript } = await import('../completion.js');
      print(completionScript(program, shell).trimEnd());
    });
}
