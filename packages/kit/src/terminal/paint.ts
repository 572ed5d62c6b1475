import { isatty } from 'node:tty';
import pc from 'picocolors';
import { visible } from './visible.js';

/**
 * Colors of ours stand in a text as this mark and a number, until `forTerminal` makes escape sequences of them. The
 * mark is new in each process, so no text of an agent, plugin or file can contain it. It is made with the first color:
 * most processes print none, and `node:crypto` takes longer to load than the rest of a short command.
 */
let mark: string | undefined;

/** Colors and weights for parts of a line. Print the line with `forTerminal`, which makes all other codes harmless. */
export const paint = createPaint(wantsColors());

/** A terminal, or somebody who insists. CI alone is no reason: its output is piped, and read as text. */
function wantsColors(): boolean {
  return pc.isColorSupported && (isatty(1) || Boolean(process.env['FORCE_COLOR']));
}

export function createPaint(hasColors: boolean) {
  const style = hasColors ? colored : () => (text: string) => text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    italic: style(3, 23),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    cyan: style(36, 39),
  };
}

/** A text for a terminal: our colors, and every other control character as `\u{1b}`. */
export function forTerminal(text: string): string {
  return splitAtColors(text)
    .map((part, index) => (index % 2 === 1 ? `\u001B[${part}m` : visible(part)))
    .join('');
}

/** A text for a file or a document: no colors, and every control character as `\u{1b}`. */
export function withoutColors(text: string): string {
  return splitAtColors(text)
    .map((part, index) => (index % 2 === 1 ? '' : visible(part)))
    .join('');
}

/** The text, and every second part is the number of a color. */
function splitAtColors(text: string): string[] {
  return mark === undefined ? [text] : text.split(new RegExp(`${mark}(\\d+);`));
}

function colored(start: number, end: number): (text: string) => string {
  mark ??= `\uE000${process.getBuiltinModule('node:crypto').randomUUID()}:`;
  const [open, close] = [`${mark}${start};`, `${mark}${end};`];
  // The end of an inner style would end this one, too.
  return (text) => `${open}${text.replaceAll(close, `${close}${open}`)}${close}`;
}
