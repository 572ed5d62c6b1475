import type { ConversationEvent, EventOf } from '@understudy/agents';
import { isObject } from '@understudy/kit';

/** One use of a tool, with its place in the conversation. */
export interface ToolUse {
  /** Its place among all tool uses, from 1. */
  order: number;
  id: string;
  tool: string;
  input: Record<string, unknown>;
  turn: number;
  startedAt: string;
  endedAt?: string;
  /** Absent while it runs, or when the turn ended before it did. */
  status?: EventOf<'tool_result'>['status'];
  result?: string;
  exitCode?: number;
  /** The subagent that used it. */
  agent?: string;
}

/** The same tool with the same input, more than once: often a sign of confusion. */
export interface ToolRepeat {
  tool: string;
  input: Record<string, unknown>;
  count: number;
  turns: number[];
}

/** Every tool use, in the order in which they began. */
export function toolUses(events: readonly ConversationEvent[]): ToolUse[] {
  const uses: ToolUse[] = [];
  const byId = new Map<string, ToolUse>();
  for (const event of events) {
    if (event.type === 'tool_call') {
      const use: ToolUse = {
        order: uses.length + 1,
        id: event.id,
        tool: event.tool,
        input: event.input,
        turn: event.turn,
        startedAt: event.at,
        ...(event.agent === undefined ? {} : { agent: event.agent }),
      };
      uses.push(use);
      byId.set(event.id, use);
    } else if (event.type === 'tool_result') {
      const use = byId.get(event.id);
      if (use === undefined) continue;
      use.endedAt = event.at;
      use.status = event.status;
      use.result = event.text;
      if (event.exitCode !== undefined) use.exitCode = event.exitCode;
    }
  }
  return uses;
}

/** Uses that came more than once with the same input. */
export function repeatedTools(uses: readonly ToolUse[]): ToolRepeat[] {
  const groups = new Map<string, ToolUse[]>();
  for (const use of uses) {
    const key = `${use.tool} ${canonical(use.input)}`;
    groups.set(key, [...(groups.get(key) ?? []), use]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length < 2) return [];
    return [
      { tool: first.tool, input: first.input, count: group.length, turns: [...new Set(group.map(({ turn }) => turn))] },
    ];
  });
}

/** JSON with sorted keys, so that the order in which a model writes them does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) =>
    isObject(entry) ? Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1))) : entry,
  );
}
