import type { ConversationEvent } from '@understudy/agents';
import { type Journal, readTold, type ToldRequest } from '@understudy/model';

/** What the model was told in a turn, or why that is not known. */
export type Told =
  | {
      requests: readonly ToldRequest[];
      /** A stand-in does not have the texts of the real CLI: what is missing here may still be there. */
      standIn?: true;
    }
  | { unknown: string };

/** Reads what was told from the requests that a model server got in a turn. */
export function toldByJournal(journal: Journal, events: readonly ConversationEvent[], turn: number): Told {
  const begin = promptTime(events, turn);
  const end = promptTime(events, turn + 1);
  const { forgottenUntil } = journal;
  if (begin !== undefined && forgottenUntil !== undefined && forgottenUntil >= begin) {
    return { unknown: 'the requests of this turn are too many or too large to be kept' };
  }
  const agents = agentsOf(events);
  const requests = journal
    .entries()
    // What the program of a `run` step asked is no part of a turn.
    .filter(
      ({ at, step }) => step === undefined && begin !== undefined && at >= begin && (end === undefined || at < end),
    )
    .flatMap((entry) => readTold(entry, agents) ?? []);
  return { requests };
}

/** Subagents by their prompts. That of a skill is not started by a call, so the model server does not know it. */
function agentsOf(events: readonly ConversationEvent[]): ReadonlyMap<string, string> {
  const started = events.flatMap((event) => (event.type === 'subagent_started' ? [event] : []));
  return new Map(started.flatMap(({ prompt, agent }) => (prompt === undefined ? [] : [[prompt.trim(), agent]])));
}

function promptTime(events: readonly ConversationEvent[], turn: number): string | undefined {
  return events.find((event) => event.type === 'prompt' && event.turn === turn)?.at;
}
