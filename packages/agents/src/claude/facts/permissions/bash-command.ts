import { defined } from '@understudy/kit';
import { programOf } from './wrappers.js';

/** One command of a shell line, with what matters for permissions. */
export interface SimpleCommand {
  text: string;
  words: readonly string[];
  /** The words of the program that does the work: without variables, and without what only starts it. */
  program: readonly string[];
  /** Files that its output is sent to. */
  writesTo: string[];
  /** It has a pattern of names that the shell fills in. */
  hasPattern: boolean;
  /** It reads what the command before it prints. */
  isFed: boolean;
}

export interface ShellLine {
  written: string;
  /** Without the text of quoted heredocs. */
  line: string;
  commands: SimpleCommand[];
  /** What only the shell can fill in: the first of it. */
  hidden?: HiddenPart;
}

/** A nested command is `$(…)` or backquotes. `$HOME` is known, every other variable is not. */
export type HiddenPart =
  | 'A command used as a file'
  | 'A nested command'
  | 'A variable'
  | 'A variable in braces'
  | 'A variable set'
  | 'Quoted text';

/** Splits a shell line at `&&`, `||`, `;`, `|`, `&` and line ends, as far as quotes allow. */
export function readShellLine(written: string): ShellLine {
  const line = withoutHeredocs(written);
  const pieces: { text: string; isFed: boolean }[] = [];
  let isFed = false;
  let hidden: HiddenPart | undefined;
  let piece = '';
  let quote: '"' | "'" | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    const next = line[at + 1];
    if (character === '\\' && quote !== "'") {
      piece += character + (next ?? '');
      at++;
      continue;
    }
    if (quote !== "'") hidden ??= hiddenAt(line, at, quote !== undefined);
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if (character === '#' && /[\s;&|(]/.test(line[at - 1] ?? ' ')) {
      // A comment, up to the end of its line.
      at = `${line}\n`.indexOf('\n', at) - 1;
      continue;
    } else if (';\n|&'.includes(character) && !isRedirection(line, at) && !isInTest(piece)) {
      pieces.push({ text: piece, isFed });
      piece = '';
      isFed = character === '|' && next !== '|';
      if (next === character || line.startsWith('|&', at)) at++;
      continue;
    }
    piece += character;
  }
  pieces.push({ text: piece, isFed });
  const commands = pieces
    .map((one) => ({ ...readCommand(withoutKeywords(one.text.trim())), isFed: one.isFed }))
    .filter(({ text }) => text !== '');
  return { written, line, commands, ...defined({ hidden }) };
}

/** Commands that set variables for those behind them. */
const SETTING: ReadonlySet<string | undefined> = new Set(['export', 'declare', 'typeset', 'readonly']);

/** Whether a command sets a variable for those behind it. */
export function setsVariable({ words: [first = '', ...others], program: [name, ...rest] }: SimpleCommand): boolean {
  const isSetting = others.length === 0 && /^[A-Za-z_]\w*=/.test(first);
  return isSetting || (SETTING.has(name) && rest.some((word) => word.includes('=')));
}

/** `$(cat <<'EOF' …)` without its text, which is data. */
const HEREDOC_TEXT = /^\$\(cat <<-?\s*(["'])\w+\1\s*\)/;

function hiddenAt(line: string, at: number, isQuoted: boolean): HiddenPart | undefined {
  const rest = line.slice(at);
  if (!isQuoted && /^[<>]\(/.test(rest)) return 'A command used as a file';
  if (!isQuoted && /^\$\(\([^()]*\)\)/.test(rest)) return undefined;
  if (HEREDOC_TEXT.test(rest)) return undefined;
  if (/^(?:`|\$\()/.test(rest)) return isQuoted ? 'Quoted text' : 'A nested command';
  if (isQuoted && /^\$(?:#|PWD\b)/.test(rest)) return 'Quoted text';
  if (rest.startsWith('${')) return 'A variable in braces';
  const name = /^\$(\w+|[?@#*!$-])/.exec(rest)?.[1];
  if (name === undefined || name === 'HOME') return undefined;
  const isSet = new RegExp(`(?:^|[;&|\\s])${name}=`).test(line.slice(0, at));
  return isSet ? 'A variable set' : 'A variable';
}

/** `[[ a && b ]]` is one command. */
function isInTest(piece: string): boolean {
  return /^\s*(?:(?:if|elif|while|until|!)\s+)*\[\[\s/.test(piece) && !/\s\]\]\s*$/.test(piece);
}

/** The text of a quoted heredoc is data, up to its last line or the end. */
function withoutHeredocs(line: string): string {
  let end: string | undefined;
  const kept = line.split('\n').filter((part) => {
    if (end === undefined) {
      const begin = /<<-?\s*(["'])(\w+)\1/.exec(part);
      // In quotes it begins nothing.
      if (begin !== null && withoutQuotes(part).startsWith('<<', begin.index)) end = begin[2];
      return true;
    }
    if (part.trim() === end) end = undefined;
    return false;
  });
  return kept.join('\n');
}

/** The line with an `_` for each quoted or escaped character. The quotes stay, and spaces that are escaped. */
export function withoutQuotes(line: string): string {
  return line.replace(/\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"/g, (part) =>
    part.startsWith('\\') ? part.replace(/^\\[^ \t]/, '__') : `${part[0]}${'_'.repeat(part.length - 2)}${part[0]}`,
  );
}

/** What the shell says around commands: `if`, `then`, `do`; the words of a `for`. */
function withoutKeywords(text: string): string {
  const bare = text.replace(/^(?:(?:if|then|else|elif|do|while|until|!)(?:\s+|$))+/, '');
  return /^(?:fi|done)\b|^for\s+\w+(?:\s+in\b|$)/.test(bare) ? '' : bare;
}

/** `>&2`, `2>&1` and `&>file` hold an ampersand that separates nothing; `>|` a bar. */
function isRedirection(line: string, at: number): boolean {
  const character = line[at];
  return (
    (character === '&' && (line[at - 1] === '>' || line[at + 1] === '>')) || (character === '|' && line[at - 1] === '>')
  );
}

function readCommand(text: string): Omit<SimpleCommand, 'isFed'> {
  const words: string[] = [];
  const writesTo: string[] = [];
  let toFile = false;
  for (const word of splitWords(text)) {
    const redirection = /^(?:\d|&)?>{1,2}\|?(.*)$/.exec(word);
    if (toFile) {
      writesTo.push(word);
      toFile = false;
    } else if (redirection !== null) {
      const target = redirection[1] ?? '';
      if (target === '') toFile = true;
      else if (!target.startsWith('&')) writesTo.push(target);
    } else {
      words.push(word);
    }
  }
  const hasPattern = /[*?[]/.test(withoutQuotes(text));
  const files = writesTo.filter((file) => file !== '/dev/null');
  return { text, words, program: programOf(words), writesTo: files, hasPattern };
}

/** Words without their quotes. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\') {
      at++;
      word = (word ?? '') + (text[at] ?? '');
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}
