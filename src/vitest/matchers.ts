import { UnderstudyError } from '@understudy/kit';
import { describeTurn, normalize } from '@understudy/runner';
import { pick } from '@understudy/stage';
import { type Budget, type CheckResult, hasPassed, type TurnMatchers, turnMatchers } from '@understudy/verdict';
import { expect, type MatcherState, Snapshots } from 'vitest';
import { assertSpoken, type Received, received } from '../testing/observe.js';
import { readably } from '../testing/readable-error.js';
import { describeMismatch } from './describe-mismatch.js';

/** Makes a matcher of a check. It holds when all of the check's results passed. */
function matcher(name: string, check: (received: Received, args: unknown[]) => readonly CheckResult[]) {
  const judge = (value: unknown, args: unknown[]) => {
    const seen = received(value);
    const results = check(seen, args);
    if (results.length === 0) throw asksNothing(name);
    return { seen, results };
  };
  return function (this: MatcherState, value: unknown, ...args: unknown[]) {
    const { seen, results } = readably(() => judge(value, args));
    const { isNot, utils } = this;
    const shown = args.filter((arg) => arg !== undefined).map((arg) => utils.stringify(arg));
    const hint = () => utils.matcherHint(name, seen.what, shown.join(', '), { isNot });
    return {
      // What could not be judged, or could never be otherwise, fails, with `not` too.
      pass: results.some(({ status, unknown_names }) => status === 'unjudged' || unknown_names !== undefined)
        ? isNot === true
        : results.every(hasPassed),
      message: () => `${hint()}\n\n${describeMismatch(results, seen, isNot)}`,
    };
  };
}

type Seen = Received['seen'];

/** What could not be looked at is an error with `not`, too. */
const BEFORE: { [Name in keyof TurnMatchers]?: (seen: Seen, arg: Parameters<TurnMatchers[Name]>[0]) => void } = {
  toHaveWorkflowStage: assertWorkflow,
  toHaveLoadedPlugins: assertPluginsTold,
  toStayWithinBudget: assertUsageTold,
};

function matcherOf({ name, judge, eachTurn }: (typeof turnMatchers)[number]) {
  const before: ((seen: Seen, arg: never) => void) | undefined = BEFORE[name];
  return matcher(name, (all, args) => {
    // Plugins load before anything is said.
    if (before !== assertPluginsTold) assertSpoken(all);
    const check = (seen: Seen) => {
      before?.(seen, args[0] as never);
      return [judge(seen, ...args)].flat();
    };
    return eachTurn ? inEachTurn(all, check) : check(all.seen);
  });
}

/** Each matcher is that of a check of `packages/verdict/src/checks`, and nothing more. */
const matchers = {
  ...Object.fromEntries(turnMatchers.map((one) => [one.name, matcherOf(one)])),
  toMatchConversationSnapshot(this: MatcherState, value: unknown, hint?: string) {
    const seen = readably(() => received(value));
    readably(() => assertSpoken(seen));
    const { conversation, turns } = seen;
    const told = seen.what === 'conversation' ? turns : turns.slice(-1);
    const text = told.map(describeTurn).join('\n\n');
    const plain = conversation === undefined ? text : normalize(text, conversation);
    return Snapshots.toMatchSnapshot.call(this, plain, hint);
  },
};

/** Makes the matchers known to `expect`. */
export function registerMatchers(): void {
  expect.extend(matchers);
}

/** Of a conversation, each turn is looked at by itself. */
function inEachTurn(
  { seen, turns, what }: Received,
  check: (seen: Received['seen']) => readonly CheckResult[],
): CheckResult[] {
  if (what !== 'conversation') return [...check(seen)];
  return turns.flatMap((turn) =>
    check({ ...seen, turn: turn.events, number: turn.number }).map((result) => ({
      ...result,
      name: `${result.name} of turn ${turn.number}`,
    })),
  );
}

function asksNothing(name: string): UnderstudyError {
  return new UnderstudyError('EXPECTS_NOTHING', `${name} asks for nothing, so it could never fail`, {
    fix: 'Say what must hold.',
  });
}

function assertWorkflow({ workflow }: Seen): void {
  if (workflow !== undefined) return;
  throw new UnderstudyError('WORKFLOW_MISSING', 'this conversation follows no workflow, so it has no workflow stage', {
    fix: "Name one: test.override({ workflow: 'agent-loop' }).",
  });
}

function assertPluginsTold({ all }: Seen): void {
  if (pick(all, 'session').some(({ plugins }) => plugins !== undefined)) return;
  throw new UnderstudyError('PLUGINS_NOT_REPORTED', 'the agent has not reported its plugins yet', {
    fix: 'Send something first, and give the matcher the agent: expect(agent).',
  });
}

function assertUsageTold({ turn }: Seen, budget: Budget): void {
  const ended = pick(turn, 'turn_ended').at(-1);
  const untold = [
    budget.max_cost_usd !== undefined && ended?.costUsd === undefined && 'cost',
    budget.max_model_turns !== undefined && ended?.modelTurns === undefined && 'model turns',
    (budget.max_input_tokens ?? budget.max_output_tokens) !== undefined && ended?.usage === undefined && 'tokens',
  ].filter((what) => what !== false);
  if (untold.length === 0) return;
  throw new UnderstudyError('USAGE_NOT_REPORTED', `the agent did not report its ${untold.join(' and ')}`, {
    fix: 'Set a limit on something that this agent reports.',
  });
}
