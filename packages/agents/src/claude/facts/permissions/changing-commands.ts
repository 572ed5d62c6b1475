import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { SimpleCommand } from './bash-command.js';
import { changedFiles, onlyLooks } from './command-kinds.js';
import { asking, type Decision, type PermissionContext } from './decision.js';
import { fullPath } from './full-path.js';
import { isInsideAny } from './inside.js';
import { coversPathOrFolder } from './match-rule.js';
import { safetyCheck } from './sensitive-files.js';
import { plainProgramOf } from './wrappers.js';

const REMOVING = new Set(['rm', 'rmdir']);
const GLOB = /[*?[]/;
/** A replacement that `sed -i` may make where edits are accepted. */
const PLAIN_REPLACEMENT = /^s\/(?:[^/\\\n]|\\.)*\/(?:[^/\\\n]|\\.)*\/[gpimIM\d]*$/;
const PLAIN_SED_OPTIONS = new Set(['-i', '--in-place', '-E', '-r', '-n', '--regexp-extended']);

/** A change of files that no rule about commands and no mode lets through, but the one that skips all questions. */
export function unsafeChange(command: SimpleCommand, context: PermissionContext): Decision | undefined {
  const files = [...(changedFiles(command)?.files ?? []), ...command.writesTo];
  const found = files.map((file) => safetyCheck(shellPath(context.cwd, file))).find((one) => one !== undefined);
  return found ?? dangerousRemoval(command, context);
}

function dangerousRemoval(command: SimpleCommand, { cwd, directories }: PermissionContext): Decision | undefined {
  const [name = ''] = command.program;
  if (!REMOVING.has(name)) return undefined;
  for (const file of changedFiles(command)?.files ?? []) {
    const path = shellPath(cwd, file);
    const folder = path.endsWith('/*') ? dirname(path) : path;
    const isCritical = folder === homedir() || /^\/[^/]*$/.test(folder);
    const isWorkspace = directories.some((directory) => isInsideAny([folder], directory));
    if (!isCritical && !isWorkspace) continue;
    const what = isCritical
      ? 'a critical system directory'
      : 'a workspace directory (the working directory, an additional working directory, or one of their parent directories)';
    const on = isCritical ? 'critical path' : 'working directory or its ancestor';
    const message =
      `Dangerous ${name} operation detected: '${path}'\n\nThis command would remove ${what}. ` +
      'This requires explicit approval and cannot be auto-allowed by permission rules.';
    const asked = asking(message, 'safetyCheck', `Dangerous ${name} operation on ${on}: ${path}`);
    return { ...asked, isRemoval: true };
  }
  return undefined;
}

/** A change that a rule about this command does not let through, and no mode that accepts edits. */
export function uncheckedChange(command: SimpleCommand): Decision | undefined {
  const [name = '', ...rest] = command.program;
  const changed = changedFiles(command);
  if (changed === undefined) return undefined;
  if ((name === 'cp' || name === 'mv') && changed.by === name && rest.some((word) => word.startsWith('-'))) {
    return asking(
      `${name} with flags requires manual approval to ensure path safety. For security, Claude Code cannot automatically ` +
        `validate ${name} commands that use flags, as some flags like --target-directory=PATH can bypass path validation.`,
      'other',
      `${name} command with flags requires manual approval`,
    );
  }
  if (!command.hasPattern || !changed.files.some((file) => GLOB.test(file))) return undefined;
  const message = 'Glob patterns are not allowed in write operations. Please specify an exact file path.';
  return asking(message, 'other', message);
}

/** Whether a change of files is one of those that a mode which accepts edits lets through. */
export function isPlainChange(command: SimpleCommand): boolean {
  const [name, ...rest] = plainProgramOf(command.words);
  if (name === 'touch' && command.words[0] !== name) return false;
  if (command.writesTo.length > 0 && name !== 'sed')
    return name !== undefined && onlyLooks({ ...command, writesTo: [] });
  const options = rest.filter((word) => word.startsWith('-'));
  if (name === 'tee') return false;
  if (name === 'touch') return options.length === 0;
  if (name !== 'sed') return name === command.program[0];
  const [script = ''] = rest.filter((word) => !word.startsWith('-'));
  return PLAIN_REPLACEMENT.test(script) && options.every((word) => PLAIN_SED_OPTIONS.has(word));
}

/** The changed file that is asked about: one that is sensitive, or outside, or the first. */
export function fileToApprove(files: readonly string[], { cwd, directories }: PermissionContext): string {
  const paths = files.map((file) => shellPath(cwd, file));
  const minded =
    paths.find((path) => safetyCheck(path) !== undefined) ?? paths.find((path) => !isInsideAny(directories, path));
  return minded ?? paths[0] ?? cwd;
}

/** Without the files that a rule lets be edited. */
export function unruledFiles(files: readonly string[], { rules, cwd }: PermissionContext): string[] {
  const edits = rules.allow.filter(({ tool, content }) => tool === 'Edit' && content !== undefined);
  return files.filter((file) => !edits.some((rule) => coversPathOrFolder(rule, shellPath(cwd, file), cwd)));
}

/** The file that a word of a command means, as far as the home is concerned. */
export function shellPath(cwd: string, word: string): string {
  return fullPath(cwd, word.replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, '~'));
}
