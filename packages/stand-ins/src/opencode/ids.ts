const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `ses_…`, `msg_…`, `prt_…`: the time in hex, then random letters. `node:crypto` would take longer to load. */
export function newId(kind: 'ses' | 'msg' | 'prt', now: number = Date.now()): string {
  const time = (BigInt(now) * 0x1000n).toString(16).slice(-12).padStart(12, '0');
  const letters = Array.from({ length: 14 }, () => LETTERS[Math.floor(Math.random() * LETTERS.length)]).join('');
  return `${kind}_${time}${letters}`;
}

/** `err_…`: what the log of OpenCode has of an error. */
export function newReference(): string {
  return `err_${Math.floor(Math.random() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, '0')}`;
}
