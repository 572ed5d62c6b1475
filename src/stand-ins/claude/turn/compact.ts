import type { SlashCommand } from '../../../scenario/prompt.js';
import { fire } from '../hooks/fire-if-any.js';
import { systemEvent, userEvent } from '../output/events.js';
import { sleep } from '../session/clock.js';
import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import { replaceBySummary } from './compaction.js';
import { initEvent } from './init-event.js';
import { CAVEAT, commandLines, commandTags, failCommand, inTags, userLine } from './local-lines.js';
import type { TurnOutcome } from './speaker.js';

/** `/compact` replaces the conversation by a summary. */
export async function compact(
  session: Session,
  turn: TurnRecord,
  { args }: SlashCommand,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  const done: TurnOutcome = { ending: { kind: 'local', text: '', command: 'compact' }, outcome: 'local_command' };
  const fail = (reason: string): TurnOutcome => {
    failCommand(session, { name: 'compact', args }, reason);
    return done;
  };
  const { answers, transcript } = session;
  if (session.prompts === 0 && !session.hookedAtStart && transcript.leaf === null)
    return fail('Error: No messages to compact');
  session.emit(systemEvent(session.id, 'status', { status: 'compacting' }));
  const before = await fire(session, 'PreCompact', { trigger: 'manual', custom_instructions: args }, signal);
  if (before.block !== undefined) {
    session.emit(systemEvent(session.id, 'status', { status: null, compact_result: 'failed' }));
    return fail(`Compaction blocked by PreCompact hook: ${before.block.reason.trimEnd()}`);
  }
  // What hooks told at the start, a command and a prompt without an answer are not enough for a summary.
  if (!answers.hasAny) {
    const reason = 'Not enough messages to compact.';
    session.emit(systemEvent(session.id, 'status', { status: null, compact_result: 'failed', compact_error: reason }));
    failCommand(session, { name: 'compact', args }, reason, { asFailure: false });
    return { ending: { kind: 'local', text: reason, command: 'compact' }, outcome: 'local_command' };
  }
  await sleep(session.parts.script.scenario.document.timeouts?.compact_delay_ms ?? 0, signal);
  const { kept } = answers;
  const compaction = { trigger: 'manual' as const, kept };
  const { summary, hooksSaid, lines, atStart, emitBoundary } = await replaceBySummary(
    session,
    turn,
    compaction,
    before,
    signal,
  );
  session.emit(systemEvent(session.id, 'status', { status: null, compact_result: 'success' }));
  session.emit(initEvent(session));
  session.showMessages(atStart);
  emitBoundary();
  const printed = inTags('stdout', `Compacted ${hooksSaid}`);
  // What is before the messages that are kept is no news for the model.
  const notes = [summary, CAVEAT, commandTags('compact', args), printed];
  session.atWork.notes.push(...(kept.length > 0 ? notes.slice(1) : notes));
  transcript.leaf = null;
  transcript.addMessages([
    ...lines,
    ...commandLines(session, 'compact', args),
    { ...userLine(session, printed), ...(hooksSaid === '' ? {} : { repeatsCompactSummary: true }) },
    ...atStart,
  ]);
  session.emit(userEvent(session.at(), summary, { isReplay: false, isSynthetic: true }));
  session.emit(userEvent(session.at(), printed, { isReplay: true }));
  answers.compact();
  return done;
}
