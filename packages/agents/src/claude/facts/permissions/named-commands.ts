import { readShellLine, type ShellLine, type SimpleCommand } from './bash-command.js';
import { type CommandForms, namesOf, namesOfFound, namesOfLine } from './command-forms.js';
import { commandsWithin } from './commands-within.js';
import { coversCommand, coversLine } from './match-rule.js';
import type { PermissionRule } from './rules.js';
import { isUnchecked } from './uncheckable.js';

/** Whether one of the rules names this command. */
export function isCovered(rules: readonly PermissionRule[], { text }: SimpleCommand): boolean {
  return covered(rules, namesOf(text));
}

/** Whether one of the rules is about this line and no other. */
export function isLineCovered(rules: readonly PermissionRule[], { written }: ShellLine): boolean {
  const names = namesOfLine(written);
  return rules.some((rule) => rule.tool === 'Bash' && coversLine(rule, names));
}

/**
 * Whether a line runs, somewhere in it, what a rule about commands names: `nested` where it does so only inside of
 * another command. A line that cannot be taken apart is named as a whole, too.
 */
export function runs(rules: readonly PermissionRule[], shell: ShellLine): 'open' | 'nested' | undefined {
  const about = rules.filter(({ tool }) => tool === 'Bash');
  if (about.length === 0) return undefined;
  const { written, commands } = shell;
  const found = commandsWithin(written).commands.filter((command) => covered(about, namesOfFound(command)));
  const isWhole = !written.includes('<<') && (isPiped(shell) || isUnchecked(shell));
  const texts = [...commands.map(({ text }) => text), ...(isWhole ? namesOfLine(written) : [])];
  if (found.some(({ isNested }) => !isNested) || texts.some((text) => covered(about, namesOf(text)))) return 'open';
  return found.length > 0 ? 'nested' : undefined;
}

/** The same for one command of a line. */
export function isRunBy({ text }: SimpleCommand, rules: readonly PermissionRule[]): boolean {
  return runs(rules, readShellLine(text)) !== undefined;
}

export function isPiped({ commands }: ShellLine): boolean {
  return commands.some(({ isFed }) => isFed);
}

function covered(rules: readonly PermissionRule[], names: CommandForms): boolean {
  return rules.some((rule) => rule.tool === 'Bash' && coversCommand(rule, names));
}
