import type { Scenario } from './load.js';
import type { CompiledPattern } from './pattern.js';
import type { Prompt } from './prompt.js';
import type { Speak } from './response.js';
import type { RuleIndex } from './rule-index.js';
import type { Failure } from './schema.js';
import type { Usage } from './usage.js';
import type { Condition } from './when.js';

/** The answer of a rule or a turn whose pattern matched. */
export interface CompiledAnswer {
  rulePath: string;
  speak?: Speak;
  failure?: Failure;
}

export interface CompiledTurn extends CompiledAnswer {
  expect: CompiledPattern<Prompt>;
}

export interface CompiledRule extends CompiledAnswer {
  pattern: CompiledPattern<Prompt>;
  when: Condition | undefined;
  /** It answers hooks that ask the model, and nobody else. */
  isForHooks: boolean;
  maxMatches: number;
  turns: CompiledTurn[];
}

/** A compiled scenario, as conversations use it. */
export interface CompiledScript {
  readonly scenario: Scenario;
  readonly rules: readonly CompiledRule[];
  readonly index: RuleIndex;
  readonly usage: Usage;
  readonly defaultAnswer: CompiledAnswer | undefined;
  /** The call that all its prompts belong to, where that is one. */
  readonly call: number | undefined;
}
