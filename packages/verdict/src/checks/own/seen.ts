import type { ConversationEvent, EventBody } from '@understudy/agents';
import { defined } from '@understudy/kit';
import { textOfCall } from '@understudy/stage';
import type { ObservedRunStep, ObservedStep } from '../define-check.js';
import { agentText, observedTools } from '../observed.js';

/** What a check of a user looks at: a turn of a conversation, or one run of a program. */
export interface Seen {
  /** What the agent said in the turn; of a program, what it wrote to its standard output. */
  readonly text: string;
  /** What happened in the turn, or while the program ran. */
  readonly events: readonly ConversationEvent[];
  /** What happened in the conversation up to the end of the turn. */
  readonly all: readonly ConversationEvent[];
  readonly tools: readonly SeenTool[];
  /** The workflow stage after the turn, where a workflow is followed. */
  readonly workflow?: string;
  /** Of a `run` step. */
  readonly program?: SeenProgram;
  /** Of a `run` step: the agents that the program called. */
  readonly calls?: readonly SeenCall[];
}

export interface SeenTool {
  tool: string;
  input: Record<string, unknown>;
  status?: string;
  result?: string;
  /** The subagent that used it. */
  agent?: string;
}

export interface SeenProgram {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  milliseconds: number;
  timedOut: boolean;
}

export interface SeenCall {
  number: number;
  agent: string;
  prompt: string;
  text: string;
  code?: number | null;
  events: readonly EventBody[];
}

/** Copies: what a user does to them changes nothing for others. */
export function seenBy(step: ObservedStep | ObservedRunStep): Seen {
  const { turn, all, workflow } = step;
  const run = 'run' in step ? step : undefined;
  return {
    text: run === undefined ? agentText(turn) : run.run.stdout,
    events: structuredClone(turn),
    all: structuredClone(all),
    tools: observedTools(structuredClone(turn)).map(({ tool, input, result, agent }) => ({
      ...{ tool, input },
      ...defined({ status: result?.status, result: result?.text, agent }),
    })),
    ...defined({ workflow: workflow?.label }),
    ...(run === undefined ? {} : { program: programOf(run), calls: callsOf(run) }),
  };
}

function programOf({ run }: ObservedRunStep): SeenProgram {
  const { code, signal, stdout, stderr, milliseconds, timedOut } = run;
  return { code, signal, stdout, stderr, milliseconds, timedOut };
}

function callsOf({ calls }: ObservedRunStep): SeenCall[] {
  return calls.map(({ call }) => {
    const { number, agent, prompt, code, events } = call;
    return { number, agent, prompt, text: textOfCall(call), events: structuredClone(events), ...defined({ code }) };
  });
}
