import type { ConversationEvent } from '@understudy/agents';
import { isObject, shortenLine, UnderstudyError } from '@understudy/kit';
import { type AgentCall, type EndedProgram, textOfCall } from '@understudy/stage';
import { type CheckResult, checkCallsMade, checkRunExpectations, type LoggedCall, nowhere } from '@understudy/verdict';
import type { Judging } from './judge-turn.js';
import { asksNothing, readRunExpectation } from './read-expectation.js';
import { type Verdict, verdictOf } from './verdict.js';

/** One run of a program, or the test itself (number 1), with what was called in it. */
export interface PlacedRun {
  number: number;
  /** The agents that were in place. */
  agents: readonly string[];
  ended?: EndedProgram;
  calls: AgentCall[];
  /** The same with their events in the log. */
  logged: LoggedCall[];
  /** Agents and models that were called and are not in place. */
  reached: string[];
  /** What stand-ins were asked for that only the real agents can do. */
  unsupported: string[];
  events: readonly ConversationEvent[];
  /** All that is in the log of it. */
  all: readonly ConversationEvent[];
  watched: boolean;
}

/** The calls of the test's own process have this number. */
export const OWN_CALLS = 1;

/** Holds a run, or what the test itself called, against the `expect` of a `run` step; `besides` is judged, too. */
export function judgeRun(
  run: PlacedRun,
  given: unknown,
  judging: Judging = {},
  besides: readonly CheckResult[] = [],
): Verdict {
  const { isNot = false } = judging;
  const { all, asked } = checkRun(run, given, judging);
  const results = isNot && run.ended !== undefined ? asked : [...all, ...besides];
  if (results.length === 0) throw asksNothing();
  const verdict = verdictOf(results, isNot);
  return verdict.passed ? verdict : { ...verdict, text: `${verdict.text}\n\n${describeRun(run)}` };
}

/** The checks of a run: all, and those that were asked for. What is always expected is not asked: `not` does not turn it round. */
export function checkRun(run: PlacedRun, given: unknown, { own = [] }: Judging = {}) {
  const expect = readRunExpectation(given, run.agents, own);
  refuseUnseen(run, expect);
  const { ended, events, logged: calls, reached, unsupported } = run;
  const asked: CheckResult[] = [];
  const all =
    ended === undefined
      ? checkCallsMade(calls, expect, nowhere)
      : checkRunExpectations(
          { run: ended, events, calls, reached, unsupported },
          expect,
          (path, checks) => {
            if (Object.hasOwn(expect, String(path[0]))) asked.push(...checks);
            return [...checks];
          },
          own,
        );
  return { all, asked };
}

/** Whether an expectation lets a program ask for what only a real agent can do. */
export function allowsUnsupported(given: unknown): boolean {
  return isObject(given) && given['unsupported'] === 'any';
}

/** An expectation that nothing was looked at for would be a riddle. */
function refuseUnseen({ ended, watched }: PlacedRun, expect: object): void {
  const seen = ended === undefined ? ['calls', 'call'] : undefined;
  const unseen = Object.keys(expect).filter((name) =>
    seen === undefined ? !watched && (name === 'files' || name === 'commits') : !seen.includes(name),
  );
  if (unseen.length === 0) return;
  throw new UnderstudyError('EXPECTATION_INVALID', `\`${unseen.join('`, `')}\` cannot be seen here`, {
    fix:
      seen === undefined
        ? 'Run the program in the project of the test: leave out `cwd`.'
        : 'Expect `calls` and `call` of the test itself; run a program for the rest.',
  });
}

/** A run in a few lines: what it called, and how it ended. */
export function describeRun({ number, ended, calls, reached, unsupported }: PlacedRun): string {
  const head =
    ended === undefined
      ? 'the test called'
      : `program ${number - OWN_CALLS}: ${shortenLine(ended.command.join(' '), 120)}`;
  return [
    head,
    ...(calls.length === 0 ? ['  no agent was called'] : calls.map(describeCall)),
    ...reached.map((name) => `  not in place: ${name}`),
    ...unsupported.map((call) => `  not possible on sim: ${call}`),
    ...(ended === undefined ? [] : [`  = exit code ${ended.code ?? ended.signal}`]),
  ].join('\n');
}

function describeCall(call: AgentCall): string {
  const { number, agent, prompt, code } = call;
  const end = code === undefined || code === null ? '' : ` (exit code ${code})`;
  return `  ${number}. ${agent}: ${shortenLine(prompt, 120)} → ${shortenLine(textOfCall(call), 120)}${end}`;
}
