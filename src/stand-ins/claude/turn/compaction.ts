import { compactedConversation } from '../../../claude-code/compaction.js';
import { hookLabel } from '../../../claude-code/hooks/verdict.js';
import { defined } from '../../../document/defined.js';
import type { JsonObject } from '../../../document/json.js';
import { COMPACTION_ANSWER, COMPACTION_SUMMARY, COMPACTION_TOKENS } from '../../../scenario/compaction-summary.js';
import { fire } from '../hooks/fire-if-any.js';
import type { FiredVerdict } from '../hooks/fired-verdict.js';
import { systemEvent } from '../output/events.js';
import { randomHex, uuid } from '../output/ids.js';
import { noTokens } from '../output/usage.js';
import { runningTasks } from '../session/running-tasks.js';
import type { Session } from '../session/session.js';
import type { TranscriptLine } from '../session/transcript.js';
import type { TurnRecord } from '../session/turn-record.js';
import { warnOfModel } from './warn-of-model.js';

export interface Compaction {
  trigger: 'manual' | 'auto';
  /** The lines that are kept as they are. */
  kept: readonly string[];
  /** Not everything fits into the request for the summary. */
  leavesOut?: boolean;
}

export interface Compacted {
  summary: string;
  /** What hooks said about it. */
  hooksSaid: string;
  /** The boundary and the summary, and what hooks said at the new start. */
  lines: readonly TranscriptLine[];
  atStart: readonly TranscriptLine[];
  emitBoundary(): void;
}

/** The CLI lets a subagent without a type write the summary. Hooks hear of its end alone. */
async function endSummarizer(session: Session, signal: AbortSignal): Promise<void> {
  const agentId = `a${randomHex(16)}`;
  await fire(
    session,
    'SubagentStop',
    {
      ...{ agent_id: agentId, agent_type: '', agent_transcript_path: session.transcript.subagentPath(agentId) },
      ...{ stop_hook_active: false, last_assistant_message: COMPACTION_ANSWER },
      ...{ background_tasks: runningTasks(session), session_crons: [] },
    },
    signal,
  );
}

/** Replaces the conversation by a summary, and says what is to be written down. The scenario's turn state is kept. */
export async function replaceBySummary(
  session: Session,
  turn: TurnRecord,
  { trigger, kept, leavesOut = false }: Compaction,
  before: FiredVerdict,
  signal: AbortSignal,
): Promise<Compacted> {
  warnOfModel(session, 'compact');
  const preTokens = session.contextTokens;
  // It is paid for, but the turn does not tell its tokens.
  const tokens = { ...noTokens(), ...COMPACTION_TOKENS };
  session.tally.add(session.askedModel, tokens);
  session.sinceResult.add(session.askedModel, tokens);
  const summary = compactedConversation(COMPACTION_SUMMARY, {
    transcriptPath: session.transcript.path,
    tools: [...session.atWork.namedTools].sort(),
    keepsMessages: kept.length > 0,
    leavesOut,
  });
  session.known = new Set();
  await endSummarizer(session, signal);
  const { model, promptId: prompt_id } = session;
  await fire(session, 'SessionStart', { source: 'compact', model, ...defined({ prompt_id }) }, signal);
  const atStart = session.transcript.takeHeld();
  const after = await fire(session, 'PostCompact', { trigger, compact_summary: COMPACTION_ANSWER }, signal);
  session.contextTokens = Math.ceil(summary.length / 4);
  const durationMs = turn.durationMs;
  const anchor = uuid();
  const preserved = preservedMessages(kept, anchor);
  const logicalParentUuid = session.transcript.leaf;
  const timestamp = session.parts.clock.timestamp();
  // A prompt that is kept behind an answer is not in the summary.
  const lastTurn = session.prompts - (trigger === 'auto' && !leavesOut ? 1 : 0);
  return {
    summary,
    hooksSaid: [...outcomes('PreCompact', before), ...outcomes('PostCompact', after)].join('\n'),
    emitBoundary: () =>
      session.emit(
        systemEvent(session.id, 'compact_boundary', {
          compact_metadata: {
            trigger,
            pre_tokens: preTokens,
            post_tokens: session.contextTokens,
            cumulative_dropped_tokens: 0,
            duration_ms: durationMs,
            ...preserved?.event,
          },
          logical_parent_uuid: logicalParentUuid,
        }),
      ),
    lines: [
      {
        logicalParentUuid,
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        ...(trigger === 'manual' ? { isMeta: false } : {}),
        timestamp,
        level: 'info',
        compactMetadata: {
          trigger,
          preTokens,
          durationMs,
          ...preserved?.line,
          postTokens: session.contextTokens,
          cumulativeDroppedTokens: 0,
          ...(trigger === 'auto' ? { runningTurnPrompt: {} } : {}),
        },
      },
      {
        promptId: session.promptId,
        type: 'user',
        message: { role: 'user', content: summary },
        isVisibleInTranscriptOnly: true,
        isCompactSummary: true,
        turnPosition: { promptIndex: 0, turnIndex: lastTurn },
        ...(trigger === 'manual' ? {} : { turnOrigin: 'sdk', summarizedTurnPromptUuids: [session.promptLine] }),
        uuid: anchor,
        timestamp,
      },
    ],
    atStart,
  };
}

/** How the hooks of an event ended, one line for each. */
function outcomes(event: string, { runs = [] }: FiredVerdict): string[] {
  return runs.map(({ hook, exitCode, stdout, stderr }) => {
    const said = (exitCode === 0 ? stdout : stderr).trim();
    const how = exitCode === 0 ? 'completed successfully' : 'failed';
    return `${event} [${hookLabel(hook)}] ${how}${said === '' ? '' : `: ${said}`}`;
  });
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
