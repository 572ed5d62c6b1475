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
    .argument('[paths...]')
    .option('--target <name>')
    .option('-g, --grep <text>')
    .option('--output <dir>')
    .option('--reporter <names>')
    .addOption(new Option('--stage <stage>').choices(['sim', 'live']));
  const agents = root.command('agents');
  agents.command('add').argument('<name>').option('--force');
  root.command('secret', { hidden: true });
  return root;
}

/** A value with a command, a space and a quotation mark in it. */
const HOSTILE = 'a $(touch hacked) "b';

/** What bash offers after a line, with values that a program knows. */
function complete(line: string, words: readonly string[] = line.split(' ')): string[] {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const values = ['claude@2.1.1', 'claude@2.1.2', '@slow', HOSTILE].map((value) => `echo ${quoted(value)};`).join(' ');
  const script = `${completionScript(program(), 'bash')}
tool() { [ "$1" = completion-values ] && { ${values} }; }
compopt() { :; }
COMP_WORDS=(${words.map(quoted).join(' ')}); COMP_CWORD=${words.length - 1}; COMP_LINE=${quoted(line)}; COMP_POINT=${line.length}
_tool_complete tool ${quoted(words.at(-1) ?? '')}; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
}

it('completes commands, subcommands, flags and values', () => {
  expect(complete('tool ')).toEqual(expect.arrayContaining(['run', 'agents', '--version']));
  expect(complete('tool ')).not.toContain('secret');
  expect(complete('tool ag')).toEqual(['agents']);
  expect(complete('tool agents a')).toEqual(['add']);
  expect(complete('tool agents add --f')).toEqual(['--force']);
  expect(complete('tool run --stage ')).toEqual(['sim', 'live']);
  expect(complete('tool test --stage l')).toEqual(['live']);
  expect(complete('tool run --stage=l', ['tool', 'run', '--stage', '=', 'l'])).toEqual(['live']);
  expect(complete('tool run --output ')).toEqual(['']);
  expect(complete('tool te')).toEqual(['test']);
  expect(complete('tool run --reporter ju')).toEqual(['junit']);
});

it('asks the program for what only it knows, and expands nothing of it', () => {
  expect(complete('tool run --target a')).toEqual(['a\\ \\$\\(touch\\ hacked\\)\\ \\"b']);
  // Bash replaces what stands behind these characters, or begins with an @.
  expect(complete('tool run --target claude@2.1.', ['tool', 'run', '--target', 'claude', '@2.1.'])).toEqual([
    '@2.1.1',
    '@2.1.2',
  ]);
  expect(complete('tool run -g @s')).toEqual(['@slow']);
  expect(complete('tool run --target=claude@', ['tool', 'run', '--target', '=', 'claude', '@'])).toEqual([
    '@2.1.1',
    '@2.1.2',
  ]);
});

it('has the same for zsh and fish', () => {
  expect(completionScript(program(), 'zsh')).toContain('bashcompinit\n_tool_complete()');
  const fish = completionScript(program(), 'fish');
  expect(fish).toContain("complete -c tool -n '__fish_use_subcommand' -f -a run -d 'plays the user\\'s tests'");
  expect(fish).toContain("complete -c tool -n '__fish_seen_subcommand_from run' -l stage -x -a 'sim live'");
  expect(fish).toContain("-l target -x -a '(tool completion-values targets 2>/dev/null)'");
});
