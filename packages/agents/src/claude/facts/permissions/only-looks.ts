import { readShellLine } from './bash-command.js';
import { onlyLooks } from './command-kinds.js';
import { isUnchecked } from './uncheckable.js';

/** Whether a shell line is known to change nothing. */
export function lineOnlyLooks(line: string): boolean {
  // What is filled in later, and what is not finished, nobody can know.
  if (line.includes('$') || /[&|]\s*$/.test(line)) return false;
  const shell = readShellLine(line);
  return shell.commands.length > 0 && !isUnchecked(shell) && shell.commands.every(onlyLooks);
}
