import { type JsonObject, textOrEmpty } from '@understudy/kit';
import { EDITING_TOOLS, READING_TOOLS, toolName } from '../tools.js';
import type { PermissionContext } from './decision.js';
import { coversPathWidely } from './match-rule.js';
import type { PermissionRule } from './rules.js';

/** Why a rule keeps a file from a tool. The tool itself looks for it before anything else, and gives the error. */
export function deniedFile(tool: string, input: JsonObject, { rules, cwd }: PermissionContext): string | undefined {
  const edits = EDITING_TOOLS.has(tool);
  if (!edits && !READING_TOOLS.has(tool)) return undefined;
  const file = textOrEmpty(input['file_path'] ?? input['notebook_path'] ?? input['path'] ?? (edits ? '' : '.'));
  const isUnreadable = rules.deny.some(
    (rule) => (rule.tool === 'Read' || (!edits && rule.tool === tool)) && coversPathWidely(rule, file, cwd),
  );
  if (edits && isUnreadable)
    return `File is covered by a Read deny rule in your permission settings and cannot be ${tool === 'Write' ? 'written' : 'edited'}.`;
  const isDenied =
    isUnreadable || (edits && rules.deny.some((rule) => isAboutEdits(rule) && coversPathWidely(rule, file, cwd)));
  return isDenied ? 'File is in a directory that is denied by your permission settings.' : undefined;
}

/** Paths are given in rules about Edit, for every tool that edits. */
export function isAboutEdits({ tool, content }: PermissionRule): boolean {
  return tool === 'Edit' && content !== undefined;
}

/** The rule that keeps a kind of subagent from being started; the tool itself gives the error. */
export function deniedAgent(agentType: string, { rules }: PermissionContext): string | undefined {
  const rule = rules.deny.find(({ tool, content }) => toolName(tool) === 'Agent' && content === agentType);
  if (rule === undefined) return undefined;
  return `Agent type '${agentType}' has been denied by permission rule 'Agent(${agentType})' from ${rule.source}.`;
}
