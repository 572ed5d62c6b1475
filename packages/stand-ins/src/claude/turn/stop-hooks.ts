import { escapeReminders, failureOf, interpretRun } from '@understudy/agents';
import { fire } from '../hooks/fire-if-any.js';
import type { FiredVerdict } from '../hooks/fired-verdict.js';
import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import { askAgain } from './ask-again.js';
import { sessionTools } from './init-event.js';
import type { Speaker } from './speaker.js';

/** A hook that always blocks would keep the turn running forever. */
const BLOCK_CAP = 8;

/** What the agent receives so that it goes on, or that a hook has ended more than the turn. */
interface Stopping {
  feedback?: string[];
  prevented?: true;
}

/** Whether the turn may end. */
export async function mayStop(
  session: Session,
  turn: TurnRecord,
  speaker: Speaker,
  blocks: number,
  signal: AbortSignal,
): Promise<Stopping> {
  // The turn is for an output in a form of its own, and has none.
  const isWithoutOutput = turn.structuredOutput === undefined && sessionTools(session).includes('StructuredOutput');
  const lacksOutput = speaker.parentToolUseId === null && blocks === 0 && isWithoutOutput;
  if (lacksOutput || session.hooks.some(({ event }) => event === speaker.stopEvent))
    return runStopHooks(session, turn, speaker, blocks, lacksOutput, signal);
  session.out.writeHookLinesOfResult();
  return {};
}

/**
 * Runs the Stop hooks. When one blocks, its reason is the next prompt; when one gives context, that is. Nothing is sent
 * when the turn may end.
 */
async function runStopHooks(
  session: Session,
  turn: TurnRecord,
  speaker: Speaker,
  blocks: number,
  lacksOutput: boolean,
  signal: AbortSignal,
): Promise<Stopping> {
  const { stopEvent, parentToolUseId } = speaker;
  const isMain = parentToolUseId === null;
  const verdict = await fire(
    session,
    stopEvent,
    {
      ...(isMain ? {} : { agent_transcript_path: session.out.writing.path }),
      ...{
        stop_hook_active: blocks > 0,
        ...(turn.text === '' ? {} : { last_assistant_message: turn.text }),
      },
      ...{ background_tasks: session.background.tasks(), session_crons: [] },
    },
    signal,
  );
  if (verdict.fault !== undefined) {
    if (isMain) session.out.warn(`Stop hook failed: ${verdict.fault}`);
    return {};
  }
  if (verdict.block === undefined && lacksOutput && verdict.stop === undefined) {
    askAgain(session, turn, CALL_IT_NOW);
    session.out.writeHookLinesOfResult();
    return { feedback: [CALL_IT_NOW, ...session.takeNotes()] };
  }
  if (verdict.block === undefined) {
    session.out.writeHookLinesOfResult();
    if (isMain && blocks === 0 && failures(verdict).length > 0) notify(session);
    if (verdict.stop !== undefined) return { prevented: true };
    if (verdict.additionalContext === undefined) return {};
    return isOver(session, turn, blocks) ? {} : { feedback: session.takeNotes() };
  }
  // The CLI calls a subagent's stop a stop, too.
  const feedback = feedbackOf(verdict);
  for (const text of feedback) session.out.meta(text);
  session.out.writeHookLinesOfResult();
  if (isMain) {
    turn.userLines += feedback.length;
    if (blocks === 0) notify(session);
  }
  return isOver(session, turn, blocks) ? {} : { feedback: [...feedback, ...session.takeNotes()] };
}

const CALL_IT_NOW =
  '[structured-output-enforce] You MUST call the StructuredOutput tool to complete this request. Call this tool now.';

function notify(session: Session): void {
  const text = 'Stop hook error occurred · ctrl+o to see';
  session.out.system('notification', { key: 'stop-hook-error', text, priority: 'immediate' });
}

/** What the transcript says of hooks that died. */
function failures({ runs = [] }: FiredVerdict): string[] {
  return runs.flatMap((run) => failureOf(run) ?? []);
}

/** What hooks that do not want the turn to end say to the agent. */
export function feedbackOf(verdict: FiredVerdict): string[] {
  return objections(verdict).map((reason) => escapeReminders(`Stop hook feedback:\n${reason}`));
}

/** Why each of the hooks does not want the turn to end. */
function objections({ runs = [] }: FiredVerdict): string[] {
  return runs.flatMap((run) => interpretRun(run).block?.reason ?? []);
}

/** The CLI ends a turn that a hook has blocked too often, and says so. */
function isOver(session: Session, turn: TurnRecord, blocks: number): boolean {
  const cap = Number(session.parts.env['CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'] ?? BLOCK_CAP) || BLOCK_CAP;
  if (blocks < cap) return false;
  const text =
    `A hook blocked the turn from ending ${blocks + 1} consecutive times — overriding and ending turn. For ` +
    "Stop/SubagentStop hooks, check stop_hook_active in the input and return success while it's true. Set " +
    'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP to raise this limit.';
  // The last thing in the turn is the feedback, so it has no result.
  turn.shown = '';
  session.out.warn(text);
  session.out.system('notification', { key: 'stop-hook-block-cap', text, priority: 'high', color: 'warning' });
  return true;
}
