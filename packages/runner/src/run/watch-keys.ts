import { createInterface } from 'node:readline/promises';
import type { ReadStream } from 'node:tty';

/** What a person at the keyboard wants next. */
export type WatchChoice = { run: 'all' } | { run: 'failed' } | { run: 'filtered'; filter: string } | { run: 'nothing' };

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

const MEANINGS: Record<string, WatchChoice['run']> = {
  ...{ a: 'all', '\r': 'all', '\n': 'all', f: 'failed', p: 'filtered', q: 'nothing' },
  [CTRL_D]: 'nothing',
};

export const WATCH_KEYS = 'a all, f failed, p filter, q quit';

/** Waits for a key that means something. Gives nothing when it was aborted. */
export async function nextChoice(input: ReadStream, signal: AbortSignal): Promise<WatchChoice | undefined> {
  while (!signal.aborted) {
    // Who types fast sends several at once.
    for (const key of await nextKeys(input, signal)) {
      const run = MEANINGS[key];
      if (key === CTRL_C) {
        // Without line editing it comes as a character.
        process.kill(process.pid, 'SIGINT');
      } else if (run === 'filtered') return { run, filter: await ask(input, signal) };
      else if (run !== undefined) return { run };
    }
  }
  return undefined;
}

/** The terminal edits lines again as soon as nobody waits, so that Ctrl-C ends a run as always. */
async function nextKeys(input: ReadStream, signal: AbortSignal): Promise<string> {
  input.setRawMode(true).setEncoding('utf8').resume();
  try {
    return await new Promise<string>((resolve) => {
      const end = (key: string) => {
        input.off('data', onData);
        signal.removeEventListener('abort', onAbort);
        resolve(key);
      };
      const onData = (text: Buffer | string) => end(String(text));
      const onAbort = () => end('');
      input.on('data', onData);
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) onAbort();
    });
  } finally {
    input.setRawMode(false).pause();
  }
}

async function ask(input: ReadStream, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input, output: process.stdout });
  // While it reads lines, Ctrl-C comes to it alone.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return (await lines.question('filter (empty: all): ', { signal })).trim();
  } catch {
    return '';
  } finally {
    lines.close();
  }
}
