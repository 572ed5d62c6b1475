/** The key that keeps a recording. Terminals use it to quit a program, so no CLI gives it another meaning. */
export const KEEP_KEY = 'Ctrl+\\';

/**
 * The key as terminals send it: as one byte; with the keyboard protocol of kitty, which Claude Code asks for; and as xterm
 * sends other keys. The keys that lock (caps, num) may be on. A key that is released says nothing.
 */
const SENT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the bytes that terminals send
  /\x1c|\x1b\[92(?::\d*)*;(?<kitty>\d+)(?::(?<event>\d))?u|\x1b\[27;(?<xterm>\d+);92~/g;

const CONTROL = 4;
const LOCKS = 64 | 128;

/** Takes the key out of what was typed. */
export function takeKeepKey(typed: string): { rest: string; pressed: boolean } {
  let pressed = false;
  const rest = typed.replace(SENT, (sequence, ...found: unknown[]) => {
    const { kitty, event, xterm } = found.at(-1) as Record<'kitty' | 'event' | 'xterm', string | undefined>;
    const modifiers = kitty ?? xterm;
    if (modifiers !== undefined && ((Number(modifiers) - 1) & ~LOCKS) !== CONTROL) return sequence;
    if (event !== '3') pressed = true;
    return '';
  });
  return { rest, pressed };
}
