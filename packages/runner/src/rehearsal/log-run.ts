import type { ConversationEvent, EventBody, UnreadableEvents } from '@understudy/agents';
import { defined, shellWord, shorten } from '@understudy/kit';
import {
  type AgentCall,
  type CallsOfStep,
  callEvent,
  type EndedProgram,
  type ProgramRun,
  type StepLog,
} from '@understudy/stage';
import type { CheckResult, LoggedCall, StepResult } from '@understudy/verdict';

interface Logging {
  number: number;
  log: Pick<StepLog, 'append' | 'changes'>;
  unreadable: UnreadableEvents;
}

/** What is known of a program that has ended, with what is in the log of it. */
export interface LoggedRun {
  /** The program, and what became of its project. */
  events: ConversationEvent[];
  /** All that was written. */
  all: ConversationEvent[];
  /** The calls, and what else is known of them. */
  called: CallsOfStep;
  calls: AgentCall[];
  logged: LoggedCall[];
  /** Agents and models that were called and are not in place. */
  reached: string[];
  /** What stand-ins were asked for that only the real agents can do. */
  unsupported: string[];
}

/** Writes into the log what a program and the agents that it called did. */
export function logRun(programs: ProgramRun, run: EndedProgram, { number, log, unreadable }: Logging): LoggedRun {
  const all: ConversationEvent[] = [];
  const append: Append = (event, call) => {
    const appended = log.append(event, { step: number, ...call });
    all.push(appended);
    programs.agents.recording?.writer.seen(appended);
    return appended;
  };
  const events = [append({ type: 'program', ...run, command: [...run.command] })];
  for (const change of log.changes()) events.push(append(change));
  const { hosts, attempts } = programs.tried();
  for (const attempt of attempts) append({ type: 'escape', ...attempt });
  const called = programs.agents.calls(number);
  const { calls, refused, unsupported } = called;
  for (const event of unreadable.look()) append(event);
  const seen = { events, all, called, calls };
  return { ...seen, logged: logCalls(calls, append), reached: [...refused, ...hosts], unsupported };
}

type Append = (event: EventBody, call?: { call: number; at: number }) => ConversationEvent;

/** Writes into a log what agents did that a program called. */
export function logCalls(calls: readonly AgentCall[], append: Append): LoggedCall[] {
  return calls.map((call) => {
    const { number, startedAt, endedAt = startedAt } = call;
    append(callEvent(call), { call: number, at: startedAt });
    const placeOf = (event: EventBody) => ({ call: number, at: isOfStart(event) ? startedAt : endedAt });
    return { call, events: call.events.map((event) => append(event, placeOf(event))) };
  });
}

/** Output has no times: all that follows the prompt is reported at the end. */
function isOfStart({ type }: EventBody): boolean {
  return type === 'session' || type === 'prompt';
}

const LONGEST = 4000;

interface Named {
  number: number;
  name?: string | undefined;
  /** The command as it was written. By default its words. */
  send?: string;
  checks?: CheckResult[];
}

/** A program that was run, as a step of a result. */
export function programStep(
  run: EndedProgram,
  calls: readonly AgentCall[],
  { number, name, send = run.command.map(shellWord).join(' '), checks = [] }: Named,
): StepResult {
  return {
    number,
    ...defined({ name }),
    send,
    run: {
      ...{ code: run.code, signal: run.signal },
      calls: calls.map(({ number: call, agent, prompt, code }) => {
        return { number: call, agent, prompt: shorten(prompt, LONGEST), ...defined({ code }) };
      }),
    },
    reached: true,
    said: shorten([run.stdout, run.stderr].filter((text) => text !== '').join('\n'), LONGEST),
    checks,
    duration_ms: run.milliseconds,
  };
}
