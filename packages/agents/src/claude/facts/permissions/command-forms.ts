import { basename } from 'node:path';
import { splitWords, withoutQuotes } from './bash-command.js';
import type { FoundCommand } from './commands-within.js';
import { isHarmlessVariable, layersOf, settingsBefore, startsOf } from './wrappers.js';

/** The ways in which a rule may name a command. */
export interface CommandForms {
  /** For a rule about one command alone. */
  exact: readonly string[];
  /** For one that leaves something open. */
  open: readonly string[];
}

const WORD = /(?:\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|[^\s"'\\])+/g;
const CONTINUED = /\\\n/g;
const REDIRECTION = /^(?:\d|&)?(?:>{1,2}\|?|<{1,2}(?!<))/;

/** As a rule that allows may name it: without redirections, and without harmless variables and wrappers in front. */
export function namesOf(text: string): CommandForms {
  const layers = layersOf(writtenWords(text), (words) => {
    const end = words.findIndex((word) => !isPlainSetting(word));
    return end === -1 ? 0 : end;
  });
  const [written = []] = layers;
  const last = layers.at(-1) ?? [];
  const named = [written, last].map(([first = '', ...rest]) => [splitWords(first)[0] ?? first, ...rest].join(' '));
  const isAdded = last[0] === 'xargs' && last[1] !== undefined && !last[1].startsWith('-');
  if (settingsBefore(written) === written.length) return { exact: [text], open: [] };
  // One command alone is named as it is written, to the space.
  const isSpaced = /\t| {2}/.test(withoutQuotes(text)) && !text.includes('\\\n');
  return {
    exact: isSpaced ? [text] : [text, ...named],
    open: [written.join(' '), ...named, ...(isAdded ? [last.slice(1).join(' ')] : [])],
  };
}

/** As a rule about one line alone may name a whole line. */
export function namesOfLine(line: string): readonly string[] {
  const spaced = line.replace(/'[^']*'|"(?:\\[\s\S]|[^"\\])*"|&&|\|\|?/g, (part) =>
    /^[&|]/.test(part) ? ` ${part} ` : part,
  );
  return [line.trim(), ...(/[&|\n]/.test(line.trim()) ? [writtenWords(spaced).join(' ')] : [])].filter(
    (name) => name !== '',
  );
}

/** As a rule that denies or asks may name a command that was found: however it is quoted, started and nested. */
export function namesOfFound({ words }: FoundCommand): CommandForms {
  const starts = startsOf(words);
  const named = starts.flatMap(([first = '', ...rest]) => [
    [first, ...rest].join(' '),
    [basename(first), ...rest].join(' '),
  ]);
  const added = starts.filter(([first, next = '-']) => first === 'xargs' && !next.startsWith('-'));
  return { exact: named, open: [...named, ...added.map((started) => started.slice(1).join(' '))] };
}

/** A command as it is written, without redirections and comments. */
export function withoutRedirections(text: string): string {
  const words = writtenWords(text);
  const isWhole = words.join('').replace(/\s/g, '') === text.replace(/\s/g, '');
  return isWhole ? text : words.join(' ');
}

/** Words with their quotes, without redirections and comments. */
function writtenWords(text: string): string[] {
  const words: string[] = [];
  let isFile = false;
  for (const word of text.replace(CONTINUED, ' ').match(WORD) ?? []) {
    if (word.startsWith('#')) break;
    const sign = REDIRECTION.exec(word)?.[0];
    if (sign === undefined && !isFile) words.push(word);
    isFile = sign !== undefined && sign === word;
  }
  return words;
}

/** The value must be plain, too: rules are held against the text. */
function isPlainSetting(word: string): boolean {
  return isHarmlessVariable(word) && /=[\w:.-][\w:./-]*$/.test(word);
}
