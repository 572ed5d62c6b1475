import { hookEventFacts } from './events.js';
import type { HookRun } from './hook.js';
import { hookLabel, interpretRun } from './verdict.js';

/** Events whose hooks can give the model context. */
const GIVES_CONTEXT: ReadonlySet<string> = new Set([
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch'],
  ...['UserPromptSubmit', 'UserPromptExpansion', 'SessionStart', 'SubagentStart'],
]);

/**
 * What the model reads of hooks that have run, in the words of Claude Code 2.1.325. `name` is the name of the event, with
 * its subject. What blocks a tool is in the result of the tool, and not here.
 */
export function hookNotes(name: string, runs: readonly HookRun[]): string[] {
  return runs.flatMap((run) => {
    const { event } = run.hook;
    const { block, stop, additionalContext } = interpretRun(run);
    const notes: string[] = [];
    const stopped = stop?.reason ?? (event === 'PostToolBatch' ? block?.reason : undefined);
    if (stopped !== undefined) notes.push(`${name} hook stopped continuation: ${stopped}`);
    else if (block !== undefined && hookEventFacts(event).exitTwo === 'feedback') {
      notes.push(`${name} hook blocking error from command: "${hookLabel(run.hook)}": ${block.reason}`);
    }
    if (additionalContext !== undefined && GIVES_CONTEXT.has(event)) {
      const isPlain = !run.stdout.trim().startsWith('{') && run.answer === undefined;
      notes.push(`${name} hook ${isPlain ? 'success' : 'additional context'}: ${additionalContext}`);
    }
    return notes;
  });
}
