import { resolve } from 'node:path';
import { isObject, type JsonObject } from '../../document/json.js';
import { readShellLine } from '../permissions/bash-command.js';
import { commandsWithin, type FoundCommand } from '../permissions/commands-within.js';
import { coversCommand, coversPath, coversUrl } from '../permissions/match-rule.js';
import { isAboutTool, type PermissionRule, parseRule } from '../permissions/rules.js';
import { whyUnchecked } from '../permissions/uncheckable.js';
import type { HookInput } from './hook.js';

/**
 * Does the `if` of a hook hold? It is written as a permission rule, and read in a way of its own: a command that cannot
 * be read may be the one, a wrapper such as `nohup` is a command like others, and `Write(*.md)` is about files.
 */
export function conditionHolds(condition: string, input: Pick<HookInput, 'cwd' | string>): boolean {
  if (condition === '') return true;
  const { tool_name: tool, tool_input: use, cwd } = input;
  const rule = condition === condition.trim() ? parseRule(condition, 'session', String(cwd)) : undefined;
  // What is about no tool has nothing that could hold.
  if (rule === undefined || typeof tool !== 'string' || !isAboutTool(rule, tool)) return false;
  if (rule.content === undefined) return true;
  const given = isObject(use) ? use : {};
  if (tool === 'Bash') return isRun(rule, String(given['command'] ?? ''));
  if (tool === 'WebFetch') return coversUrl(rule, String(given['url'] ?? ''));
  const file = given['file_path'] ?? given['notebook_path'] ?? given['path'];
  return typeof file === 'string' && coversPath(rule, file, String(cwd));
}

/** A use of a tool that may meet a condition: `git push x` for `Bash(git push *)`. */
export function useThatMeets(condition: string, cwd: string): { tool: string; toolInput: JsonObject } | undefined {
  const { tool, content } = parseRule(condition, 'session', cwd) ?? {};
  if (tool === undefined || content === undefined) return undefined;
  const text = content.replace(/:\*$/, '').replace(/\*+/g, 'x');
  if (tool === 'Bash') return { tool, toolInput: { command: text } };
  if (tool === 'WebFetch') return { tool, toolInput: { url: `https://${text.replace('domain:', '')}` } };
  return { tool, toolInput: { file_path: resolve(cwd, text) } };
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
