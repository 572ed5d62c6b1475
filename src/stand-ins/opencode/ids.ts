import { randomBytes } from 'node:crypto';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `ses_…`, `msg_…`, `prt_…`: the time in hex, then random letters. */
export function newId(kind: 'ses' | 'msg' | 'prt', now: number = Date.now()): string {
  const time = (BigInt(now) * 0x1000n).toString(16).slice(-12).padStart(12, '0');
  const letters = Array.from(randomBytes(14), (byte) => LETTERS[byte % LETTERS.length]).join('');
  return `${kind}_${time}${letters}`;
}
