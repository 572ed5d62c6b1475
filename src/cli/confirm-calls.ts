import { createInterface } from 'node:readline/promises';
import { isatty } from 'node:tty';
import { UnderstudyError } from '@understudy/kit';
import { isRunByAgent } from '@understudy/verdict';
import type { RunFlags } from './run-flags.js';

let isConfirmed = false;

/**
 * Asks the person at the terminal whether calls of real models may begin, once. Where nobody sits there, nothing is asked:
 * a job in CI was meant to run, and an agent would wait for ever.
 */
export function confirmCalls({
  yes,
  json,
}: Pick<RunFlags, 'yes' | 'json'>): ((signal: AbortSignal) => Promise<void>) | undefined {
  const isPerson = isatty(0) && isatty(2) && !isRunByAgent(process.env) && isOff(process.env['CI']);
  if (yes === true || json === true || !isPerson) return undefined;
  return async (signal) => {
    if (isConfirmed) return;
    const answer = await ask('Begin? [y/N] ', signal);
    if (!/^y(?:es)?$/i.test(answer.trim())) {
      throw new UnderstudyError('RUN_DECLINED', 'nothing was run: calls of real models were not confirmed', {
        fix: 'Answer y, or say --yes. --stage scripted costs nothing.',
      });
    }
    isConfirmed = true;
  };
}

/** No answer, as with Ctrl-D, is an empty one. */
async function ask(question: string, signal: AbortSignal): Promise<string> {
  // The terminal itself reads the line, so that Ctrl-C is the signal that it always is.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return await Promise.race([lines.question(question, { signal }), ended]);
  } finally {
    lines.close();
  }
}

function isOff(value: string | undefined): boolean {
  return ['', '0', 'false', undefined].includes(value);
}
