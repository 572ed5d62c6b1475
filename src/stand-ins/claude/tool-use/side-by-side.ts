import { lineOnlyLooks } from '../../../claude-code/permissions/only-looks.js';
import { RESOURCE_TOOLS, SEARCH_TOOLS } from '../../../claude-code/tools.js';
import type { Session } from '../session/session.js';
import type { RequestedTool } from './requested-tool.js';

/** So many calls the real CLI has at work at once. */
const MOST = 10;

/** Tools that change nothing. Subagents run side by side, too, but not here. */
const LOOKING: ReadonlySet<string> = new Set(['Read', ...SEARCH_TOOLS, ...RESOURCE_TOOLS, 'ListAgents', 'CronList']);

/** The calls of a message in groups: neighbors that only look run side by side. */
export function groupCalls(session: Session, calls: readonly RequestedTool[]): RequestedTool[][] {
  const groups: { calls: RequestedTool[]; looks: boolean }[] = [];
  for (const call of calls) {
    const looks = onlyLooks(session, call);
    const last = groups.at(-1);
    if (looks && last?.looks && last.calls.length < MOST) last.calls.push(call);
    else groups.push({ calls: [call], looks });
  }
  return groups.map((group) => group.calls);
}

function onlyLooks({ mcp }: Session, { name, input }: RequestedTool): boolean {
  if (name !== 'Bash') return LOOKING.has(name) || mcp?.onlyLooks(name) === true;
  const { command } = input;
  return typeof command === 'string' && lineOnlyLooks(command);
}
