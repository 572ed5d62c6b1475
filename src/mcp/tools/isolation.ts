import * as z from 'zod';

/** How far what a tool starts is kept apart from this machine. */
export const isolation = z.string().optional().describe('auto, required, none, sandbox, docker[=IMAGE]');

/** What a program of a plugin tried. */
export const tried = z.array(z.string()).describe('outside of its sandbox, without success');

export function triedText(text: string): string {
  return `TRIED outside of its sandbox: ${text}`;
}
