import type { TerminalAction } from '../driver.js';

/** The action in words: it is the prompt of its turn. */
export function describeAction({ type, press = [], waitFor }: TerminalAction): string {
  const said = [...(type === undefined ? [] : [type]), ...press.map((key) => `[${key}]`)].join(' ');
  return said === '' ? `(wait for ${waitFor?.describe ?? 'a quiet screen'})` : said;
}
