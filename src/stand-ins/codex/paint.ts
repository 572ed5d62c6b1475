const RESET = '\u001b[0m';

/** The styles of Codex's text output, each as the codes that it writes one after the other. */
const STYLES = {
  bold: [1],
  dim: [2],
  italic: [3],
  red: [31],
  green: [32],
  user: [36],
  speaker: [35, 3],
  warning: [1, 33],
  error: [1, 31],
} as const satisfies Record<string, readonly number[]>;

/** Writes a text in a style. */
export type Paint = (style: keyof typeof STYLES, text: string) => string;

/** `--color always` */
export const inColor: Paint = (style, text) => {
  const codes = STYLES[style];
  return `${codes.map((code) => `\u001b[${code}m`).join('')}${text}${codes.map(() => RESET).join('')}`;
};

/** Without colors, a text is what it is. */
export const plain: Paint = (_, text) => text;
