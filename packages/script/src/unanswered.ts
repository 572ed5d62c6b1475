import { defined, shorten } from '@understudy/kit';
import type { CompiledRule } from './compiled.js';
import { nearestRule } from './nearest-rule.js';
import { describePattern } from './pattern.js';
import type { Prompt } from './prompt.js';
import type { Unanswered } from './reply.js';
import type { Rule } from './schema.js';
import { asPattern, type WhenField } from './when.js';

const MAX_SHOWN = 200;

/** Where a conversation was when a prompt had no answer. */
export interface Moment {
  rules: readonly Rule[];
  compiled: readonly CompiledRule[];
  /** How many times each rule has matched, by index. */
  matches: Readonly<Record<number, number>>;
  turn: number;
  /** The turn of a sequence that should have come next. */
  nextTurn?: { rule: number; turn: number } | undefined;
}

/** A rule that would have answered, and why it did not. */
interface NearMiss {
  nearest: NonNullable<Unanswered['nearest']>;
  reason: string;
  fix: string;
}

/** Describes a prompt that no rule answers: with the rule that only just did not, or else with the nearest one. */
export function unansweredPrompt(prompt: Prompt, moment: Moment): Unanswered {
  const miss = nearMiss(prompt, moment);
  const nearest = miss?.nearest ?? nearestRule(prompt, moment.rules);
  const message = `no rule of the scenario answers the prompt ${JSON.stringify(shorten(prompt.text, MAX_SHOWN))}`;
  return {
    kind: 'unanswered',
    what: 'prompt',
    text: prompt.text,
    ...defined({ nearest }),
    message: miss === undefined ? message : `${message}: ${miss.reason}`,
    fix: `${miss?.fix ?? patternFix(nearest)}, or set \`default_response\`.`,
  };
}

function patternFix(nearest: Unanswered['nearest']): string {
  if (nearest === undefined) return 'Add a rule whose pattern matches it';
  return `Change the pattern of the nearest rule, ${nearest.rulePath} (${nearest.pattern}), add a rule`;
}

/** Describes tool results that no branch of a `then` matches. */
export function unansweredResults(rulePath: string, text: string): Unanswered {
  return {
    kind: 'unanswered',
    what: 'tool_results',
    text,
    message: `no branch of ${rulePath} matches the tool results ${JSON.stringify(shorten(text, MAX_SHOWN))}`,
    fix: `Add a branch without \`expect\` to ${rulePath}, or one that matches them.`,
  };
}

/** The whole of it in one text, for those who see nothing else. */
export function describeUnanswered({ message, fix }: Pick<Unanswered, 'message' | 'fix'>): string {
  return `${message}. ${fix}`;
}

function nearMiss(prompt: Prompt, { rules, compiled, matches, turn, nextTurn }: Moment): NearMiss | undefined {
  for (const [index, rule] of specificFirst(rules)) {
    const { pattern, when, maxMatches, rulePath } = compiled[index] ?? {};
    if (rulePath === undefined || maxMatches === undefined || rule.when?.hook !== undefined) continue;
    if (pattern?.match(prompt) === undefined) continue;
    const nearest = { rulePath, pattern: pattern.description };
    const which = `${rulePath} (${pattern.description}) matches it, but`;
    if ((matches[index] ?? 0) >= maxMatches) {
      const reason = `${which} its \`max_matches = ${maxMatches}\` is used up`;
      return { nearest, reason, fix: `Raise \`max_matches\` of ${rulePath}, add a rule` };
    }
    const unmet = when?.(prompt, turn);
    if (unmet === undefined) continue;
    const reason = `${which} ${describeUnmet(unmet, rule, prompt, turn)}`;
    return { nearest, reason, fix: `Change \`when.${unmet}\` of ${rulePath}, add a rule` };
  }
  const next = nextTurn && compiled[nextTurn.rule]?.turns[nextTurn.turn];
  if (next === undefined) return undefined;
  const { rulePath, expect } = next;
  return {
    nearest: { rulePath, pattern: expect.description },
    reason: `${rulePath} was next, and expects ${expect.description}`,
    fix: `Change \`expect\` of ${rulePath}, add a rule`,
  };
}

/** A rule for every prompt says less about this one than others do. */
function specificFirst(rules: readonly Rule[]): [number, Rule][] {
  const isAny = ([, { pattern }]: [number, Rule]) => Number(pattern.type === 'any');
  return [...rules.entries()].sort((a, b) => isAny(a) - isAny(b));
}

function describeUnmet(unmet: WhenField, { when }: Rule, prompt: Prompt, turn: number): string {
  if (unmet === 'turn') return `only in turn ${when?.turn}, and this is turn ${turn} (\`when.turn\`)`;
  if (unmet === 'call') {
    const number =
      prompt.call === undefined ? 'the number of the call is not known here' : `this is call ${prompt.call}`;
    return `only in call ${when?.call}, and ${number} (\`when.call\`)`;
  }
  const wanted = when?.[unmet];
  const pattern = wanted === undefined ? '' : describePattern(asPattern(unmet, wanted));
  const actual = unmet === 'system' ? '' : `, and it is ${prompt[unmet] ?? 'none'}`;
  return `only if the ${NAMES[unmet]} matches ${pattern}${actual} (\`when.${unmet}\`)`;
}

const NAMES = { system: 'system prompt', model: 'model', agent: 'agent', cwd: 'folder', hook: 'hook' };
