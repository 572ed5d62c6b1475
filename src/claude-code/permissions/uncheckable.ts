import { type ShellLine, type SimpleCommand, withoutQuotes } from './bash-command.js';
import { changedFiles } from './command-kinds.js';
import { settingsBefore, unreadableStart } from './wrappers.js';

/** Builtins that run what they are given. */
const EVALUATING = new Set(
  '. alias bind complete coproc enable eval exec hash let mapfile nocorrect readarray source trap'.split(' '),
);

export const cannot = (what: string): string => `${what} in this command can't be checked before it runs`;

/** What stands where a command begins: at the start, and behind what separates commands. */
const BEGIN = '(?:^|[;&|\\n]|\\b(?:do|then|else)\\b)[ \\t]*';

export const OPERATORS = 'This command uses shell operators that require approval for safety';

const SHAPES: readonly [RegExp, string][] = [
  [new RegExp(`${BEGIN}(?:while|until)\\b[\\s\\S]*\\bdone\\b\\s*<`), cannot('A while or until loop')],
  [new RegExp(`${BEGIN}case\\s`), cannot('A case statement')],
  [new RegExp(`${BEGIN}for\\s*\\(\\(`), cannot('A counting for loop')],
  [new RegExp(`${BEGIN}(?:function\\s|\\w+\\s*\\(\\))`), cannot('A function definition')],
  [new RegExp(`${BEGIN}(?:\\{\\s|\\(\\()`), cannot('A group in braces or double parentheses')],
  [new RegExp(`${BEGIN}\\(`), OPERATORS],
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

const NUMBERS = /^(COLUMNS|LINES|SECONDS)=(?!\d+$)/;

/** A variable in front of a command that changes how the shell reads. */
function unsafeSetting(words: readonly string[]): string | undefined {
  const settings = words.slice(0, settingsBefore(words));
  if (settings.some((word) => word.startsWith('IFS=')))
    return 'IFS assignment changes word-splitting — cannot model statically';
  if (settings.some((word) => /^\w+=~/.test(word)))
    return 'Tilde in assignment value — bash may expand at assignment time';
  const [, number] = settings.map((word) => NUMBERS.exec(word)).find((match) => match !== null) ?? [];
  return number === undefined
    ? undefined
    : `${number} has integer attribute — env-prefix arith-evals value, which can execute subscript command substitution ` +
        'or abort/diverge at runtime';
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
  const setting = commands.map(({ words }) => unsafeSetting(words)).find((reason) => reason !== undefined);
  if (setting !== undefined) return setting;
  const unreadable = commands.map(({ words }) => unreadableStart(words)).find((reason) => reason !== undefined);
  if (unreadable !== undefined) return unreadable;
  if (/(?<![&><|])&\s*$/.test(open)) return BACKGROUND;
  const moved = commands.findIndex(
    ({ words: [name, folder] }) => name === 'cd' && folder !== undefined && folder !== '.',
  );
  if (moved === -1) return undefined;
  if (commands.some(({ writesTo }) => writesTo.length > 0)) return WRITES_ELSEWHERE;
  if (commands.some((command) => changedFiles(command) !== undefined)) return CHANGES_ELSEWHERE;
  return commands.slice(moved).some(({ words: [name] }) => name === 'git') ? OTHER_REPOSITORY : undefined;
}
