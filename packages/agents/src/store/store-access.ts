import { join } from 'node:path';
import { type Holder, UnderstudyError } from '@understudy/kit';
import type { AgentName } from '../agents.js';

/** While a process holds it, nobody else adds or removes this version. */
export function lockFile(store: string, agent: AgentName, version: string): string {
  return join(store, '.locks', `${agent}@${version}`);
}

/** Who keeps us out. */
export function storeLocked(lock: string, holder: Holder | undefined): UnderstudyError {
  const who = holder === undefined ? 'another process' : `process ${holder.pid}`;
  return new UnderstudyError('AGENT_STORE_LOCKED', `${who} holds the lock ${lock} and does not release it`, {
    fix: `End that process, or remove ${lock} if that process does not fetch anything.`,
  });
}

const NOT_WRITABLE = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR'];

/** The error of a store that cannot be written; nothing when it is another one. */
export function notWritable(store: string, error: unknown): UnderstudyError | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (!NOT_WRITABLE.includes(code)) return undefined;
  return new UnderstudyError('AGENT_STORE_NOT_WRITABLE', `cannot write to the store ${store}: ${message}`, {
    fix: 'Free space or change the permissions, or name another folder in UNDERSTUDY_STORE.',
    cause: error,
  });
}
