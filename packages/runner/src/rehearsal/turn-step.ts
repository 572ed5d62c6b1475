import { defined } from '@understudy/kit';
import type { Turn } from '@understudy/stage';
import { type CheckResult, describeTool, observedTools, type StepResult } from '@understudy/verdict';

interface Named {
  number: number;
  name?: string | undefined;
  /** What was said, in words. By default the prompt. */
  send?: string;
  checks?: CheckResult[];
}

/** A turn of a conversation, as a step of a result. */
export function turnStep(turn: Turn, { number, name, send = turn.prompt, checks = [] }: Named): StepResult {
  const tools = observedTools(turn.events).map(describeTool);
  const moves = turn.transitions.map(({ from, to }) => ({ from, to }));
  return {
    number,
    ...defined({ name }),
    send,
    reached: true,
    said: turn.text,
    ...(tools.length === 0 ? {} : { tools }),
    ...(moves.length === 0 ? {} : { workflow: moves }),
    outcome: turn.outcome,
    ...defined({ reason: turn.reason }),
    checks,
    duration_ms: Math.round(turn.milliseconds),
  };
}
