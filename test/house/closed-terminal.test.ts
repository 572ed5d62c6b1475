import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadTerminalPackages } from '../../packages/agents/src/terminal/optional-packages.js';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { UNDERSTUDY } from '../helpers/understudy.js';

/** Runs understudy in a terminal, closes the terminal when `ready` is on its screen, and gives the exit code. */
async function exitCodeAfterClosing(args: readonly string[], ready: string): Promise<string> {
  const { spawn } = await loadTerminalPackages();
  const scratch = createScratch('terminal');
  onTestFinished(() => scratch.remove());
  const file = join(scratch.path, 'code');
  // As every shell does, it tells its job once that the terminal has closed. The first wait ends with that signal, the
  // second one with the job; a code of 128 and more means that a signal ended it.
  const shell = `"$@" & trap 'trap "" HUP; kill -HUP $!' HUP; wait $!; wait $!; echo $? > "${file}"`;
  const pty = spawn('sh', ['-c', shell, 'sh', process.execPath, UNDERSTUDY, ...args], {
    cwd: process.cwd(),
    env: { PATH: process.env['PATH'] ?? '', HOME: scratch.path, TERM: 'xterm' },
  });
  let screen = '';
  pty.onData((text) => {
    screen += text;
  });
  await expect.poll(() => screen, { timeout: 30_000 }).toContain(ready);
  (pty as unknown as { destroy(): void }).destroy();
  await expect.poll(() => (existsSync(file) ? readFileSync(file, 'utf8') : ''), { timeout: 30_000 }).toMatch(/\d/);
  return readFileSync(file, 'utf8').trim();
}

it('serve ends cleanly when its terminal closes', { timeout: 60_000 }, async () => {
  expect(await exitCodeAfterClosing(['serve', '--scenario', 'examples/serve/greeting.toml'], 'gemini')).toBe('0');
});

it('mcp --http ends cleanly when its terminal closes', { timeout: 60_000 }, async () => {
  expect(await exitCodeAfterClosing(['mcp', '--http', '--port', '0'], 'Ctrl-C')).toBe('0');
});
