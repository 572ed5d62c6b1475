import { UnderstudyError } from '@understudy/kit';

/** A port from the command line. */
export function portFrom(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw new UnderstudyError('BAD_FLAG', `${JSON.stringify(text)} is not a port`, {
    fix: 'Give a number from 0 to 65535.',
  });
}
