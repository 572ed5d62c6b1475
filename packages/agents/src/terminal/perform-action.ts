import { UnderstudyError } from '@understudy/kit';
import type { TerminalAction } from '../driver.js';
import type { TurnEnded } from '../events.js';
import type { Key } from './keys.js';
import type { Terminal } from './terminal.js';

/** Enter right behind a text would be taken for part of a paste. */
const AFTER_TEXT_MS = 150;
const AFTER_KEY_MS = 100;
/** So long a busy program may take to show what was typed; a password is never shown. */
const TEXT_SHOWN_MS = 10_000;
const KEY_SHOWN_MS = 1_000;
/** What was entered is nearly always shown as such, and a turn that has not begun looks like one that is over. */
const ENTERED_SHOWN_MS = 5_000;
const AFTER_SHOWN_MS = 500;
/** What a screen is waited for without a time of its own. */
const WAIT_MS = 30_000;
/** The screen of a turn that is over does not change for so long. */
const QUIET_MS = 600;

/** Types, presses and waits, in this order. Gives back what went wrong. */
export async function performAction(
  terminal: Terminal,
  { type, press = [], waitFor }: TerminalAction,
  deadlineMs: number = WAIT_MS,
): Promise<Pick<TurnEnded, 'outcome' | 'reason' | 'message'> | undefined> {
  if (terminal.exit !== undefined) {
    return { outcome: 'died', reason: 'died', message: `the program ended with ${terminal.exit.code}` };
  }
  if (type !== undefined) {
    const before = terminal.text();
    terminal.type(type);
    await terminal.changed(before, TEXT_SHOWN_MS);
    await terminal.settle(AFTER_TEXT_MS, 2000);
  }
  for (const key of press) await pressKey(terminal, key);
  if (waitFor === undefined) {
    await terminal.settle(QUIET_MS, deadlineMs);
    return undefined;
  }
  try {
    await terminal.waitFor(waitFor, deadlineMs);
    // A dialog that has just come up takes no keys yet.
    await terminal.settle(AFTER_SHOWN_MS, 3000);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnderstudyError)) throw error;
    return { outcome: 'timed_out', reason: 'not_shown', message: error.message };
  }
}

async function pressKey(terminal: Terminal, key: Key): Promise<void> {
  const before = terminal.text();
  terminal.press(key);
  await terminal.changed(before, key === 'enter' ? ENTERED_SHOWN_MS : KEY_SHOWN_MS);
  await terminal.settle(AFTER_KEY_MS, 1000);
}
