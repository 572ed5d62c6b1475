import { longestLiteral } from './glob.js';
import { compileRegexSet, type RegexSet } from './linear-regex.js';
import { LiteralIndex } from './literal-index.js';
import { bareName, fold, regexOf } from './pattern.js';
import type { Prompt } from './prompt.js';
import type { Pattern, TextPattern } from './schema.js';

type RegexPattern = TextPattern & { type: 'regex' | 'glob' };

/** With fewer regexes, testing them one by one is as fast as a set, and starts faster. */
const MIN_REGEX_SET = 16;

/**
 * Finds the few of many patterns that can match a prompt, without testing each one: literals are looked up, and
 * regexes run as one set. A candidate may match. Any other pattern cannot.
 */
export class RuleIndex {
  readonly #always: number[] = [];
  readonly #exact = new Map<string, number[]>();
  readonly #exactFolded = new Map<string, number[]>();
  readonly #commands = new Map<string, number[]>();
  readonly #literals: LiteralIndex | undefined;
  readonly #literalsFolded: LiteralIndex | undefined;
  readonly #regexes: { set: RegexSet; rules: number[] } | undefined;

  constructor(patterns: readonly Pattern[]) {
    const literals: [string, number][] = [];
    const literalsFolded: [string, number][] = [];
    const regexes: [RegexPattern, number][] = [];
    patterns.forEach((pattern, rule) => {
      const ignoreCase = 'ignore_case' in pattern && pattern.ignore_case === true;
      switch (pattern.type) {
        case 'any':
          this.#always.push(rule);
          break;
        case 'exact':
          add(ignoreCase ? this.#exactFolded : this.#exact, fold(pattern.text.trim(), ignoreCase), rule);
          break;
        case 'command':
          add(this.#commands, bareName(pattern.name), rule);
          break;
        case 'contains':
          (ignoreCase ? literalsFolded : literals).push([fold(pattern.text, ignoreCase), rule]);
          break;
        case 'glob': {
          const literal = fold(longestLiteral(pattern.pattern), ignoreCase);
          (ignoreCase ? literalsFolded : literals).push([literal, rule]);
          break;
        }
        case 'regex':
          regexes.push([pattern, rule]);
      }
    });
    if (literals.length > 0) this.#literals = new LiteralIndex(literals);
    if (literalsFolded.length > 0) this.#literalsFolded = new LiteralIndex(literalsFolded);
    if (regexes.length < MIN_REGEX_SET) this.#always.push(...regexes.map(([, rule]) => rule));
    else {
      this.#regexes = {
        set: compileRegexSet(regexes.map(([pattern]) => regexOf(pattern))),
        rules: regexes.map(([, rule]) => rule),
      };
    }
  }

  /** The rules that may match, in their order. */
  candidates({ text, command }: Prompt): number[] {
    const found = new Set(this.#always);
    const add = (rule: number) => found.add(rule);
    this.#exact.get(text)?.forEach(add);
    this.#literals?.search(text, add);
    if (this.#exactFolded.size > 0 || this.#literalsFolded !== undefined) {
      const folded = fold(text, true);
      this.#exactFolded.get(folded)?.forEach(add);
      this.#literalsFolded?.search(folded, add);
    }
    if (command !== undefined) {
      this.#commands.get(command.name)?.forEach(add);
      this.#commands.get(command.name.slice(command.name.lastIndexOf(':') + 1))?.forEach(add);
    }
    if (this.#regexes !== undefined) {
      for (const index of this.#regexes.set.match(text)) add(this.#regexes.rules[index] ?? 0);
    }
    return [...found].sort((a, b) => a - b);
  }
}

function add(map: Map<string, number[]>, key: string, rule: number): void {
  const rules = map.get(key);
  if (rules === undefined) map.set(key, [rule]);
  else rules.push(rule);
}
