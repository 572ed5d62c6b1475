import type { HookVerdict } from '../../../claude-code/hooks/verdict.js';
import { systemEvent } from '../output/events.js';
import type { Session } from '../session/session.js';
import { initEvent } from './init-event.js';
import { recordRefusal } from './record-prompt.js';
import type { TurnOutcome } from './speaker.js';

/** A hook can block a prompt, or end the turn before it begins. */
export function refusal(
  session: Session,
  event: 'UserPromptSubmit' | 'UserPromptExpansion',
  { block, stop, suppressesPrompt }: HookVerdict,
  text: string,
  { queued = false, ofCommand = event === 'UserPromptExpansion' } = {},
): TurnOutcome | undefined {
  if (block === undefined && stop === undefined) return undefined;
  const isRepeated = !suppressesPrompt && block?.noVerdict === undefined;
  const content =
    block === undefined
      ? `Operation stopped by hook: ${stop?.reason}`
      : `${event} operation blocked by hook:\n${block.reason}${isRepeated ? `\n\nOriginal prompt: ${text}` : ''}`;
  const outcome =
    block === undefined
      ? { kind: 'stopped_by_hook', prompt_kept: true, reason: stop?.reason }
      : block.noVerdict === undefined
        ? { kind: 'blocked_by_hook', prompt_kept: false, reason: block.words }
        : { kind: 'no_verdict', prompt_kept: false, no_verdict_kind: block.noVerdict };
  const submitting = !ofCommand;
  session.emit(initEvent(session));
  session.emit(
    systemEvent(session.id, 'informational', {
      content,
      level: 'warning',
      prevent_continuation: true,
      ...(submitting ? { prompt_submit_outcome: outcome } : {}),
    }),
  );
  recordRefusal(session, { content, text, stopped: block === undefined, queued, ...(submitting ? { outcome } : {}) });
  const ending = { kind: 'local' as const, text: content, ...(submitting ? {} : { command: 'custom' }) };
  return { ending, outcome: 'blocked' };
}
