import type { JsonObject } from '@understudy/kit';
import { escapeReminders } from './escape-reminders.js';
import { type HookEventName, hookEventFacts } from './events.js';
import type { HookRun } from './hook.js';
import { readOutput } from './output.js';
import { filledLabel, type HookVerdict, hookLabel, interpretRun } from './verdict.js';

/** What Claude Code writes down of the words of a hook: a line of the transcript, and what the model or the user reads of it. */
export interface HookAttachment {
  attachment: JsonObject & { type: string };
  /** What the model receives. */
  note?: string;
}

/**
 * What is written down about the hooks of an event. `name` is the name of the event, with its subject. What blocks a tool
 * is in the result of the tool, and not here. Lines that nobody reads are not written.
 */
export function hookAttachments(name: string, runs: readonly HookRun[], toolUseId: string): HookAttachment[] {
  const event = runs[0]?.hook.event;
  if (event === undefined) return [];
  const about = { hookName: name, toolUseID: toolUseId, hookEvent: event };
  const contexts: string[] = [];
  const joins = hookEventFacts(event).context === 'joined';
  const lines = runs.flatMap((run) => {
    const verdict = interpretRun(run);
    const context = contextIn(run, verdict);
    if (context !== undefined) contexts.push(context);
    const own = context === undefined || joins ? [] : [contextLine(about, event, [context])];
    const ended = stopLine(about, event, verdict);
    const said = [
      ...textLines(about, run),
      ...objectionLines(about, run, verdict),
      ...messageLines(about, run, verdict),
    ];
    return event === 'Stop' ? [...ended, ...said, ...own] : [...said, ...own, ...ended];
  });
  return contexts.length > 0 && joins ? [...lines, contextLine(about, event, contexts)] : lines;
}

/** What a hook said, in whichever kind of line it stands. */
export function hookText({ stdout, content }: JsonObject): string {
  if (typeof stdout === 'string') return stdout;
  return Array.isArray(content) ? content.join('\n') : String(content ?? '');
}

/** A context that was given as JSON. Plain text is in the line about the success of the hook. */
function contextIn(run: HookRun, { additionalContext }: HookVerdict): string | undefined {
  return additionalContext !== undefined && hookEventFacts(run.hook.event).context !== undefined && isJson(run)
    ? additionalContext
    : undefined;
}

function contextLine(about: JsonObject, event: HookEventName, contexts: string[]): HookAttachment {
  const isStart = event === 'SessionStart' || event === 'SubagentStart';
  const hookName = isStart ? event : String(about['hookName']);
  return {
    attachment: { type: 'hook_additional_context', content: contexts, ...about, hookName },
    note: escapeReminders(`${hookName} hook additional context: ${contexts.join('\n')}`),
  };
}

/** What is written of a hook that died or could not be understood: it objects to nothing. */
export function failureOf(run: HookRun): string | undefined {
  const { hook, stderr, exitCode, outcome } = run;
  if (run.hasWrongOutput) return stderr;
  if (outcome !== 'error' || exitCode === 2 || isJson(run)) return undefined;
  return 'prompt' in hook.run ? stderr : `Failed with non-blocking status code: ${stderr.trim() || 'No stderr output'}`;
}

/** Plain text that is context. */
function textLines(about: JsonObject, run: HookRun): HookAttachment[] {
  const content = run.stdout.trim();
  const isContext = hookEventFacts(run.hook.event).stdoutIsContext === true && run.outcome === 'success';
  if (!isContext || run.hasWrongOutput || isJson(run) || content === '') return [];
  const attachment = { type: 'hook_success', ...about, content, stdout: run.stdout, command: hookLabel(run.hook) };
  return [{ attachment, note: escapeReminders(`${String(about['hookName'])} hook success: ${content}`) }];
}

/** What the hook says to the user. */
function messageLines(about: JsonObject, { hook }: HookRun, { systemMessage, stop }: HookVerdict): HookAttachment[] {
  if (systemMessage === undefined || (hook.event === 'PostToolUse' && stop !== undefined)) return [];
  return [{ attachment: { type: 'hook_system_message', content: systemMessage, ...about } }];
}

function objectionLines(about: JsonObject, run: HookRun, { block, stop }: HookVerdict): HookAttachment[] {
  if (block === undefined || stop !== undefined || !hasOwnLine(run)) return [];
  const { event } = run.hook;
  const isEnd = hookEventFacts(event).goesOn;
  const hookName = isEnd && run.hook.run.type === 'callback' ? `${event}:Callback` : String(about['hookName']);
  const command = isJson(run) && run.outcome === 'success' ? hookLabel(run.hook) : filledLabel(run.hook);
  return [
    {
      attachment: {
        type: 'hook_blocking_error',
        ...about,
        hookName,
        blockingError: { blockingError: block.reason, command },
      },
      note: escapeReminders(`${hookName} hook blocking error from command: "${command}": ${block.reason}`),
    },
  ];
}

/** An objection to the end of a turn is a message of its own, and a line as well when it was JSON. */
function hasOwnLine(run: HookRun): boolean {
  const { event } = run.hook;
  if (hookEventFacts(event).goesOn) return isJson(run) && run.outcome === 'success';
  return hookEventFacts(event).exitTwo === 'feedback';
}

function stopLine(about: JsonObject, event: HookEventName, { block, stop }: HookVerdict): HookAttachment[] {
  const reason = stop?.reason ?? (event === 'PostToolBatch' ? block?.reason : undefined);
  if (reason === undefined || !hookEventFacts(event).canStop) return [];
  return [
    {
      attachment: { type: 'hook_stopped_continuation', message: reason, ...about },
      note: escapeReminders(`${String(about['hookName'])} hook stopped continuation: ${reason}`),
    },
  ];
}

function isJson({ hook, stdout, answer }: HookRun): boolean {
  if ('prompt' in hook.run) return false;
  return answer !== undefined || readOutput(hook.event, stdout).json !== undefined;
}
