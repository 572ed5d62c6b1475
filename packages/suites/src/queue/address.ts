import { UnderstudyError } from '@understudy/kit';

/** The variable that names the queue, so that a password need not stand on a command line. */
export const QUEUE_VARIABLE = 'UNDERSTUDY_QUEUE';

/** The address of a queue, from its flag or the environment. */
export function parseAddress(url: string): string {
  if (URL.canParse(url) && /^postgres(?:ql)?:$/.test(new URL(url).protocol)) return url;
  throw new UnderstudyError('BAD_FLAG', 'the value of --queue is no address of a Postgres database', {
    fix: 'Write postgres://USER@HOST:5432/DATABASE, with the password in PGPASSWORD or in the address.',
  });
}

/** The address without its password and parameters, which may hold one, too. */
export function describeAddress(url: string): string {
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}

const AWAY = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENOENT'],
  // It shuts down, crashed, or starts; it has no room for a connection.
  ...['57P01', '57P02', '57P03', '53300'],
]);
const AWAY_MESSAGE =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection/i;

/** Whether the database may answer a little later. */
export function isAway(error: unknown): boolean {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
  if (errors !== undefined && errors.length > 0) return errors.every(isAway);
  return AWAY.has(code ?? '') || (code ?? '').startsWith('08') || AWAY_MESSAGE.test(message ?? '');
}

/** Whether the database has undone it for the sake of somebody else: it can be tried again at once. */
export function isUndone(error: unknown): boolean {
  return ['40P01', '40001'].includes((error as NodeJS.ErrnoException).code ?? '');
}

const NO_LOGIN = new Set(['28P01', '28000']);
const NO_PASSWORD = /password must be a string|no password supplied/i;

/** An error of the database as one of ours. Its message never has the password. */
export function databaseError(error: unknown, address: string): unknown {
  if (error instanceof UnderstudyError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (isAway(error)) {
    const why = message === '' ? code : message;
    return new UnderstudyError('QUEUE_UNREACHABLE', `${address} does not answer: ${why}`, { cause: error });
  }
  const refused = (what: string, fix?: string) =>
    new UnderstudyError('QUEUE_REFUSED', `${address} ${what}`, { cause: error, ...(fix === undefined ? {} : { fix }) });
  if (NO_LOGIN.has(code) || NO_PASSWORD.test(message)) {
    return refused(
      'refuses the user or the password',
      'Correct the user in --queue, and the password there or in PGPASSWORD.',
    );
  }
  if (code === '3D000')
    return refused('has no such database', 'Create it with `createdb`, or correct its name in --queue.');
  if (code === '42501') return refused(`does not allow it: ${message}`);
  return error;
}
