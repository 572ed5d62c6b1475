import type { Child } from '@understudy/kit';
import { shorten } from '@understudy/kit';

const MOST = 3;
const LONGEST = 160;

/** Why a turn did not end in time: what the CLI has started and what still runs is what it may wait for. */
export function describeDeadline(deadlineMs: number, child: Child | undefined, waitsFor?: string): string {
  const took = `the turn took longer than ${deadlineMs} ms`;
  if (waitsFor !== undefined) return `${took}: ${waitsFor}`;
  const running = child?.startedCommands() ?? [];
  if (running.length === 0) return took;
  const shown = running.slice(0, MOST).map((command) => `\`${shorten(command.replace(/\s+/g, ' '), LONGEST)}\``);
  const more = running.length > MOST ? ` and ${running.length - MOST} more` : '';
  return `${took}; still running: ${shown.join(', ')}${more}`;
}
