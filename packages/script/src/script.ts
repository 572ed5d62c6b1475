import type { CompiledAnswer, CompiledRule, CompiledScript } from './compiled.js';
import type { Scenario } from './load.js';
import { compilePattern } from './pattern.js';
import { Play, type PlayState } from './play.js';
import { compileResponse, joinResults } from './response.js';
import { RuleIndex } from './rule-index.js';
import type { Failure, Response, Rule } from './schema.js';
import { unansweredResults } from './unanswered.js';
import { Usage } from './usage.js';
import { compileWhen } from './when.js';

/**
 * A scenario, compiled once and shared by all its conversations. The state of one conversation is in its `Play`;
 * `usage` counts over all of them.
 */
export class Script implements CompiledScript {
  readonly scenario: Scenario;
  readonly rules: readonly CompiledRule[];
  readonly index: RuleIndex;
  readonly usage: Usage;
  readonly defaultAnswer: CompiledAnswer | undefined;
  readonly call: number | undefined;

  /** `call`: the number of the call, for a process that is one call. */
  constructor(scenario: Scenario, { call }: { call?: number | undefined } = {}) {
    const { responses: rules = [], default_response: fallback } = scenario.document;
    this.scenario = scenario;
    this.call = call;
    this.usage = new Usage(rules);
    this.rules = rules.map((rule, index) => this.#compileRule(rule, `responses[${index}]`));
    this.index = new RuleIndex(rules.map((rule) => rule.pattern));
    this.defaultAnswer =
      fallback === undefined ? undefined : this.#compileAnswer({ response: fallback }, 'default_response');
  }

  /** Starts a conversation, or continues a stored one. */
  play(state?: PlayState): Play {
    return new Play(this, state);
  }

  #compileRule(rule: Rule, rulePath: string): CompiledRule {
    return {
      ...this.#compileAnswer(rule, rulePath),
      pattern: compilePattern(rule.pattern),
      when: compileWhen(rule.when),
      isForHooks: rule.when?.hook !== undefined,
      maxMatches: rule.max_matches ?? Number.POSITIVE_INFINITY,
      turns: (rule.turns ?? []).map((turn, index) => ({
        ...this.#compileAnswer(turn, `${rulePath}.turns[${index}]`),
        expect: compilePattern(turn.expect),
      })),
    };
  }

  #compileAnswer(
    from: { response?: Response | undefined; failure?: Failure | undefined },
    rulePath: string,
  ): CompiledAnswer {
    const answer: CompiledAnswer = { rulePath };
    if (from.failure !== undefined) answer.failure = from.failure;
    if (from.response !== undefined) {
      answer.speak = compileResponse(from.response, rulePath, (where, results) => {
        const unanswered = unansweredResults(where, joinResults(results));
        this.usage.unmatched.push(unanswered);
        return unanswered;
      });
    }
    return answer;
  }
}
