import { compactedConversation } from '../../../claude-code/compaction.js';
import type { JsonObject } from '../../../document/json.js';
import { COMPACTION_SUMMARY, COMPACTION_TOKENS } from '../../../scenario/compaction-summary.js';
import type { SlashCommand } from '../../../scenario/prompt.js';
import { fire } from '../hooks/fire-if-any.js';
import { systemEvent, userEvent } from '../output/events.js';
import { uuid } from '../output/ids.js';
import { noTokens } from '../output/usage.js';
import { sleep } from '../session/clock.js';
import type { Session } from '../session/session.js';
import { recordQueue } from '../session/transcript.js';
import type { TurnRecord } from '../session/turn-record.js';
import { initEvent } from './init-event.js';
import { CAVEAT, commandLines, commandTags, failCommand, inTags, userLine } from './local-lines.js';
import type { TurnOutcome } from './speaker.js';

/** `/compact` replaces the conversation by a summary. The scenario's turn state is kept. */
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
  const isNew = session.prompts === 0;
  // What hooks told at the start counts as a message, and is not enough for a summary.
  if (isNew && session.notes.length === 0) return fail('Error: No messages to compact');
  session.emit(systemEvent(session.id, 'status', { status: 'compacting' }));
  const verdict = await fire(session, 'PreCompact', { trigger: 'manual', custom_instructions: args }, signal);
  if (verdict.block !== undefined) {
    session.emit(systemEvent(session.id, 'status', { status: null, compact_result: 'failed' }));
    return fail(`Compaction blocked by PreCompact hook: ${verdict.block.reason.trimEnd()}`);
  }
  if (isNew) {
    const reason = 'Not enough messages to compact.';
    session.emit(systemEvent(session.id, 'status', { status: null, compact_result: 'failed', compact_error: reason }));
    failCommand(session, { name: 'compact', args }, reason, { asFailure: false });
    return { ending: { kind: 'local', text: reason, command: 'compact' }, outcome: 'local_command' };
  }
  await sleep(session.parts.script.scenario.document.timeouts?.compact_delay_ms ?? 0, signal);
  const before = session.contextTokens;
  turn.count(session, session.model, { ...noTokens(), ...COMPACTION_TOKENS });
  const kept = session.answers.kept;
  const summary = compactedConversation(COMPACTION_SUMMARY, {
    transcriptPath: session.transcript.path,
    tools: [...session.namedTools].sort(),
    keepsMessages: kept.length > 0,
  });
  await fire(session, 'SessionStart', { source: 'compact', model: session.model }, signal);
  await fire(session, 'PostCompact', { trigger: 'manual', compact_summary: summary }, signal);
  session.emit(systemEvent(session.id, 'status', { status: null, compact_result: 'success' }));
  session.emit(initEvent(session));
  session.contextTokens = Math.ceil(summary.length / 4);
  const anchor = uuid();
  const preserved = preservedMessages(kept, anchor);
  const metadata = {
    trigger: 'manual',
    pre_tokens: before,
    post_tokens: session.contextTokens,
    cumulative_dropped_tokens: 0,
    duration_ms: turn.durationMs,
    ...preserved?.event,
  };
  session.emit(
    systemEvent(session.id, 'compact_boundary', {
      compact_metadata: metadata,
      logical_parent_uuid: session.transcript.leaf,
    }),
  );
  recordQueue(session, `/compact${args === '' ? '' : ` ${args}`}`);
  session.known = new Set();
  // What is before the messages that are kept is no news for the model.
  const notes = [summary, CAVEAT, commandTags('compact', args), inTags('stdout', 'Compacted ')];
  session.notes.push(...(kept.length > 0 ? notes.slice(1) : notes));
  const logicalParentUuid = session.transcript.leaf;
  session.transcript.leaf = null;
  session.transcript.addMessages([
    {
      logicalParentUuid,
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      isMeta: false,
      timestamp: session.parts.clock.timestamp(),
      level: 'info',
      compactMetadata: {
        trigger: 'manual',
        preTokens: before,
        durationMs: turn.durationMs,
        ...preserved?.line,
        postTokens: session.contextTokens,
        cumulativeDroppedTokens: 0,
      },
    },
    {
      promptId: session.promptId,
      type: 'user',
      message: { role: 'user', content: summary },
      isVisibleInTranscriptOnly: true,
      isCompactSummary: true,
      turnPosition: { promptIndex: 0, turnIndex: session.prompts },
      uuid: anchor,
      timestamp: session.parts.clock.timestamp(),
    },
    ...commandLines(session, 'compact', args),
    userLine(session, inTags('stdout', 'Compacted ')),
  ]);
  session.emit(userEvent(session.at(), summary, { isReplay: false, isSynthetic: true }));
  session.emit(userEvent(session.at(), inTags('stdout', 'Compacted '), { isReplay: true }));
  session.answers.compact();
  return done;
}

/** How the boundary names the messages that are kept as they are, for the host and in the transcript. */
function preservedMessages(
  kept: readonly string[],
  anchor: string,
): { event: JsonObject; line: JsonObject } | undefined {
  const [head] = kept;
  const tail = kept.at(-1);
  if (head === undefined || tail === undefined) return undefined;
  return {
    event: {
      preserved_segment: { head_uuid: head, anchor_uuid: anchor, tail_uuid: tail },
      preserved_messages: { anchor_uuid: anchor, uuids: [...kept], all_uuids: [...kept] },
    },
    line: {
      preservedSegment: { headUuid: head, anchorUuid: anchor, tailUuid: tail },
      preservedMessages: { anchorUuid: anchor, uuids: [...kept], allUuids: [...kept] },
    },
  };
}
