import type { HookVerdict } from '@understudy/agents';
import type { JsonObject } from '@understudy/kit';
import type { Session } from '../session/session.js';
import { initEvent } from './init-event.js';
import { recordRefusal } from './record-prompt.js';
import type { TurnOutcome } from './speaker.js';

/** A hook can block a prompt, or end the turn before it begins. */
export function refusal(
  session: Session,
  event: 'UserPromptSubmit' | 'UserPromptExpansion',
  verdict: HookVerdict,
  text: string,
  { ofCommand = event === 'UserPromptExpansion' } = {},
): TurnOutcome | undefined {
  const { block, stop } = verdict;
  if (block === undefined && stop === undefined) return undefined;
  const { content, outcome } = describe(event, verdict, text);
  const submitting = !ofCommand;
  session.out.emit(initEvent(session));
  recordRefusal(session, { content, text, stopped: block === undefined, submitting });
  session.out.warn(content, { prevent_continuation: true, ...(submitting ? { prompt_submit_outcome: outcome } : {}) });
  const ending = { kind: 'local' as const, text: content, ...(submitting ? {} : { command: 'custom' }) };
  return { ending, outcome: 'blocked' };
}

/** What the user and the host receive. */
function describe(
  event: string,
  { block, stop, suppressesPrompt }: HookVerdict,
  text: string,
): { content: string; outcome: JsonObject } {
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
  return { content, outcome };
}
