import { defined } from '@understudy/kit';
import { readOutput } from './output.js';
import { unreadName } from './unread-name.js';
import { type EndedHook, type HookVerdict, interpretHook, isBlocking } from './verdict.js';

/** What a hook decided, in one word. */
export type HookDecision =
  /** It changed nothing. */
  | 'none'
  | 'allow'
  | 'deny'
  | 'ask'
  /** It left the tool for later, and the turn ended. */
  | 'defer'
  /** It kept something from happening; a Stop hook kept the agent from stopping. */
  | 'block'
  /** It ended the turn. */
  | 'stop'
  /** It blocked nothing, but the model reads what it said. */
  | 'feedback'
  /** It ran out of time, so it decided nothing. */
  | 'timed out';

/** What the CLI makes of a hook that has ended. */
export interface HookJudgment {
  decision: HookDecision;
  blocked: boolean;
  /** What the model or the user receives. */
  reason?: string;
  additionalContext?: string;
  updatedInput?: Record<string, unknown>;
  systemMessage?: string;
  /** Why the CLI cannot use what it said. */
  problem?: string;
}

/** Judges an ended hook as the CLI does: by its exit code and by the JSON that it printed. */
export function judgeHook(ended: EndedHook): HookJudgment {
  const verdict = interpretHook(ended);
  const blocked = isBlocking(ended.event, verdict);
  const reason = (verdict.block ?? verdict.permission ?? verdict.stop)?.reason.trim() ?? '';
  const { additionalContext, updatedInput, systemMessage } = verdict;
  const problem = problemOf(ended);
  return {
    decision: decisionOf(verdict, blocked),
    blocked,
    ...(reason === '' ? {} : { reason }),
    ...defined({ additionalContext, updatedInput, systemMessage, problem }),
  };
}

type ReadHook = Pick<EndedHook, 'event' | 'stdout' | 'exitCode' | 'outcome' | 'modelHook'>;

/** Why the CLI cannot use what a hook said. An exit code of 2 objects whatever it said, and a hook that asked a model says nothing. */
export function problemOf({ event, stdout, exitCode, outcome, modelHook }: ReadHook): string | undefined {
  if (exitCode === 2 || outcome === 'cancelled' || modelHook !== undefined) return undefined;
  const { json = {}, problem } = readOutput(event, stdout);
  return problem?.what ?? unreadName(event, json);
}

/** Why a hook objected, in its own words: without the name that the CLI puts before them. */
export function objectionOf(ended: EndedHook): string | undefined {
  const { block, permission, stop } = interpretHook(ended);
  const words = block?.words ?? permission?.reason ?? stop?.reason ?? '';
  return words.trim() === '' ? undefined : words.trim();
}

function decisionOf({ timedOut, stop, permission, block }: HookVerdict, blocked: boolean): HookDecision {
  if (timedOut === true) return 'timed out';
  if (stop !== undefined) return 'stop';
  if (permission !== undefined) return permission.decision;
  if (block !== undefined) return blocked ? 'block' : 'feedback';
  return 'none';
}
