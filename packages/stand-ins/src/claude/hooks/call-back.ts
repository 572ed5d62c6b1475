import {
  type Hook,
  type HookInput,
  type HookRun,
  type HostHook,
  hookEventFacts,
  hookLabel,
  hookTimeoutMs,
  readHostAnswer,
} from '@understudy/agents';
import { milliseconds } from '../../shared/stopwatch.js';
import { writeOut } from '../../shared/write-out.js';
import { systemEvent } from '../output/events.js';
import { HostError } from '../output/host.js';
import { uuid } from '../output/ids.js';
import type { Session } from '../session/session.js';
import { SessionCrash } from '../session/session-crash.js';

/** Asks a hook of the host's program, over the control channel, no longer than it may take. */
export async function callBack(
  session: Session,
  hook: Hook,
  asked: HostHook,
  input: HookInput,
  interrupt: AbortSignal | undefined,
): Promise<HookRun> {
  const started = milliseconds();
  const end = await outcomeOf(session, hook, asked, input, interrupt);
  return {
    hook,
    stdout: '',
    stderr: '',
    exitCode: 0,
    outcome: 'success',
    durationMs: milliseconds() - started,
    ...end,
  };
}

async function outcomeOf(
  session: Session,
  hook: Hook,
  asked: HostHook,
  input: HookInput,
  interrupt: AbortSignal | undefined,
): Promise<Partial<HookRun>> {
  const { event } = hook;
  const timeoutMs = hookTimeoutMs(hook, session.parts.script.scenario.document.timeouts?.hook_timeout_ms);
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = interrupt === undefined ? limit : AbortSignal.any([interrupt, limit]);
  const request = { subtype: 'hook_callback', callback_id: asked.id, input, tool_use_id: toolUseIdOf(input) };
  let answer: unknown;
  try {
    answer = await session.parts.host?.ask(request, signal);
  } catch (error) {
    if (limit.aborted) return afterTimeout(event, timeoutMs);
    // A turn that is interrupted, or the end of the session: nobody is there to be asked.
    if (!(error instanceof HostError) || session.parts.host?.isClosed) return {};
    return failed(session, hook, asked, `Error: ${error.message}`);
  }
  const read = readHostAnswer(event, answer);
  if ('json' in read) return { answer: read.json };
  if ('isInvalid' in read) return failed(session, hook, asked, 'the answer is not as it should be');
  if (asked.blocksOnFailure) return failed(session, hook, asked, read.fault);
  return broken(event, read.fault);
}

function toolUseIdOf(input: HookInput): unknown {
  return input['tool_use_id'] ?? (input.hook_event_name === 'PostToolBatch' ? `hook-${uuid()}` : uuid());
}

/** What follows when the host says nothing in time. */
function afterTimeout(event: string, timeoutMs: number): Partial<HookRun> {
  switch (event) {
    case 'PreToolUse':
      return { fault: notExecuted('did not respond before its timeout (host client may be unreachable)') };
    case 'UserPromptSubmit': {
      const reason = `UserPromptSubmit hook callback timed out after ${timeoutMs}ms`;
      return { answer: { decision: 'block', reason }, noVerdict: 'callback_timed_out' };
    }
    case 'Stop':
      return {
        answer: { systemMessage: "The app driving this session didn't respond, so this turn ended without it." },
      };
    default:
      return {};
  }
}

/** What follows when the host speaks of another event. */
function broken(event: string, fault: string): Partial<HookRun> {
  if (event === 'UserPromptSubmit' || event === 'PostToolBatch') throw new SessionCrash(fault);
  return { fault: event === 'PreToolUse' ? notExecuted('failed with an unexpected error') : fault };
}

function notExecuted(what: string): string {
  return `PreToolUse hook ${what}. The tool call was not executed; other configured hooks may not have completed.`;
}

/** What follows when the host answers with an error, or with nothing that can be understood. */
function failed(session: Session, hook: Hook, { id, blocksOnFailure }: HostHook, why: string): Partial<HookRun> {
  const { event } = hook;
  writeOut(2, `Error in hook callback ${id}: ${why}\n`);
  const what = `Hook callback ${id} failed: the SDK host replied with an error or an invalid answer.`;
  const blocks = blocksOnFailure === true && !hookEventFacts(event).failsOpen;
  const consequence = blocks
    ? 'onFailure is "block", so this failure counts as a block.'
    : 'Its answer was treated as empty.';
  const warning = systemEvent(session.id, 'informational', {
    ...{ content: `${event}: ${what} ${consequence}`, level: 'warning', tag: 'hook_callback_failed' },
  });
  if (event === 'UserPromptSubmit') session.out.afterInit.push(warning);
  else session.out.emit(warning);
  if (!blocksOnFailure) return { answer: {} };
  if (!blocks) return { stderr: what, exitCode: 1, outcome: 'error', hasWrongOutput: true };
  const stderr = `failed; blocking because onFailure is "block"\n${what}`;
  if (event !== 'PermissionRequest') return { stderr, exitCode: 2, outcome: 'error', noVerdict: 'hook_failed' };
  const decision = { behavior: 'deny', message: `[${hookLabel(hook)}]: ${stderr}` };
  return { answer: { hookSpecificOutput: { hookEventName: event, decision } } };
}
