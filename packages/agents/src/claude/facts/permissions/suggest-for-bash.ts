import { readShellLine, type ShellLine, type SimpleCommand } from './bash-command.js';
import { fileToApprove, uncheckedChange, unsafeChange } from './changing-commands.js';
import { withoutRedirections } from './command-forms.js';
import { actionOfFind, changedFiles } from './command-kinds.js';
import { commandsWithAskRule, hasContent, isOnlyUnusual, openCommands, outsideLook } from './decide-bash.js';
import type { PermissionContext } from './decision.js';
import { isPiped } from './named-commands.js';
import { ACCEPT_EDITS, addDirectoryOf, addRules, letRead, type PermissionUpdate } from './permission-update.js';
import { suggestedRule } from './suggested-rule.js';
import { BACKGROUND, ELSEWHERE, OPERATORS, OTHER_REPOSITORY, whyUnchecked } from './uncheckable.js';

/** More rules than this are not suggested for one line. */
const MOST_RULES = 5;

/** What would let a line through that is asked about: nothing where no change of the permissions is thought of. */
export function suggestForBash(line: string, context: PermissionContext): PermissionUpdate[] | undefined {
  const shell = readShellLine(line);
  const reason = whyUnchecked(shell);
  if (context.rules.ask.some((rule) => rule.tool === 'Bash' && !hasContent(rule))) return undefined;
  if (reason === OPERATORS || reason === OTHER_REPOSITORY) return undefined;
  if (reason !== undefined && reason !== BACKGROUND && !ELSEWHERE.has(reason)) return [];
  return isPiped(shell) ? suggestForPipe(shell, context) : suggestForList(shell, context);
}

/** Each part of a pipe has suggestions of its own. Where its output goes is looked at only if nothing else is asked. */
function suggestForPipe(shell: ShellLine, context: PermissionContext): PermissionUpdate[] | undefined {
  const parts: SimpleCommand[][] = [];
  for (const command of shell.commands) {
    if (command.isFed || parts.length === 0) parts.push([]);
    parts.at(-1)?.push({ ...command, writesTo: [] });
  }
  const suggested = new Map<string, PermissionUpdate[]>();
  for (const commands of parts) {
    const line = commands.map(({ text }) => text).join('; ');
    const updates = suggestForList({ written: line, line, commands }, context);
    if (commands.some((command) => isNeverAllowed(command) || unsafeChange(command, context) !== undefined))
      return updates;
    if (updates !== undefined) suggested.set(line, updates);
  }
  if (suggested.size > 0) return [...suggested.values()].flat();
  const written = openCommands(shell, { byAskRule: [], reason: undefined }, context).find(
    ({ writesTo }) => writesTo.length > 0,
  );
  return written === undefined ? undefined : suggestForCommand(written, false, context);
}

/** One command that is asked about has suggestions of its own; for several there are only rules. */
function suggestForList(shell: ShellLine, context: PermissionContext): PermissionUpdate[] | undefined {
  const reason = whyUnchecked(shell);
  const asked = commandsWithAskRule(shell, context);
  const open = openCommands(shell, { byAskRule: asked, reason }, context);
  const named = open.filter((command) => !asked.includes(command));
  if (named.length === 0) return undefined;
  if (open.some(isNeverAllowed)) return [];
  const isElsewhere = ELSEWHERE.has(reason);
  const [first] = open;
  if (open.length === 1 && first !== undefined) return suggestForCommand(first, isElsewhere, context);
  if (open.some((command) => unsafeChange(command, context) !== undefined)) return [];
  const rules = named.flatMap((command) => {
    const updates = suggestForCommand(command, isElsewhere, context) ?? [];
    const found = updates.flatMap((update) => (update.type === 'addRules' ? update.rules : []));
    return found.length > 0 ? found : [ruleOf(command)];
  });
  const unique = new Map(rules.map((rule) => [JSON.stringify(rule), rule]));
  return [addRules([...unique.values()].slice(0, MOST_RULES))];
}

function suggestForCommand(
  command: SimpleCommand,
  isElsewhere: boolean,
  context: PermissionContext,
): PermissionUpdate[] | undefined {
  const changed = changedFiles(command);
  if (changed !== undefined) {
    const isRedirected = command.writesTo.length > 0;
    const mode = isRedirected || context.mode === 'acceptEdits' ? [] : [ACCEPT_EDITS];
    const unsafe = unsafeChange(command, context);
    const unchecked = uncheckedChange(command);
    if (isElsewhere) return isRedirected ? undefined : mode;
    if (unsafe?.isRemoval) return [];
    if (unchecked !== undefined && !command.hasPattern) return mode;
    if (unsafe !== undefined || unchecked !== undefined || !isOnlyUnusual(changed.files, context))
      return [addDirectoryOf(fileToApprove(changed.files, context)), ...mode];
    if (changed.by === 'sed') return undefined;
  }
  const path = outsideLook(command, context);
  return path === undefined ? [addRules([ruleOf(command)])] : letRead(path);
}

/** What no rule about commands lets through. */
function isNeverAllowed(command: SimpleCommand): boolean {
  return actionOfFind(command) !== undefined;
}

function ruleOf({ text }: SimpleCommand): { toolName: string; ruleContent: string } {
  return { toolName: 'Bash', ruleContent: suggestedRule(withoutRedirections(text)) };
}
