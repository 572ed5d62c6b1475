import { hookBlocks } from '../../agents/claude/hook-verdict.js';
import type { Hook, HookEvent, HookRun } from '../../claude-code/hooks/hook.js';
import { interpretHook } from '../../claude-code/hooks/interpret.js';

/** What a hook decided, in one word. */
export type HookDecision =
  /** It said nothing that changes anything. */
  | 'none'
  | 'allow'
  | 'deny'
  | 'ask'
  /** It kept something from happening; a Stop hook kept the agent from stopping. */
  | 'block'
  /** The turn ends here. */
  | 'stop'
  /** It blocks nothing, but the model reads what it said. */
  | 'feedback'
  /** It ran out of time, and so said nothing. */
  | 'timed out';

/** What the CLI makes of a hook that has ended. */
export interface HookJudgement {
  decision: HookDecision;
  blocked: boolean;
  /** What the model or the user is told. */
  reason?: string;
  additionalContext?: string;
  updatedInput?: Record<string, unknown>;
  systemMessage?: string;
}

export interface EndedHook {
  event: string;
  command: string;
  stdout: string;
  stderr: string;
  exitCode: number;
  outcome: HookRun['outcome'];
}

/** Judges an ended hook as the CLI does: by its exit code, or by the JSON that it printed. */
export function judgeHook(ended: EndedHook): HookJudgement {
  const { event, command, exitCode, stdout, outcome } = ended;
  // The stand-in's reading goes for every event: it looks at the name only where some differ.
  const hook: Hook = { event: event as HookEvent, matcher: '', source: 'plugin', run: { type: 'command', command } };
  const verdict = interpretHook({ ...ended, hook, durationMs: 0 });
  if (verdict.timedOut === true) return { decision: 'timed out', blocked: false };
  const blocked = hookBlocks(event, exitCode, stdout);
  const reason = verdict.block?.reason ?? verdict.permission?.reason ?? verdict.stop?.reason;
  return {
    decision: decisionOf(verdict, blocked),
    blocked,
    ...(reason === undefined || reason === '' ? {} : { reason: reason.trim() }),
    ...(verdict.additionalContext === undefined ? {} : { additionalContext: verdict.additionalContext }),
    ...(verdict.updatedInput === undefined ? {} : { updatedInput: verdict.updatedInput }),
    ...(verdict.systemMessage === undefined ? {} : { systemMessage: verdict.systemMessage }),
  };

  function decisionOf({ stop, permission, block }: typeof verdict, blocks: boolean): HookDecision {
    if (stop !== undefined) return 'stop';
    if (permission !== undefined) return permission.decision;
    if (block !== undefined) return blocks ? 'block' : 'feedback';
    return outcome === 'cancelled' ? 'timed out' : 'none';
  }
}
