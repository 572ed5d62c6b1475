import type { Play, Prompt, Reply } from '@understudy/script';
import type { LogEntry } from '../../shared/request-log.js';
import type { ForcedFailure } from '../failures/forced-failure.js';
import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import type { Ending } from './result.js';

/** Who speaks: the agent itself, or a subagent that one of its tools has started. */
export interface Speaker {
  play: Play;
  parentToolUseId: string | null;
  /** The event of its Stop hooks. */
  stopEvent: 'Stop' | 'SubagentStop';
  /** How often it may ask the model, if that is its own affair. */
  maxTurns?: number;
  /** A failure that replaces every answer of the scenario. */
  forced?: ForcedFailure;
  /** The answer to a prompt that is the CLI's own: no rule is asked. */
  answer?: Reply;
  /** Called when the model begins to answer for the first time, or fails to. */
  onFirstAnswer?(): void;
}

export interface TurnOutcome {
  ending: Ending;
  outcome: LogEntry['outcome'];
}

/** Plays one turn of a speaker. The type is here because a turn can start subagents, whose turns are played by it too. */
export type PlayConversation = (
  session: Session,
  turn: TurnRecord,
  prompt: Prompt,
  speaker: Speaker,
  signal: AbortSignal,
) => Promise<TurnOutcome>;
