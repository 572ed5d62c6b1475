import type { HookVerdict } from '../../../claude-code/hooks/verdict.js';
import { isObject } from '../../../document/json.js';
import { recordUnsupported } from '../../shared/record-call.js';
import { REFUSED } from '../refused.js';
import type { ToolRun } from '../tools/live-tool.js';

type Shown = Pick<ToolRun, 'content' | 'useResult'>;

/** What the model reads of a tool: its result, or what a PostToolUse hook says instead. */
export function shownOutput(
  { name }: { name: string },
  run: Shown,
  { updatedOutput: updated = {} }: HookVerdict,
): Shown {
  const isOfServer = name.startsWith('mcp__');
  const value = updated.ofTool ?? (isOfServer ? updated.ofServer : undefined);
  if (value === undefined) return run;
  if (isOfServer) {
    const isContent = typeof value === 'string' || Array.isArray(value);
    return { content: isContent ? (value as ToolRun['content']) : JSON.stringify(value), useResult: value };
  }
  if (name !== 'Bash' || !isObject(value)) return refused(run);
  const { stdout, stderr, interrupted } = value;
  if (typeof stdout !== 'string' || typeof stderr !== 'string' || typeof interrupted !== 'boolean') return refused(run);
  const said = [stdout.trimEnd(), stderr.trim()].filter(Boolean).join('\n');
  return { content: said === '' ? '(Bash completed with no output)' : said, useResult: value };
}

function refused(run: Shown): Shown {
  recordUnsupported(REFUSED.otherResults);
  return run;
}
