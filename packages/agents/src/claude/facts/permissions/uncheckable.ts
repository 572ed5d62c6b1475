import { type ShellLine, type SimpleCommand, withoutQuotes } from './bash-command.js';
import { changedFiles } from './command-kinds.js';
import { settingsBefore, startsUnread } from './wrappers.js';

/** Builtins that run what they are given. */
const EVALUATING = new Set(
  '. alias bind complete coproc enable eval exec hash let mapfile nocorrect readarray source trap'.split(' '),
);

export const cannot = (what: string): string => `${what} in this command can't be checked before it runs`;

/** What stands where a command begins: at the start, and behind what separates commands. */
const BEGIN = '(?:^|[;&|\\n]|\\b(?:do|then|else)\\b)[ \\t]*';

export const OPERATORS = 'This command uses shell operators that require approval for safety';

const SHAPES: readonly [RegExp, string][] = [
  [new RegExp(`${BEGIN}case\\s`), cannot('A case statement')],
  [new RegExp(`${BEGIN}(?:function\\s|\\w+\\s*\\(\\))`), cannot('A function definition')],
  [new RegExp(`${BEGIN}(?:\\{\\s|\\(\\()`), cannot('A group in braces or double parentheses')],
  [new RegExp(`${BEGIN}\\(`), OPERATORS],
  [/(?<!<)<<-?\s*\w/, 'Heredoc with unquoted delimiter undergoes shell expansion'],
  [/(?<!\$)\{[^{}\s]*(?:,|\.\.)[^{}\s]*\}/, 'Brace expansion'],
];

export const BACKGROUND =
  'This command uses the `&` background operator, which defers execution past approval-time safety checks. Approve ' +
  'only if you trust it.';
const CHANGED_ELSEWHERE =
  ' require explicit approval to ensure paths are evaluated correctly. For security, Claude Code cannot automatically ' +
  "determine the final working directory when 'cd' is used in compound commands.";
const WRITES_ELSEWHERE = `Commands that change directories and write via output redirection${CHANGED_ELSEWHERE}`;
const CHANGES_ELSEWHERE = `Commands that change directories and perform write operations${CHANGED_ELSEWHERE}`;
const elsewhere = (what: string): string =>
  `Compound command contains cd with ${what} - manual approval required to prevent path resolution bypass`;
/** Where only the folder of a change is not known, and the reason that is given for it. */
export const ELSEWHERE: ReadonlyMap<string | undefined, string> = new Map([
  [WRITES_ELSEWHERE, elsewhere('output redirection')],
  [CHANGES_ELSEWHERE, elsewhere('write operation')],
]);
export const OTHER_REPOSITORY =
  'This command changes directory before running a version-control command, which can pick up untrusted hooks or ' +
  'repository configuration from the target directory. Approve only if you trust it.';

/** Shapes for which the CLI has words of their own, and the stand-in has none. */
const BEYOND: readonly RegExp[] = [
  new RegExp(`${BEGIN}(?:while|until)\\b[\\s\\S]*\\bdone\\b\\s*<`),
  new RegExp(`${BEGIN}for\\s*\\(\\(`),
  /<<-?\s*(["'])_+\1[^\n|>]{0,200}[|>]/,
  /@\{[^}\s]*\}\S*\.\./,
  /\$['"]/,
  /<>/,
  /\\[ \t]/,
];

/** Variables that change how the shell reads a line. */
const READING = /^(?:IFS=|\w+=~|(?:COLUMNS|LINES|SECONDS)=(?!\d+$))/;

/** What the CLI would look at in a line, and the stand-in does not. */
export function whatIsBeyond({ line, commands }: ShellLine): string | undefined {
  const open = withoutQuotes(line);
  if (BEYOND.some((shape) => shape.test(open))) return 'whether a line of this shape needs approval';
  if (commands.some(({ words }) => words.slice(0, settingsBefore(words)).some((word) => READING.test(word))))
    return 'whether a line that changes how the shell reads needs approval';
  const unread = commands.find(({ words }) => startsUnread(words));
  return unread === undefined ? undefined : `what \`${unread.program[0]}\` starts here`;
}

/** The CLI does not know the shell before a command has run in it, and trusts no line then that sets a variable. */
export const FRESH_VARIABLE = cannot('A variable set');

/** Whether the CLI cannot check a line. */
export function isUnchecked(shell: ShellLine): boolean {
  return whyUnchecked(shell) !== undefined || whatIsBeyond(shell) !== undefined;
}

/** Why the CLI cannot know what a line does, in its words; nothing when it can. */
export function whyUnchecked({ line, commands, hidden }: ShellLine): string | undefined {
  return uncheckable(line, commands) ?? (hidden === undefined ? undefined : cannot(hidden));
}

function uncheckable(line: string, commands: readonly SimpleCommand[]): string | undefined {
  const open = withoutQuotes(line);
  const shape = SHAPES.find(([pattern]) => pattern.test(open));
  if (shape !== undefined) return shape[1];
  const evaluating = commands.find(({ program: [name = ''] }) => EVALUATING.has(name));
  if (evaluating !== undefined) return `'${evaluating.program[0]}' evaluates arguments as shell code`;
  if (commands.some(({ words }) => words.length > 1 && settingsBefore(words) === words.length))
    return cannot('Variable assignments');
  if (/(?<![&><|])&\s*$/.test(open)) return BACKGROUND;
  const moved = commands.findIndex(
    ({ words: [name, folder] }) => name === 'cd' && folder !== undefined && folder !== '.',
  );
  if (moved === -1) return undefined;
  if (commands.some(({ writesTo }) => writesTo.length > 0)) return WRITES_ELSEWHERE;
  if (commands.some((command) => changedFiles(command) !== undefined)) return CHANGES_ELSEWHERE;
  return commands.slice(moved).some(({ words: [name] }) => name === 'git') ? OTHER_REPOSITORY : undefined;
}
