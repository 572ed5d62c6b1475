import { countOf } from '@understudy/kit';
import type { EntryResult } from '@understudy/verdict';
import type { Entry } from './entry.js';
import { keyOf } from './last-run.js';

/** What a run may spend on real models. */
export interface CallLimits {
  maxCalls?: number | undefined;
  maxCostUsd?: number | undefined;
}

type Limited = Pick<Entry, 'agent' | 'stage' | 'calls'>;

/** A call that nobody can foresee is still one. */
const UNKNOWN = { expected: 1, most: 1 };

/**
 * Counts the calls of real models, and what they cost as far as the CLIs report it. An entry that could pass a limit is
 * not started, and none after it: what was not reached is known to be so.
 */
export class CallBudget {
  readonly limits: CallLimits;
  readonly #spent = { calls: 0, costUsd: 0, priced: 0 };
  readonly #unpriced = new Set<string>();
  #reserved = 0;
  #stopped: string | undefined;

  constructor(limits: CallLimits = {}) {
    this.limits = limits;
  }

  /** Whether entries must run one after the other: what one costs is known when it has ended. */
  get oneByOne(): boolean {
    return this.limits.maxCostUsd !== undefined;
  }

  /** Why an entry may not be started, if so; else its calls are set aside until `settle`. */
  refusal({ agent, stage, calls = UNKNOWN }: Limited): string | undefined {
    if (stage !== 'live') return undefined;
    if (this.oneByOne && this.#unpriced.has(agent)) {
      return `not reached: ${agent} does not report what it costs, so --max-cost cannot hold; use --max-calls for it`;
    }
    this.#stopped ??= this.#wouldPass(calls);
    if (this.#stopped === undefined) this.#reserved += calls.most;
    return this.#stopped;
  }

  #wouldPass({ expected, most }: NonNullable<Limited['calls']>): string | undefined {
    const { maxCalls, maxCostUsd } = this.limits;
    const { calls, costUsd, priced } = this.#spent;
    const made = `${calls} made${this.#reserved === 0 ? '' : `, ${this.#reserved} set aside`}`;
    if (maxCalls !== undefined && calls + this.#reserved + most > maxCalls) {
      return `not reached: --max-calls ${maxCalls} could be passed (${made}, up to ${most} more)`;
    }
    const next = priced === 0 ? 0 : (costUsd / priced) * expected;
    if (maxCostUsd !== undefined && (costUsd >= maxCostUsd || costUsd + next > maxCostUsd)) {
      return `not reached: --max-cost ${maxCostUsd} would be passed (${costUsd.toFixed(4)} USD spent, about ${next.toFixed(4)} more)`;
    }
    return undefined;
  }

  /** What an entry that was started has used. Without a report, it counts as much as it was expected to. */
  settle({ agent, stage, calls = UNKNOWN }: Limited, usage: EntryResult['usage']): void {
    if (stage !== 'live') return;
    this.#reserved -= calls.most;
    this.count({ agent, stage, calls }, usage);
  }

  /** The same for an entry that an earlier part of this run has played. */
  count({ agent, stage, calls = UNKNOWN }: Limited, usage: EntryResult['usage']): void {
    if (stage !== 'live') return;
    this.#spent.calls += usage?.calls ?? calls.expected;
    if (usage?.cost_usd !== undefined) {
      this.#spent.costUsd += usage.cost_usd;
      this.#spent.priced += usage.calls;
    } else if (usage !== undefined && usage.calls > 0) this.#unpriced.add(agent);
  }
}

/** What a run on real models will do at most, and what it cost last time, in a sentence; nothing if it uses none. */
export function describeCalls(
  entries: readonly (Limited & Pick<Entry, 'id'>)[],
  { maxCalls, maxCostUsd }: CallLimits,
  runs = 1,
  costs: ReadonlyMap<string, number> = new Map(),
) {
  const live = entries.filter(({ stage }) => stage === 'live');
  if (live.length === 0) return undefined;
  const sum = (own: readonly Limited[], which: 'expected' | 'most') =>
    own.reduce((total, { calls = UNKNOWN }) => total + calls[which] * runs, 0);
  const range = (own: readonly Limited[]) => {
    const [expected, most] = [sum(own, 'expected'), sum(own, 'most')];
    return expected === most ? String(most) : `${expected} to ${most}`;
  };
  const agents = [...new Set(live.map(({ agent }) => agent))].sort();
  const each = agents.map((agent) => `${agent} ${range(live.filter((entry) => entry.agent === agent))}`);
  const known = live.flatMap((entry) => costs.get(keyOf(entry)) ?? []);
  const cost = known.reduce((sum, usd) => sum + usd, 0) * runs;
  const which = known.length === live.length ? '' : ` for ${known.length} of ${countOf(live.length, 'test')}`;
  const before = known.length === 0 ? '' : `, about ${cost.toFixed(2)} USD by the last run${which}`;
  const limits = [
    maxCalls === undefined ? 'no limit of calls (--max-calls)' : `at most ${countOf(maxCalls, 'call')}`,
    maxCostUsd === undefined ? 'no limit of cost (--max-cost)' : `at most ${maxCostUsd} USD`,
  ];
  return `live: ${range(live)} calls of real agents (${each.join(', ')})${before}; ${limits.join(', ')}`;
}
