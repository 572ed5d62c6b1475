import type { RecordedCall, TranscriptTurn } from '@understudy/agents';
import type { CallDetails } from './agent-call.js';

/** The clock of the transcript and the times of files may differ by so much. */
const TOLERANCE_MS = 1000;

/**
 * What its transcript contains about a call: the one turn that was begun in its folder, while it ran, with its
 * prompt. Undefined where there is no such turn, or where there are two.
 */
export function detailsFromTranscript(
  { cwd, startedAt, ended }: Pick<RecordedCall, 'cwd' | 'startedAt' | 'ended'>,
  prompt: string,
  turns: readonly TranscriptTurn[],
): CallDetails | undefined {
  const until = (ended?.at ?? Number.POSITIVE_INFINITY) + TOLERANCE_MS;
  const found = turns.filter(
    (turn) =>
      turn.cwd === cwd &&
      turn.at >= startedAt - TOLERANCE_MS &&
      turn.at <= until &&
      turn.prompt.trim() === prompt.trim(),
  );
  const [turn] = found;
  if (turn === undefined || found.length > 1) return undefined;
  return {
    prompt: turn.prompt,
    events: turn.events('live'),
    told: { unknown: 'a transcript does not have the requests to the model' },
  };
}
