import { readShellLine, withoutQuotes } from './bash-command.js';

/** Commands that the CLI expects to print nothing. */
const SILENT = new Set([
  ...['cd', 'chgrp', 'chmod', 'chown', 'cp', 'export', 'ln', 'mkdir', 'mv', 'rm', 'rmdir', 'touch', 'unset', 'wait'],
]);

/** It does not look behind these words of the shell. */
const KEYWORD = /(?:^|[;&|\n])\s*(?:if|for|while|until|!)\s/;

/** Whether every command of a line is one that prints nothing, by its first word alone. */
export function isSilent(line: string): boolean {
  const shell = readShellLine(line);
  if (shell.commands.length === 0 || KEYWORD.test(withoutQuotes(shell.line))) return false;
  return shell.commands.every(({ text }) => SILENT.has(text.split(/\s/)[0] ?? ''));
}
