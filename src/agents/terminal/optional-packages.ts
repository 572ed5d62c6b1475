import type * as NodePty from '@lydell/node-pty';
import type * as Xterm from '@xterm/headless';
import { UnderstudyError } from '../../errors.js';

export interface TerminalPackages {
  spawn: typeof NodePty.spawn;
  Terminal: typeof Xterm.Terminal;
}

/** Loads the two packages that a terminal needs. They are optional: most users never open one. */
export async function loadTerminalPackages(): Promise<TerminalPackages> {
  try {
    const [pty, xterm] = await Promise.all([import('@lydell/node-pty'), import('@xterm/headless')]);
    // One is CommonJS: its exports may be on `default`.
    const { Terminal } = 'Terminal' in xterm ? xterm : (xterm as { default: typeof Xterm }).default;
    const { spawn } = 'spawn' in pty ? pty : (pty as { default: typeof NodePty }).default;
    return { spawn, Terminal };
  } catch (cause) {
    throw new UnderstudyError('TERMINAL_NOT_AVAILABLE', 'a terminal needs two packages that are not installed', {
      fix: 'Run npm install --save-dev @lydell/node-pty@1.1.0 @xterm/headless@6.0.0.',
      cause,
    });
  }
}
