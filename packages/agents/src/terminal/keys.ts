const NAMED = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  'shift+tab': '\u001b[Z',
  space: ' ',
  backspace: '\u007f',
  delete: '\u001b[3~',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  home: '\u001b[H',
  end: '\u001b[F',
  pageup: '\u001b[5~',
  pagedown: '\u001b[6~',
} as const;

/** A key as it is written: a name, or a letter with `ctrl+` or `alt+`. */
export type Key = keyof typeof NAMED | `ctrl+${string}` | `alt+${string}`;

const WITH_LETTER = /^(?:ctrl\+[a-z]|alt\+[a-z0-9])$/;

export const KEY_NAMES = Object.keys(NAMED);

export function isKey(name: string): name is Key {
  return Object.hasOwn(NAMED, name) || WITH_LETTER.test(name);
}

/** What a terminal sends for the key. */
export function keyBytes(key: Key): string {
  if (Object.hasOwn(NAMED, key)) return NAMED[key as keyof typeof NAMED];
  const letter = key.slice(-1);
  return key.startsWith('ctrl+') ? String.fromCharCode(letter.charCodeAt(0) & 31) : `\u001b${letter}`;
}
