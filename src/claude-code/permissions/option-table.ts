/** What an option takes: nothing, a value, a number, a value that may be missing, or one that follows at once. */
export type OptionKind = '' | '=' | '#' | '?' | ':';

export type OptionTable = ReadonlyMap<string, OptionKind>;

/** Reads `-a --sort= -A# --color?`. */
export function readOptionTable(written: string): OptionTable {
  return new Map(
    written.split(' ').map((word) => {
      const [, name = word, kind = ''] = /^(.*?)([=#?:]?)$/.exec(word) ?? [];
      return [name, kind as OptionKind];
    }),
  );
}

/** What is no option, when all the options are in the table and have what they take. */
export function operandsOf(words: readonly string[], table: OptionTable): string[] | undefined {
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') return [...operands, ...words.slice(at + 1)];
    if (word === '-' || !word.startsWith('-')) {
      operands.push(word);
      continue;
    }
    const [, name = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    const kind = table.get(name);
    if (kind === undefined) {
      if (!isBundle(word, table) && !isAttachedNumber(word, table)) return undefined;
    } else if (kind === '' || kind === '?') {
      if (value !== undefined && kind === '') return undefined;
    } else {
      const taken = value ?? (kind === ':' ? undefined : words[++at]);
      if (taken === undefined || (kind === '#' && !/^\d+$/.test(taken))) return undefined;
    }
  }
  return operands;
}

/** `-la` is `-l -a`. */
function isBundle(word: string, table: OptionTable): boolean {
  return /^-\w{2,}$/.test(word) && [...word.slice(1)].every((letter) => table.get(`-${letter}`) === '');
}

/** `-A3` of a program that searches. */
function isAttachedNumber(word: string, table: OptionTable): boolean {
  const [, name = ''] = /^(-[ABCm])\d+$/.exec(word) ?? [];
  return table.get(name) === '#';
}
