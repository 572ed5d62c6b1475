import { resolve } from 'node:path';
import { readShellLine, type SimpleCommand } from './bash-command.js';
import { isPlainChange, shellPath, uncheckedChange, unsafeChange } from './changing-commands.js';
import { actionOfFind, changedFiles, onlyLooks, readsOtherFiles } from './command-kinds.js';
import { allowed, asking, type Decision, notGranted, type PermissionContext } from './decision.js';
import { isInsideAny } from './inside.js';
import { explainLook, lookedAt } from './looked-at.js';
import { coversCommand, coversPath, coversPathWidely } from './match-rule.js';
import type { PermissionRule } from './rules.js';
import { BACKGROUND, uncheckable } from './uncheckable.js';

/** Bash: every command of the line must be let through; one that is denied takes the line with it. */
export function decideBash(line: string, context: PermissionContext): Decision {
  const { rules, mode } = context;
  const { line: looked, commands, hidden } = readShellLine(line);
  // The message names the line, or the one command in it whose files are denied.
  const byFile = commands.find((command) => touchesDenied(command, context));
  const denied = commands.some((command) => isDenied(command, line, context)) ? line : byFile?.text;
  if (denied !== undefined) {
    return {
      behavior: 'deny',
      reasonType: 'subcommandResults',
      message: `Permission to use Bash with command ${denied} has been denied.`,
    };
  }
  if (commands.some((command) => isCovered(rules.ask.filter(hasContent), command)))
    return asking(notGranted('use Bash'), 'rule');
  if (rules.ask.some((rule) => rule.tool === 'Bash' && !hasContent(rule))) return askAlways(commands, context);
  if (mode === 'bypassPermissions') return allowed('mode');
  const unsafe = commands.map((command) => unsafeChange(command, context)).find((found) => found !== undefined);
  // Where the folder changes first, the real CLI lets a rule about the whole tool cover even that.
  const isMoved = commands.some(({ words: [name] }) => name === 'cd');
  if (
    (unsafe === undefined || isMoved) &&
    rules.allow.some((rule) => rule.tool === 'Bash' && (rule.content === undefined || rule.content === line.trim()))
  ) {
    return allowed('rule');
  }
  const reason = uncheckable(looked, commands);
  if (reason === BACKGROUND) return { ...asking(reason, 'safetyCheck', reason), breaker: 'backgroundOperator' };
  if (reason !== undefined) return askOther(reason);
  if (hidden !== undefined) return askOther(`${hidden} in this command can't be checked before it runs`);
  // A rule about the whole tool counts no more where one command changes a sensitive file.
  const counted = unsafe === undefined ? rules : { ...rules, allow: rules.allow.filter(hasContent) };
  const open = commands.filter((command) => !isAllowed(command, { ...context, rules: counted }));
  const [first] = open;
  if (first === undefined) return allowed('subcommandResults');
  if (unsafe !== undefined) return open.length === 1 ? unsafe : severalParts(open);
  return explain(first, open, { total: commands.length, isPiped: /(?<!\|)\|(?!\|)/.test(line) }, context);
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

function hasContent({ content }: PermissionRule): boolean {
  return content !== undefined;
}

function isDenied(command: SimpleCommand, line: string, { rules }: PermissionContext): boolean {
  const bare = command.words.join(' ').replace(/^(?:\w+=\S* )+/, '');
  return [command.text, bare, line].some((text) => covered(rules.deny, text));
}

/** Whether a command reads or writes a file that a rule about Read or Edit denies. */
function touchesDenied(command: SimpleCommand, { rules, cwd }: PermissionContext): boolean {
  const touched: Record<string, readonly string[]> = { Read: lookedAt(command), Edit: command.writesTo };
  return rules.deny.some(
    (rule) =>
      rule.content !== undefined && (touched[rule.tool] ?? []).some((file) => coversPathWidely(rule, file, cwd)),
  );
}

function isAllowed(command: SimpleCommand, context: PermissionContext): boolean {
  const { rules, mode, cwd, directories } = context;
  const inside = (files: readonly string[]): boolean =>
    files.every((file) => isInsideAny(directories, shellPath(cwd, file)));
  const changed = changedFiles(command);
  if (unsafeChange(command, context) !== undefined) return false;
  if (changed !== undefined && (!inside(changed.files) || uncheckedChange(command) !== undefined)) return false;
  if (changed === undefined && outsideLook(command, context) !== undefined) return false;
  if (isCovered(rules.allow, command) && actionOfFind(command) === undefined)
    return command.writesTo.length === 0 || mode === 'acceptEdits';
  if (changed !== undefined) return mode === 'acceptEdits' && isPlainChange(command);
  return onlyLooks(command);
}

/** A path outside the working directories that a command looks at, unless a rule lets it be read. */
function outsideLook(command: SimpleCommand, { rules, cwd, directories }: PermissionContext): string | undefined {
  const readable = (path: string): boolean =>
    rules.allow.some((rule) => rule.tool === 'Read' && hasContent(rule) && coversPath(rule, path, cwd));
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
  const changesOnly = open.every((command) => changedFiles(command) !== undefined);
  if (changed !== undefined && (changesOnly || total === 1) && !isOnlyUnusual(changed.files, context))
    return asking(explainChange(changed.by, changed.files, context));
  const path = changed === undefined && open.length === 1 && !isPiped ? outsideLook(first, context) : undefined;
  const blocked = path === undefined ? undefined : explainLook(first, path, context.directories);
  if (blocked !== undefined) return asking(blocked);
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
function isOnlyUnusual(files: readonly string[], { mode, cwd, directories }: PermissionContext): boolean {
  return mode === 'acceptEdits' && files.every((file) => isInsideAny(directories, shellPath(cwd, file)));
}

function severalParts(open: readonly SimpleCommand[]): Decision {
  const parts = open.map(({ text }) => text).join(', ');
  const noun = open.length === 1 ? 'part requires' : 'parts require';
  return asking(
    `This Bash command contains multiple operations. The following ${noun} approval: ${parts}`,
    'subcommandResults',
  );
}

/** Why one command needs approval. */
function refusalOf({ words: [name, ...rest] }: SimpleCommand): Decision {
  if (name === 'sed') {
    return asking(
      'sed command requires approval (contains potentially dangerous operations)',
      'other',
      'sed command contains operations that require explicit approval (e.g., write commands, execute commands)',
    );
  }
  if (name === 'jq' && rest.some(readsOtherFiles))
    return askOther('jq command contains dangerous flags that could execute code or read arbitrary files');
  return askOther('This command requires approval');
}

function explainChange(by: string, files: readonly string[], { cwd, directories }: PermissionContext): string {
  const outside = files.map((file) => shellPath(cwd, file)).find((file) => !isInsideAny(directories, file));
  const path = outside ?? shellPath(cwd, files[0] ?? '.');
  const where = `the working directories for this session ('${directories.join("', '")}')`;
  const subject = by === 'Output redirection' ? `${by} to '${path}'` : `${by} in '${path}'`;
  return outside === undefined
    ? `${subject} needs approval. The path is inside ${where}, and Claude Code asks before a shell command creates, changes or removes files there.`
    : `${subject} needs approval. The path is outside ${where}. Allowing runs the command as written.`;
}

function covered(rules: readonly PermissionRule[], command: string): boolean {
  return rules.some((rule) => rule.tool === 'Bash' && coversCommand(rule, command));
}

function isCovered(rules: readonly PermissionRule[], { text, unquoted }: SimpleCommand): boolean {
  return covered(rules, text) || covered(rules, unquoted);
}

function askOther(reason: string): Decision {
  return asking(reason, 'other', reason);
}
