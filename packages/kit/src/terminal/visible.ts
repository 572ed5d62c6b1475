/**
 * Texts of agents, plugins, files and programs are not trusted: a control character in them could repaint a failure
 * as a pass, write the clipboard, or hide what was said. These functions make every such character visible.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** It joins the parts of an emoji, and does nothing else. */
const JOINER = '\u200d';
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A character as its number: `\u{1b}`. */
export function asNumber(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** A text of many lines: only line breaks, tabs and what can be seen remain as they are. */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(INVISIBLE, (character) =>
      character === '\n' || character === '\t' || character === JOINER ? character : asNumber(character),
    );
}

/** A text on one line: line breaks and tabs, too, are shown as `\n`, `\r` and `\t`. */
export function visibleOnOneLine(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    character === JOINER ? character : (SHORT[character] ?? asNumber(character)),
  );
}

/** A value as JSON that is the same value for a program and harmless for a terminal. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(INVISIBLE, (character) =>
    character === '\n' ? character : character.split('').map(asEscape).join(''),
  );
}

function asEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
