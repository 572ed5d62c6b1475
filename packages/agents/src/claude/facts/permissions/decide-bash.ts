import { resolve } from 'node:path';
import { readShellLine, type ShellLine, type SimpleCommand, setsVariable } from './bash-command.js';
import {
  fileToApprove,
  isPlainChange,
  shellPath,
  uncheckedChange,
  unruledFiles,
  unsafeChange,
} from './changing-commands.js';
import { withoutRedirections } from './command-forms.js';
import { actionOfFind, changedFiles, onlyLooks } from './command-kinds.js';
import { allowed, asking, type Decision, notGranted, type PermissionContext } from './decision.js';
import { isInsideAny } from './inside.js';
import { explainLook, lookedAt } from './looked-at.js';
import { lacksTable, nameOf } from './looking-commands.js';
import { coversPathOrFolder, coversPathWidely } from './match-rule.js';
import { isCovered, isLineCovered, isPiped, isRunBy, runs } from './named-commands.js';
import type { PermissionRule } from './rules.js';
import { BACKGROUND, ELSEWHERE, FRESH_VARIABLE, isUnchecked, whatIsBeyond, whyUnchecked } from './uncheckable.js';

/** Bash: every command of the line must be let through; one that is denied takes the line with it. */
export function decideBash(line: string, context: PermissionContext): Decision {
  const { rules, mode } = context;
  if (rules.deny.some((rule) => rule.tool === 'Bash' && !hasContent(rule)))
    return { behavior: 'deny', reasonType: 'rule', message: 'Permission to use Bash has been denied.' };
  const shell = readShellLine(line);
  const { commands } = shell;
  const denied = deniedPart(shell, context);
  if (denied !== undefined) {
    const isByName = isNamed(commands, rules.deny);
    return {
      behavior: 'deny',
      reasonType: !isUnchecked(shell) && !isByName ? 'subcommandResults' : 'rule',
      message: `Permission to use Bash with command ${isByName ? denied.trim() : denied} has been denied.`,
    };
  }
  const asked = decisionOfAskRules(shell, context);
  if (asked !== undefined) return asked;
  if (rules.ask.some((rule) => rule.tool === 'Bash' && !hasContent(rule))) return askAlways(commands, context);
  if (mode === 'bypassPermissions') return allowed('mode');
  const unsafe = commands.map((command) => unsafeChange(command, context)).find((found) => found !== undefined);
  // Where the folder changes first, the real CLI lets a rule about the whole tool cover even that.
  const isMoved = commands.some(({ words: [name] }) => name === 'cd');
  if ((unsafe === undefined || isMoved) && isAllowedAsWhole(shell, rules.allow)) return allowed('rule');
  const beyond = whatIsBeyond(shell);
  if (beyond !== undefined) return isUndecided(beyond);
  if (context.isFresh === true && commands.some(setsVariable)) return askOther(FRESH_VARIABLE);
  const reason = whyUnchecked(shell);
  if (reason !== undefined && reason !== BACKGROUND && !ELSEWHERE.has(reason)) return askOther(reason);
  const open = openCommands(shell, { byAskRule: [], reason }, context);
  const [first] = open;
  if (first === undefined) {
    return reason === BACKGROUND ? asking(reason, 'safetyCheck', reason) : allowed('subcommandResults');
  }
  const unknown = open.every((command) => hangsOnOptions(command, context)) ? first : undefined;
  if (unknown !== undefined) return isUndecided(`which options of \`${nameOf(unknown)}\` need approval`);
  const elsewhere = ELSEWHERE.get(reason);
  const one = reason === undefined || elsewhere === undefined ? unsafe : asking(reason, 'other', elsewhere);
  if (one !== undefined) return open.length === 1 ? one : severalParts(open);
  return explain(first, open, { total: commands.length, isPiped: isPiped(shell) }, context);
}

/** The CLI knows more about such a line than rules say. */
function isUndecided(what: string): Decision {
  const message = `The stand-in does not know ${what}.`;
  return { behavior: 'ask', message, undecided: message };
}

/** Where another command of the line is asked about in any case, so is this one. */
function hangsOnOptions(command: SimpleCommand, context: PermissionContext): boolean {
  return lacksTable(command) && changedFiles(command) === undefined && outsideLook(command, context) === undefined;
}

/** The commands of a line that nothing lets through. */
export function openCommands(
  { commands }: ShellLine,
  { byAskRule, reason }: { byAskRule: readonly SimpleCommand[]; reason: string | undefined },
  context: PermissionContext,
): SimpleCommand[] {
  const { rules } = context;
  // A rule about the whole tool counts no more where one command is asked about, or changes a sensitive file.
  const isStrict = byAskRule.length > 0 || commands.some((command) => unsafeChange(command, context) !== undefined);
  const counted = isStrict ? { ...rules, allow: rules.allow.filter(hasContent) } : rules;
  const isElsewhere = ELSEWHERE.has(reason);
  return commands.filter(
    (command) =>
      (isElsewhere && changedFiles(command) !== undefined) ||
      byAskRule.includes(command) ||
      !isAllowed(command, { ...context, rules: counted }),
  );
}

/** The commands of a line that a rule asks about. */
export function commandsWithAskRule(shell: ShellLine, { rules }: PermissionContext): SimpleCommand[] {
  const ask = rules.ask.filter(hasContent);
  // Most often there is none, which one look at the whole line shows.
  return runs(ask, shell) === undefined ? [] : shell.commands.filter((command) => isRunBy(command, ask));
}

/** What a rule about commands that asks makes of a line. */
function decisionOfAskRules(shell: ShellLine, context: PermissionContext): Decision | undefined {
  const ask = context.rules.ask.filter(hasContent);
  const place = runs(ask, shell);
  if (place === undefined) return undefined;
  const reason = whyUnchecked(shell);
  if (isUnchecked(shell))
    return place === 'nested' && reason !== undefined ? askOther(reason) : asking(notGranted('use Bash'), 'rule');
  const rules = { ...context.rules, allow: context.rules.allow.filter(hasContent) };
  const open = shell.commands.filter((command) => isRunBy(command, ask) || !isAllowed(command, { ...context, rules }));
  return open.length > 1 || isPiped(shell) ? severalParts(open) : asking(notGranted('use Bash'), 'rule');
}

/** A rule about the whole tool asks only where a change of files does not. */
function askAlways(commands: readonly SimpleCommand[], context: PermissionContext): Decision {
  const open = commands.filter((command) => !isAllowed(command, context));
  const [first] = open;
  const changes = first !== undefined && changedFiles(first) !== undefined && context.mode !== 'bypassPermissions';
  return changes
    ? explain(first, open, { total: commands.length, isPiped: false }, context)
    : asking(notGranted('use Bash'), 'rule');
}

/** A rule about the whole tool, or about this line; what is piped, written to a file or grouped is looked at in parts. */
function isAllowedAsWhole(shell: ShellLine, allow: readonly PermissionRule[]): boolean {
  if (allow.some((rule) => rule.tool === 'Bash' && !hasContent(rule))) return true;
  const isGrouped = /^\s*\(/.test(shell.written);
  if (isGrouped || isPiped(shell) || shell.commands.some(({ writesTo }) => writesTo.length > 0)) return false;
  return isLineCovered(allow, shell);
}

export function hasContent({ content }: PermissionRule): boolean {
  return content !== undefined;
}

/** What a rule denies: the line, or a part of a pipe. */
function deniedPart(shell: ShellLine, context: PermissionContext): string | undefined {
  const { deny } = context.rules;
  const { written, commands } = shell;
  if (isLineCovered(deny, shell)) return written;
  const part = commands.find((command) => isRunBy(command, deny) || touchesDenied(command, context));
  if (part !== undefined && isPiped(shell)) return part.text;
  return part !== undefined || runs(deny, shell) !== undefined ? written : undefined;
}

/** Whether a rule is about this very command, and not about what may follow it. */
function isNamed([command, ...others]: readonly SimpleCommand[], rules: readonly PermissionRule[]): boolean {
  if (command === undefined || others.length > 0) return false;
  const exact = rules.map((rule) => ({ ...rule, content: rule.content?.replace(/:\*$/, '') ?? '*' }));
  return isRunBy(
    command,
    exact.filter(({ content }) => !content.includes('*')),
  );
}

/** Whether a command reads or changes a file that a rule about Read or Edit denies. */
function touchesDenied(command: SimpleCommand, { rules, cwd }: PermissionContext): boolean {
  const changed = changedFiles(command)?.files ?? [];
  const touched: Record<string, readonly string[]> = { Read: lookedAt(command), Edit: changed };
  return rules.deny.some(
    (rule) => hasContent(rule) && (touched[rule.tool] ?? []).some((file) => coversPathWidely(rule, file, cwd)),
  );
}

function isAllowed(command: SimpleCommand, context: PermissionContext): boolean {
  const { rules, mode, cwd, directories } = context;
  const inside = (files: readonly string[]): boolean =>
    files.every((file) => isInsideAny(directories, shellPath(cwd, file)));
  const changed = changedFiles(command);
  const minded = unruledFiles(changed?.files ?? [], context);
  if (unsafeChange(command, context) !== undefined) return false;
  if (changed !== undefined && (!inside(minded) || uncheckedChange(command) !== undefined)) return false;
  if (changed?.by !== command.program[0] && outsideLook(command, context) !== undefined) return false;
  if (isCovered(rules.allow, command) && actionOfFind(command) === undefined)
    return unruledFiles(command.writesTo, context).length === 0 || mode === 'acceptEdits';
  const onlyWrites = command.writesTo.length > 0 && minded.length === 0;
  if (changed !== undefined && !onlyWrites) return mode === 'acceptEdits' && isPlainChange(command);
  return onlyLooks(onlyWrites ? { ...command, writesTo: [] } : command);
}

/** A path outside the working directories that a command looks at, unless a rule lets it be read. */
export function outsideLook(
  command: SimpleCommand,
  { rules, cwd, directories }: PermissionContext,
): string | undefined {
  const readable = (path: string): boolean =>
    rules.allow.some((rule) => rule.tool === 'Read' && hasContent(rule) && coversPathOrFolder(rule, path, cwd));
  return lookedAt(command)
    .map((file) => resolve(cwd, file))
    .find((path) => !isInsideAny(directories, path) && !readable(path));
}

function explain(
  first: SimpleCommand,
  open: readonly SimpleCommand[],
  { total, isPiped }: { total: number; isPiped: boolean },
  context: PermissionContext,
): Decision {
  const changed = changedFiles(first);
  const unchecked = total === 1 ? uncheckedChange(first) : undefined;
  if (unchecked !== undefined) return unchecked;
  const minded = unruledFiles(changed?.files ?? [], context);
  if (changed !== undefined && minded.length > 0 && open.length === 1 && !isOnlyUnusual(minded, context))
    return { ...asking(explainChange(changed.by, minded, context)), path: fileToApprove(minded, context) };
  const path =
    changed?.by !== first.program[0] && open.length === 1 && !isPiped ? outsideLook(first, context) : undefined;
  const blocked = path === undefined ? undefined : explainLook(first, path, context.directories);
  if (blocked !== undefined && path !== undefined) return { ...asking(blocked), path };
  const action = actionOfFind(first);
  if (action !== undefined) {
    return askOther(
      `find with '${action}' executes commands or modifies files — cannot be auto-allowed by a Bash(find:*) prefix rule`,
    );
  }
  if (total === 1) return refusalOf(first);
  return severalParts(open);
}

/** Edits are accepted in these folders, but not such as this one. */
export function isOnlyUnusual(files: readonly string[], { mode, cwd, directories }: PermissionContext): boolean {
  return mode === 'acceptEdits' && files.every((file) => isInsideAny(directories, shellPath(cwd, file)));
}

function severalParts(open: readonly SimpleCommand[]): Decision {
  const parts = open.map(({ text }) => withoutRedirections(text)).join(', ');
  const noun = open.length === 1 ? 'part requires' : 'parts require';
  return asking(
    `This Bash command contains multiple operations. The following ${noun} approval: ${parts}`,
    'subcommandResults',
  );
}

/** Why one command needs approval. */
function refusalOf({ program: [name] }: SimpleCommand): Decision {
  if (name === 'sed') {
    return asking(
      'sed command requires approval (contains potentially dangerous operations)',
      'other',
      'sed command contains operations that require explicit approval (e.g., write commands, execute commands)',
    );
  }
  return askOther('This command requires approval');
}

function explainChange(by: string, files: readonly string[], context: PermissionContext): string {
  const { directories } = context;
  const path = fileToApprove(files, context);
  const where = `the working directories for this session ('${directories.join("', '")}')`;
  const subject = by === 'Output redirection' ? `${by} to '${path}'` : `${by} in '${path}'`;
  return isInsideAny(directories, path)
    ? `${subject} needs approval. The path is inside ${where}, and Claude Code asks before a shell command creates, changes or removes files there.`
    : `${subject} needs approval. The path is outside ${where}. Allowing runs the command as written.`;
}

function askOther(reason: string): Decision {
  return asking(reason, 'other', reason);
}
