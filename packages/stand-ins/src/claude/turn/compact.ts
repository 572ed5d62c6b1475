import { compactedConversation, hookLabel } from '@understudy/agents';
import { defined } from '@understudy/kit';
import { COMPACTION_ANSWER, COMPACTION_SUMMARY, COMPACTION_TOKENS, type SlashCommand } from '@understudy/script';
import { fire } from '../hooks/fire-if-any.js';
import type { FiredVerdict } from '../hooks/fired-verdict.js';
import { userEvent } from '../output/events.js';
import { noTokens } from '../output/usage.js';
import { sleep } from '../session/clock.js';
import type { Session } from '../session/session.js';
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
  const status = (fields: object): void => session.out.system('status', { status: null, ...fields });
  const { transcript } = session;
  if (session.conversation.prompts === 0 && !session.conversation.hookedAtStart && transcript.leaf === null)
    return fail('Error: No messages to compact');
  status({ status: 'compacting' });
  const before = await fire(session, 'PreCompact', { trigger: 'manual', custom_instructions: args }, signal);
  if (before.block !== undefined) {
    status({ compact_result: 'failed' });
    return fail(`Compaction blocked by PreCompact hook: ${before.block.reason.trimEnd()}`);
  }
  // The output of hooks at the start, a command and a prompt without an answer are not enough for a summary.
  if (session.conversation.answered === 0) {
    const reason = 'Not enough messages to compact.';
    status({ compact_result: 'failed', compact_error: reason });
    failCommand(session, { name: 'compact', args }, reason, { asFailure: false });
    return { ending: { kind: 'local', text: reason, command: 'compact' }, outcome: 'local_command' };
  }
  await sleep(session.parts.script.scenario.document.timeouts?.compact_delay_ms ?? 0, signal);
  const preTokens = session.conversation.contextTokens;
  // It is paid for, but the turn does not report its tokens.
  const tokens = { ...noTokens(), ...COMPACTION_TOKENS };
  session.spending.add(session.usedModel, tokens);
  // Of several answers the last one is kept as it is.
  const keepsMessages = session.conversation.answered > 1;
  const summary = compactedConversation(COMPACTION_SUMMARY, {
    transcriptPath: transcript.path,
    tools: [...session.atWork.namedTools].sort(),
    keepsMessages,
  });
  session.conversation.known = new Set();
  const about = { source: 'compact', model: session.model, ...defined({ prompt_id: session.turn.promptId }) };
  await fire(session, 'SessionStart', about, signal);
  const atStart = transcript.takeHeld();
  const after = await fire(session, 'PostCompact', { trigger: 'manual', compact_summary: COMPACTION_ANSWER }, signal);
  session.conversation.contextTokens = Math.ceil(summary.length / 4);
  const hooksSaid = [...outcomes('PreCompact', before), ...outcomes('PostCompact', after)].join('\n');
  status({ compact_result: 'success' });
  session.out.emit(initEvent(session));
  session.out.showMessages(atStart);
  const logicalParentUuid = transcript.leaf;
  const { durationMs } = turn;
  session.out.system('compact_boundary', {
    compact_metadata: {
      ...{ trigger: 'manual', pre_tokens: preTokens, post_tokens: session.conversation.contextTokens },
      ...{ cumulative_dropped_tokens: 0, duration_ms: durationMs },
    },
    logical_parent_uuid: logicalParentUuid,
  });
  const printed = inTags('stdout', `Compacted ${hooksSaid}`);
  // What is before a message that is kept is no news for the model.
  session.atWork.notes.push(...(keepsMessages ? [] : [summary]), CAVEAT, commandTags('compact', args), printed);
  const timestamp = session.parts.clock.timestamp();
  transcript.leaf = null;
  transcript.addMessages([
    {
      ...{ logicalParentUuid, type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' },
      ...{ isMeta: false, timestamp, level: 'info' },
      compactMetadata: {
        ...{ trigger: 'manual', preTokens, durationMs, postTokens: session.conversation.contextTokens },
        cumulativeDroppedTokens: 0,
      },
    },
    {
      ...userLine(session, summary),
      isCompactSummary: true,
    },
    ...commandLines(session, 'compact', args),
    userLine(session, printed),
    ...atStart,
  ]);
  session.out.emit(userEvent(session.out.at(), summary, { isReplay: false, isSynthetic: true }));
  session.out.emit(userEvent(session.out.at(), printed, { isReplay: true }));
  session.conversation.answered = keepsMessages ? 1 : 0;
  return done;
}

/** How the hooks of an event ended, one line for each. */
function outcomes(event: string, { runs = [] }: FiredVerdict): string[] {
  return runs.map(({ hook, exitCode, stdout, stderr }) => {
    const said = (exitCode === 0 ? stdout : stderr).trim();
    const how = exitCode === 0 ? 'completed successfully' : 'failed';
    return `${event} [${hookLabel(hook)}] ${how}${said === '' ? '' : `: ${said}`}`;
  });
}
