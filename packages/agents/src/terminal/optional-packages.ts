import type * as NodePty from '@lydell/node-pty';
import { lazyRequire, UnderstudyError } from '@understudy/kit';
import type * as Xterm from '@xterm/headless';
import { readToEnd } from './read-to-end.js';

export interface TerminalPackages {
  spawn: typeof NodePty.spawn;
  Terminal: typeof Xterm.Terminal;
}

/** Loads the two packages that a terminal needs. They are optional: most users never open one. */
export function loadTerminalPackages(): TerminalPackages {
  try {
    const { spawn } = lazyRequire('@lydell/node-pty') as typeof NodePty;
    const { Terminal } = lazyRequire('@xterm/headless') as typeof Xterm;
    return { spawn: (...start) => readToEnd(spawn(...start)), Terminal };
  } catch (cause) {
    throw new UnderstudyError('TERMINAL_NOT_AVAILABLE', 'a terminal needs two packages that are not installed', {
      fix: 'Run npm install --save-dev @lydell/node-pty@1.1.0 @xterm/headless@6.0.0.',
      cause,
    });
  }
}
