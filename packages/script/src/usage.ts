import { describePattern } from './pattern.js';
import type { Unanswered } from './reply.js';
import type { Rule } from './schema.js';

/** A part of the script, or an answer of a cassette, that no prompt has reached. */
export interface UnusedPart {
  kind: 'rule' | 'turn' | 'interaction';
  /** `responses[2]`, `responses[2].turns[0]`, or `interaction 3`. */
  rulePath: string;
  name?: string;
  pattern: string;
  /** The rule has `optional = true`, so it may stay unused. */
  optional: boolean;
}

export interface Unmatched extends Pick<Unanswered, 'message' | 'fix'> {
  /** No rule is missing: a stand-in refused what the real CLI does. */
  unsupported?: true;
}

/** What a conversation used of its script, and what the script had no answer for. */
export interface ScriptUsage {
  unused: readonly UnusedPart[];
  unmatched: readonly Unmatched[];
}

/** What was used of one script in two places. */
export function combinedUsage(one: ScriptUsage, other: ScriptUsage): ScriptUsage {
  const unusedThere = new Map(other.unused.map((part) => [part.rulePath, part]));
  const isUnusedThere = ({ rulePath }: UnusedPart) =>
    // A rule that was never used there has no turns in the list.
    unusedThere.has(rulePath) || unusedThere.has(rulePath.replace(/\.turns\[\d+\]$/, ''));
  const turnsOnly = other.unused.filter(
    ({ kind, rulePath }) =>
      kind === 'turn' && one.unused.some((part) => part.kind === 'rule' && rulePath.startsWith(`${part.rulePath}.`)),
  );
  return {
    unused: [...one.unused.filter(isUnusedThere), ...turnsOnly],
    unmatched: [...one.unmatched, ...other.unmatched],
  };
}

/** Counts which rules and turns of a script were used, over all its conversations. */
export class Usage {
  readonly #rules: readonly Rule[];
  readonly #entered: number[];
  readonly #turnsReached = new Map<number, Set<number>>();
  /** Prompts and tool results that nothing answered, in order. */
  readonly unmatched: Unanswered[] = [];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    this.#entered = rules.map(() => 0);
  }

  entered(rule: number): void {
    this.#entered[rule] = (this.#entered[rule] ?? 0) + 1;
  }

  reachedTurn(rule: number, turn: number): void {
    const reached = this.#turnsReached.get(rule) ?? new Set();
    this.#turnsReached.set(rule, reached.add(turn));
  }

  /** How many times a rule matched. */
  count(rule: number): number {
    return this.#entered[rule] ?? 0;
  }

  /** Rules that never matched, and unreached turns of rules that did. */
  unused(): UnusedPart[] {
    return this.#rules.flatMap((rule, index): UnusedPart[] => {
      const common = { ...(rule.name === undefined ? {} : { name: rule.name }), optional: rule.optional ?? false };
      const rulePath = `responses[${index}]`;
      if (this.count(index) === 0) return [{ kind: 'rule', rulePath, pattern: describeRule(rule), ...common }];
      const reached = this.#turnsReached.get(index);
      return (rule.turns ?? []).flatMap((turn, number): UnusedPart[] =>
        reached?.has(number)
          ? []
          : [
              {
                kind: 'turn',
                rulePath: `${rulePath}.turns[${number}]`,
                pattern: describePattern(turn.expect),
                ...common,
              },
            ],
      );
    });
  }

  reset(): void {
    this.#entered.fill(0);
    this.#turnsReached.clear();
    this.unmatched.length = 0;
  }
}

/** What a rule waits for: its pattern, and its conditions. */
function describeRule({ pattern, when }: Rule): string {
  const said = describePattern(pattern);
  const conditions = Object.entries(when ?? {}).map(([field, value]) => `${field} = ${JSON.stringify(value)}`);
  if (conditions.length === 0) return said;
  return `${pattern.type === 'any' ? '' : `${said}, `}when ${conditions.join(', ')}`;
}
