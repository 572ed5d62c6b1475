import { resolve } from 'node:path';
import { isObject, type JsonObject } from '@understudy/kit';
import { readShellLine } from '../permissions/bash-command.js';
import { commandsWithin, type FoundCommand } from '../permissions/commands-within.js';
import { coversCommand, coversPath } from '../permissions/match-rule.js';
import { type PermissionRule, parseRule } from '../permissions/rules.js';
import { whyUnchecked } from '../permissions/uncheckable.js';
import { EDITING_TOOLS, READING_TOOLS, toolAliases } from '../tools.js';
import type { HookInput } from './hook.js';

/**
 * Does the `if` of a hook hold? It is written as a permission rule, and read in a way of its own: a command that cannot
 * be read may be the one, a wrapper such as `nohup` is a command like others, and `Write(*.md)` is about files.
 */
export function conditionHolds(condition: string, input: Pick<HookInput, 'cwd' | string>): boolean {
  if (condition === '') return true;
  const { tool_name: tool, tool_input: use, cwd } = input;
  const rule = readCondition(condition, String(cwd));
  // What is about no tool has nothing that could hold.
  if (rule === undefined || typeof tool !== 'string' || !toolAliases(tool).includes(rule.tool)) return false;
  if (rule.content === undefined) return true;
  const given = isObject(use) ? use : {};
  if (tool === 'Bash') return isRun(rule, String(given['command'] ?? ''));
  const file = given['file_path'] ?? given['notebook_path'] ?? given['path'];
  return isOfFiles(tool) && typeof file === 'string' && coversPath(rule, file, String(cwd));
}

/** Whether no use of a tool meets a condition: it is not one rule, or says of a tool what is only read of others. */
export function neverHolds(condition: string): boolean {
  const rule = readCondition(condition, '/');
  if (rule === undefined || /[^\w-]/.test(rule.tool) || /\)\s*(?:&&|\|\|?|,)\s*\w+\(/.test(condition)) return true;
  return rule.content !== undefined && rule.tool !== 'Bash' && !isOfFiles(rule.tool);
}

function readCondition(condition: string, cwd: string): PermissionRule | undefined {
  return condition === condition.trim() ? parseRule(condition, 'session', cwd) : undefined;
}

function isOfFiles(tool: string): boolean {
  return READING_TOOLS.has(tool) || EDITING_TOOLS.has(tool);
}

/** A use of a tool that may meet a condition: `git push x` for `Bash(git push *)`. */
export function useThatMeets(condition: string, cwd: string): { tool: string; toolInput: JsonObject } | undefined {
  const { tool, content } = readCondition(condition, cwd) ?? {};
  if (tool === undefined || content === undefined) return undefined;
  const text = content.replace(/:\*$/, '').replace(/\*+/g, 'x');
  return { tool, toolInput: tool === 'Bash' ? { command: text } : { file_path: resolve(cwd, text) } };
}

/** Lines that are not taken apart: any condition about commands holds. */
const UNREAD =
  /^(?:A (?:while|case|counting|function|group)|Heredoc with unquoted|Brace expansion|Text with|This command can't|Unrecognized|Contains backslash|A command used)/;

function isRun(written: PermissionRule, line: string): boolean {
  const content = (written.content ?? '').trim().replace(/[ \t]+/g, ' ');
  const rule = { ...written, content };
  const { commands, isOpaque } = commandsWithin(line);
  if (isOpaque || UNREAD.test(whyUnchecked(readShellLine(line)) ?? '')) return true;
  const isUnknown = commands.some(({ hasNested, hasVariable }) => hasNested || hasVariable);
  // Where words are not known, only the program can be compared.
  if (isUnknown && !/^\S*(?::\*| \*)$/.test(content)) return true;
  return commands.some((command) => coversCommand(rule, namesOf(command)));
}

function namesOf({ words }: FoundCommand): { exact: string[]; open: string[] } {
  const isAdding = words[0] === 'xargs' && words[1] !== undefined && !words[1].startsWith('-');
  const names = [words.join(' '), ...(isAdding ? [words.slice(1).join(' ')] : [])];
  return { exact: names, open: names };
}
