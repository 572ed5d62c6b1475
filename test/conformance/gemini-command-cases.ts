import { stream, text, usage } from './gemini-runs.js';
import type { ScriptedCase, ScriptedRun } from './scripted-case.js';

const COMMANDS = {
  greet: 'description = "Greets"\nprompt = "Say {{args}}, then {{args}}."',
  fix: 'prompt = """\nFix it.\nQuickly.\n"""',
  'git/commit': 'prompt = "Commit: {{args}}"',
  read: 'prompt = "See @{a.txt}, @{ sub/b.txt } and @{none.txt}: {{args}}"',
  pic: 'prompt = "Look: @{pic.png}"',
  ignored: 'prompt = "See @{x.log}."',
  outside: 'prompt = "See @{../home/.gemini/settings.json}."',
  run: 'prompt = "Got !{echo {{args}}} and !{printf \'{a}\'; exit 3} for {{args}}."',
  both: 'prompt = "!{cat a.txt} @{a.txt}"',
  open: 'prompt = "Got !{echo a"',
  substituting: 'prompt = "!{echo $(printf a)}"',
  'odd name': 'prompt = "Odd."',
  help: 'prompt = "My help."',
  shared: 'prompt = "From the project."',
};

const FILES = {
  ...Object.fromEntries(Object.entries(COMMANDS).map(([name, toml]) => [`.gemini/commands/${name}.toml`, `${toml}\n`])),
  ...{ 'a.txt': 'one\n', 'sub/b.txt': 'b\n', 'sub/c.txt': 'c\n', 'pic.png': 'png', 'x.log': 'x\n' },
  '.geminiignore': '*.log\n',
};

const HOME = {
  '.gemini/commands/shared.toml': 'prompt = "From home."\n',
  '.gemini/commands/mine.toml': 'prompt = "Mine: {{args}}"\n',
};

const SCENARIO = { responses: [{ pattern: { type: 'any' }, response: { text: '<{{prompt}}>', usage } }] };

const one = (name: string, run: ScriptedRun, more: Partial<ScriptedCase> = {}): ScriptedCase => ({
  ...{ name, runs: [run], scenario: SCENARIO, files: FILES, home: HOME },
  ...more,
});
const says = (name: string, prompt: string, more: Partial<ScriptedCase> = {}): ScriptedCase =>
  one(name, stream('-p', prompt), more);

/** Slash commands, own ones and those of Gemini CLI. */
export const GEMINI_COMMAND_CASES: readonly ScriptedCase[] = [
  says('a command with arguments', '/greet bob  and ann'),
  says('a command without arguments', '/greet'),
  one('a command, as text', text('-p', '  /greet bob')),
  says('a command that names no arguments', '/fix now  please'),
  says('a command that names no arguments, without any', '/fix'),
  says('a command in a folder', '/git:commit all'),
  says('a command by a part of its name', '/git commit all'),
  says('a command of the user', '/mine x'),
  says('a command with an odd name', '/odd_name x'),
  says('a command with a file in its arguments', '/greet @a.txt'),
  says('a command with files', '/read it'),
  says('a command with a picture', '/pic'),
  one('a command with an ignored file', text('-p', '/ignored')),
  says('a command with a file outside', '/outside'),
  says('a command with commands', "/run it's me"),
  says('a command with commands and files', '/both'),
  says('a command that is not closed', '/open'),
  says('a command with a command in a command', '/substituting'),
  one('a command with commands that nobody approves', { args: ['-o', 'stream-json', '-p', '/run x'] }),
  one('a command with commands that nobody approves, as text', { args: ['-p', '/run x'] }),
  one('a command with commands that are allowed', {
    args: ['-o', 'stream-json', '--allowed-tools', 'run_shell_command(echo),run_shell_command(printf)', '-p', '/run x'],
  }),
  says('a command that is no TOML', '/greet x', { files: { ...FILES, '.gemini/commands/bad.toml': 'prompt = ' } }),
  says('a command without a prompt', '/greet x', { files: { ...FILES, '.gemini/commands/bad.toml': 'a = 1\n' } }),
  says('an unknown command', '/nosuch @a.txt'),
  says('a command with a name of Gemini CLI', '/help'),
  says('a command with a name of Gemini CLI, by its other name', '/workspace.help x'),
  says('a command that two have', '/shared'),
  says('a command that two have, of the user', '/user.shared'),
  says('a command that two have, of the project', '/workspace.shared'),
  one('a command that cannot be run, as a document', { args: ['-o', 'json', '-p', '/run x'] }),
  says('a comment', '// greet'),
  says('a path', '/etc/hosts'),
  one('a command behind what is piped in', { ...stream('-p', '/greet x'), input: 'piped' }),
];
