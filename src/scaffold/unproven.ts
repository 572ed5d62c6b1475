import { type Candidate, mayObject, TOOL_CANDIDATES, untriedCommands } from '@understudy/suites';
import type { Skipped } from './part.js';
import { inline } from './toml.js';

/** What the steps do not prove of a hook: lines at the end of the rehearsal, and words for the user. */
export interface Unproven {
  notes: readonly string[];
  skipped: readonly Skipped[];
}

const MAX_NAMED = 5;

/** A Stop hook may want that something has been begun before it keeps the agent at work. */
export function unprovenLoop(event: string): Unproven {
  const reason = 'it may keep the agent at work, and did not when it was tried: nothing here proves that it does.';
  const fix = `In the step after which it should, expect: hooks = [{ event = "${event}", blocked = true }]`;
  return { notes: [`The hook of ${event}: ${reason} ${fix}`], skipped: [{ name: `hook ${event}`, reason, fix }] };
}

/** A guard that stopped nothing, or not again, or that names commands that were not tried: the step for them is begun as a comment. */
export function unprovenGuard(
  tool: string,
  text: string,
  { isStopping, changed }: { isStopping: boolean; changed: Candidate | undefined },
): Unproven {
  const name = `hook PreToolUse on ${tool}`;
  const skipped: Skipped[] = [];
  if (changed !== undefined) {
    const reason = `it stopped ${JSON.stringify(changed.input)}, and not again in a new project: that depends on something else.`;
    skipped.push({ name, reason, fix: 'Add a step that makes what it looks for, and then what it should stop.' });
  }
  if (!mayObject(text)) return { notes: [], skipped };
  const { harmless = [], dangerous = [] } = TOOL_CANDIDATES[tool] ?? {};
  const untried = tool === 'Bash' ? untriedCommands(text, [...harmless, ...dangerous]) : [];
  if (isStopping && untried.length === 0) return { notes: [], skipped };
  const reason = [
    ...(isStopping ? [] : ['none of the inputs that were tried was stopped']),
    ...(untried.length === 0 ? [] : [`it names ${untried.slice(0, MAX_NAMED).join(', ')}, not tried here`]),
  ].join('; ');
  const fix = 'Fill in the step at the end of the rehearsal, and take the # signs away.';
  skipped.push({ name, reason: `${reason}.`, fix });
  return { notes: stub(tool, reason, { ...harmless[0]?.input, ...blank(tool, untried[0]) }), skipped };
}

function blank(tool: string, command = 'FILL IN'): Record<string, string> {
  return tool === 'Bash' ? { command } : { file_path: 'FILL IN' };
}

/** A step as comments, with what is to be filled in. */
function stub(tool: string, reason: string, input: Record<string, unknown>): string[] {
  const send = `Try ${tool} with what the hook should stop.`;
  return [
    `PreToolUse on ${tool}: ${reason}. Fill in what it should stop, and take the # signs away:`,
    '[[responses]]',
    `pattern = ${inline({ type: 'exact', text: send })}`,
    `response = ${inline({ tool_calls: [{ tool, input }], then: 'Done.' })}`,
    '[[steps]]',
    `send = ${inline(send)}`,
    `permissions = ${inline({ [tool]: 'deny' })}`,
    '[steps.expect]',
    `tools = ${inline({ calls: [{ tool, status: 'blocked' }] })}`,
    `hooks = ${inline([{ event: 'PreToolUse', on: tool, blocked: true }])}`,
  ];
}
