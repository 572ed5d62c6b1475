import { type SimpleCommand, withoutQuotes } from './bash-command.js';
import { changedFiles } from './command-kinds.js';

/** Builtins that run what they are given. */
const EVALUATING = new Set(['.', 'alias', 'eval', 'exec', 'hash', 'let', 'source', 'trap']);

const cannot = (what: string): string => `${what} in this command can't be checked before it runs`;

/** What stands where a command begins: at the start, and behind what separates commands. */
const BEGIN = '(?:^|[;&|\\n]|\\b(?:do|then|else)\\b)[ \\t]*';

const SHAPES: readonly [RegExp, string][] = [
  [new RegExp(`${BEGIN}(?:while|until)\\b[\\s\\S]*\\bdone\\b\\s*<`), cannot('A while or until loop')],
  [new RegExp(`${BEGIN}case\\s`), cannot('A case statement')],
  [new RegExp(`${BEGIN}for\\s*\\(\\(`), cannot('A counting for loop')],
  [new RegExp(`${BEGIN}(?:function\\s|\\w+\\s*\\(\\))`), cannot('A function definition')],
  [new RegExp(`${BEGIN}(?:\\{\\s|\\(\\()`), cannot('A group in braces or double parentheses')],
  [new RegExp(`${BEGIN}\\(`), 'This command uses shell operators that require approval for safety'],
  [/(?<!<)<<-?\s*\w/, 'Heredoc with unquoted delimiter undergoes shell expansion'],
  [/<<-?\s*(["'])_+\1[^\n|>]{0,200}>/, cannot('A file redirect')],
  [/<<-?\s*(["'])_+\1[^\n|>]{0,200}\|/, cannot('A pipeline')],
  [/@\{[^}\s]*\}\S*\.\./, 'Brace expansion (unquoted `{` in concatenation with `,`/`..`)'],
  [/(?<!\$)\{[^{}\s]*(?:,|\.\.)[^{}\s]*\}/, 'Brace expansion'],
  [/\$'/, cannot('Text with escape codes')],
  [/\$"/, "This command can't be checked before it runs"],
  [/<>/, 'Unrecognized redirect shape'],
  [/\\[ \t]/, 'Contains backslash-escaped whitespace'],
];

export const BACKGROUND =
  'This command uses the `&` background operator, which defers execution past approval-time safety checks. Approve ' +
  'only if you trust it.';
const CHANGED_ELSEWHERE =
  ' require explicit approval to ensure paths are evaluated correctly. For security, Claude Code cannot automatically ' +
  "determine the final working directory when 'cd' is used in compound commands.";
const OTHER_REPOSITORY =
  'This command changes directory before running a version-control command, which can pick up untrusted hooks or ' +
  'repository configuration from the target directory. Approve only if you trust it.';

/** Why the CLI does not look into a line, in its words; nothing when it does. */
export function uncheckable(line: string, commands: readonly SimpleCommand[]): string | undefined {
  const open = withoutQuotes(line);
  const shape = SHAPES.find(([pattern]) => pattern.test(open));
  if (shape !== undefined) return shape[1];
  const evaluating = commands.find(({ words: [name = ''] }) => EVALUATING.has(name));
  if (evaluating !== undefined) return `'${evaluating.words[0]}' evaluates arguments as shell code`;
  if (/(?<![&><|])&\s*$/.test(open)) return BACKGROUND;
  const moved = commands.findIndex(
    ({ words: [name, folder] }) => name === 'cd' && folder !== undefined && folder !== '.',
  );
  if (moved === -1) return undefined;
  if (commands.some(({ writesTo }) => writesTo.length > 0))
    return `Commands that change directories and write via output redirection${CHANGED_ELSEWHERE}`;
  if (commands.some((command) => changedFiles(command) !== undefined))
    return `Commands that change directories and perform write operations${CHANGED_ELSEWHERE}`;
  return commands.slice(moved).some(({ words: [name] }) => name === 'git') ? OTHER_REPOSITORY : undefined;
}
