import type { SimpleCommand } from './bash-command.js';
import { FIND_ACTIONS, looksWithSed, wordsLook } from './looking-commands.js';

/** Commands that change files, which a mode that accepts edits lets through. */
const CHANGING = new Set(['cp', 'mkdir', 'mv', 'rm', 'rmdir', 'sed', 'tee', 'touch']);

/** An argument with which a looking command does more than look. */
export function actionOfFind({ program }: SimpleCommand): string | undefined {
  return program[0] === 'find' ? program.find((word) => FIND_ACTIONS.has(word)) : undefined;
}

export function onlyLooks(command: SimpleCommand): boolean {
  return command.writesTo.length === 0 && wordsLook(command.words, command.hasPattern) === true;
}

/** The files that a command changes, when it is one of the known file commands. */
export function changedFiles(command: SimpleCommand): { by: string; files: string[] } | undefined {
  const [name, ...rest] = command.program;
  if (command.writesTo.length > 0) return { by: 'Output redirection', files: command.writesTo };
  if (name === undefined || !CHANGING.has(name)) return undefined;
  const operands = rest.filter((word) => !word.startsWith('-'));
  if (operands.length === 0) return undefined;
  if (name !== 'sed') return { by: name, files: operands };
  return looksWithSed(rest) || operands.length < 2 ? undefined : { by: name, files: operands.slice(1) };
}
