import { execFileSync } from 'node:child_process';
import { Command, Option } from 'commander';
import { expect, it } from 'vitest';
import { completionScript } from './completion.js';

function program(): Command {
  const root = new Command('tool').version('1.0.0');
  root
    .command('run')
    .alias('test')
    .description("plays the user's tests")
    .option('--reporter <names>')
    .addOption(new Option('--stage <stage>').choices(['sim', 'live']));
  const agents = root.command('agents');
  agents.command('add').argument('<name>').option('--force');
  root.command('secret', { hidden: true });
  return root;
}

/** What bash offers after these words. */
function complete(...words: string[]): string[] {
  const script = `${completionScript(program(), 'bash')}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_tool_complete; echo "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split(' ');
}

it('completes commands, subcommands, flags and values', () => {
  expect(complete('tool', '')).toEqual(expect.arrayContaining(['run', 'agents', '--version']));
  expect(complete('tool', '')).not.toContain('secret');
  expect(complete('tool', 'ag')).toEqual(['agents']);
  expect(complete('tool', 'agents', 'a')).toEqual(['add']);
  expect(complete('tool', 'agents', 'add', '--f')).toEqual(['--force']);
  expect(complete('tool', 'run', '--stage', '')).toEqual(['sim', 'live']);
  expect(complete('tool', 'te')).toEqual(['test']);
  expect(complete('tool', 'test', '--stage', 's')).toEqual(['sim']);
  expect(complete('tool', 'run', '--reporter', 'ju')).toEqual(['junit']);
});

it('has the same for zsh and fish', () => {
  expect(completionScript(program(), 'zsh')).toContain('bashcompinit\n_tool_complete()');
  const fish = completionScript(program(), 'fish');
  expect(fish).toContain("complete -c tool -n '__fish_use_subcommand' -f -a run -d 'plays the user\\'s tests'");
  expect(fish).toContain("complete -c tool -n '__fish_seen_subcommand_from run' -l stage -x -a 'sim live'");
});
