import { spawn } from 'node:child_process';
import { isatty } from 'node:tty';

const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = { darwin: ['open'], win32: ['explorer.exe'] };

/** Shows a page or an address in the browser. Where there is none, nothing happens. */
export function openBrowser(page: string): void {
  const [program = 'xdg-open', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, page], { detached: true, stdio: 'ignore' });
  // Without a browser, what was printed is enough.
  child.on('error', () => {});
  child.unref();
}

/**
 * Whether a person sits before this terminal, with a screen on this machine. `BROWSER=none` is what many tools take for
 * "open nothing".
 */
export function hasBrowser(
  environment: NodeJS.ProcessEnv,
  { isTerminal = isatty(0) && isatty(1), platform = process.platform } = {},
): boolean {
  const isSet = (name: string) => !['', '0', 'false', undefined].includes(environment[name]);
  if (!isTerminal || isSet('CI') || environment['BROWSER'] === 'none') return false;
  if (isSet('SSH_CONNECTION') || isSet('SSH_TTY')) return false;
  return platform !== 'linux' || isSet('DISPLAY') || isSet('WAYLAND_DISPLAY');
}
