import { asNumber, visible, visibleOnOneLine } from '@understudy/kit';

/**
 * Untrusted texts in Markdown: nothing in them is read as structure, each stays on one line, and each can be read
 * back exactly. Backslash escapes, as Markdown has them for punctuation, plus `\n`, `\r`, `\t` and `\u{…}` for
 * invisible characters.
 */
const EMPTY = '*(empty)*';

/** As code, where every character stands for itself. */
export function code(text: string): string {
  if (text === '') return EMPTY;
  const inner = visibleOnOneLine(text.replaceAll('\\', '\\\\')).replaceAll('|', '\\|');
  const ticks = '`'.repeat(longestRun(inner) + 1);
  // Markdown takes one space off at both ends, unless there is nothing else.
  const pad = /^[ `]|[ `]$/.test(inner) && inner.trim() !== '' ? ' ' : '';
  return `${ticks}${pad}${inner}${pad}${ticks}`;
}

/** What GitHub and GitLab make a link of, or a message to somebody, wherever it stands but in code. */
const LINKED =
  /((?:(?:https?:\/\/|www\.)[^\s<>`|\\]+|(?<![\p{L}\p{N}_])@[\p{L}\p{N}][\p{L}\p{N}_/.-]*|(?:(?<![\p{L}\p{N}_])GH-|[#!])\d+)+)/giu;

/** As words in a sentence; what would become a link is code. */
export function prose(text: string): string {
  if (text === '') return EMPTY;
  const parts = text.split(LINKED).map((part, index) => {
    if (index % 2 === 1) return `\`${visibleOnOneLine(part)}\``;
    const escaped = inSentence(part);
    return visibleOnOneLine(index === 0 ? notAtStart(escaped) : escaped);
  });
  return parts.join('').replace(/^\s|\s$/gu, asNumber);
}

function inSentence(text: string): string {
  return (
    text
      .replace(/[\\`*[\]<|~&]/g, '\\$&')
      // Inside a word it is harmless, and names are full of it.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
  );
}

/** What would begin a heading, a quotation or a list. */
function notAtStart(text: string): string {
  return text
    .replace(/^(?:>|#{1,6}(?=\s|$)|[-+](?=\s|$)|[-=](?=[-=\s]*$))/, '\\$&')
    .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2');
}

/** Code, or a character that was escaped. */
const WRITTEN = /(`+)(?!`)([\s\S]*?[^`])\1(?!`)|\\u\{[0-9a-f]+\}|\\[\s\S]/g;

/** What `code` or `prose` was given. */
export function plain(written: string): string {
  if (written === EMPTY) return '';
  return written.replace(WRITTEN, (all, _ticks, inner?: string) => unescaped(inner === undefined ? all : unpad(inner)));
}

function unescaped(text: string): string {
  return text.replace(/\\(?:u\{([0-9a-f]+)\}|([\s\S]))/g, (_all, codePoint: string | undefined, character: string) => {
    if (codePoint !== undefined) return String.fromCodePoint(Number.parseInt(codePoint, 16));
    return { n: '\n', r: '\r', t: '\t' }[character] ?? character;
  });
}

function unpad(inner: string): string {
  return /^ .* $/su.test(inner) && inner.trim() !== '' ? inner.slice(1, -1) : inner;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

/** A row of a table; its cells are written by `code` or `prose`. */
export function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** The cells of a row. */
export function cellsOf(line: string): string[] {
  const cells: string[] = [];
  let cell = '';
  for (const part of line.matchAll(/\\[\s\S]|[\s\S]/g)) {
    if (part[0] === '|') {
      cells.push(cell.trim());
      cell = '';
    } else cell += part[0];
  }
  // Nothing comes before the first mark.
  return cells.slice(1);
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

/** A block of code that nothing inside it can close. Invisible characters are shown; report.json has the original. */
export function fence(text: string, language = ''): string {
  const shown = visible(text);
  const ticks = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${ticks}${language}\n${shown === '' ? '(empty)' : shown.replace(/\n$/, '')}\n${ticks}`;
}

/** A section that is folded until a reader opens it. The summary is ours, never an untrusted text. */
export function folded(summary: string, content: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${content}\n\n</details>`;
}

/** A list below a title; nothing when it is empty. */
export function listed(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${title}\n\n${items.map((item) => `- ${item}`).join('\n')}`;
}

/** Parts of a document with an empty line between them; empty parts are left out. */
export function sections(parts: readonly string[], between = '\n\n'): string {
  return parts.filter((part) => part !== '').join(between);
}
