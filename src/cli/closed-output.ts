import { closeSync, fstatSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { isatty } from 'node:tty';

/**
 * Nobody may be left to read our output: `understudy … | head` closes a pipe, a user closes the terminal. Neither is
 * an error of ours, and neither may keep a server from its tidy end.
 */
export function tolerateClosedOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    // The terminal has gone. The command ends by its SIGHUP, with its own exit code.
    if (error.code === 'EIO') return;
    fail(error).then(
      () => process.exit(2),
      () => process.exit(2),
    );
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
  process.on('exit', leaveClosedTerminal);
}

/** A full disk, for one. The output is not whole, so nothing has passed. */
async function fail(error: Error): Promise<void> {
  const { asUnderstudyError } = await import('@understudy/kit');
  const { printError } = await import('./output.js');
  printError(asUnderstudyError(error, 'the standard output'));
}

/** At its end Node restores the settings of its terminal, and aborts (SIGABRT) when that has gone. */
function leaveClosedTerminal(): void {
  for (const stream of [0, 1, 2]) {
    try {
      if (isatty(stream) || !fstatSync(stream).isCharacterDevice()) continue;
      closeSync(stream);
      // It takes the lowest free number, which is the one that was closed.
      openSync(devNull, 'r+');
    } catch {
      // It is closed already.
    }
  }
}
