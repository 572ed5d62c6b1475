import type { HookVerdict } from '@understudy/agents';
import { recordUnsupported } from '../../shared/record-call.js';
import { REFUSED } from '../refused.js';
import type { ToolRun } from '../tools/live-tool.js';

type Shown = Pick<ToolRun, 'content' | 'useResult'>;

/** What the model reads of a tool: its result, or for one of a server what a PostToolUse hook says instead. */
export function shownOutput(
  { name }: { name: string },
  run: Shown,
  { updatedOutput: updated = {} }: HookVerdict,
): Shown {
  const isOfServer = name.startsWith('mcp__');
  const value = updated.ofTool ?? (isOfServer ? updated.ofServer : undefined);
  if (value !== undefined && !isOfServer) recordUnsupported(REFUSED.otherResults);
  if (value === undefined || !isOfServer) return run;
  const isContent = typeof value === 'string' || Array.isArray(value);
  return { content: isContent ? (value as ToolRun['content']) : JSON.stringify(value), useResult: value };
}
