import { describePattern } from './pattern.js';
import type { Prompt } from './prompt.js';
import type { Unanswered } from './reply.js';
import type { Pattern, Rule } from './schema.js';

const MAX_SHOWN = 200;
const MAX_COMPARED = 2000;

/** Describes a prompt that no rule answers, with the nearest rule. */
export function unansweredPrompt(prompt: Prompt, rules: readonly Rule[]): Unanswered {
  const nearest = nearestRule(prompt, rules);
  const quoted = JSON.stringify(shorten(prompt.text));
  return {
    kind: 'unanswered',
    what: 'prompt',
    text: prompt.text,
    ...(nearest === undefined ? {} : { nearest }),
    message: `no rule of the scenario answers the prompt ${quoted}`,
    fix:
      nearest === undefined
        ? 'add a rule whose pattern matches it, or set `default_response`'
        : `change the pattern of the nearest rule, ${nearest.rulePath} (${nearest.pattern}), add a rule, or set \`default_response\``,
  };
}

/** Describes tool results that no branch of a `then` matches. */
export function unansweredResults(rulePath: string, text: string): Unanswered {
  return {
    kind: 'unanswered',
    what: 'tool_results',
    text,
    message: `no branch of ${rulePath} matches the tool results ${JSON.stringify(shorten(text))}`,
    fix: `add a branch without \`expect\` to ${rulePath}, or one that matches them`,
  };
}

function nearestRule(prompt: Prompt, rules: readonly Rule[]): Unanswered['nearest'] {
  const promptTrigrams = trigrams(prompt.text);
  let best: { rulePath: string; pattern: string; score: number } | undefined;
  rules.forEach((rule, index) => {
    const score = similarity(rule.pattern, prompt, promptTrigrams);
    if (score > (best?.score ?? 0.2)) {
      best = { rulePath: `responses[${index}]`, pattern: describePattern(rule.pattern), score };
    }
  });
  return best && { rulePath: best.rulePath, pattern: best.pattern };
}

/** The share of the pattern's trigrams that the prompt contains. */
function similarity(pattern: Pattern, prompt: Prompt, promptTrigrams: ReadonlySet<string>): number {
  if (pattern.type === 'any') return 0;
  const literal =
    pattern.type === 'command'
      ? `/${pattern.name}`
      : 'text' in pattern
        ? pattern.text
        : pattern.pattern.replace(/[\\^$.*+?()[\]{}|]/g, ' ');
  const wanted = trigrams(literal);
  if (wanted.size === 0) return 0;
  const present =
    pattern.type === 'command' && prompt.command !== undefined ? trigrams(`/${prompt.command.name}`) : promptTrigrams;
  let shared = 0;
  for (const piece of wanted) if (present.has(piece)) shared++;
  return shared / wanted.size;
}

function trigrams(text: string): Set<string> {
  const padded = ` ${text.slice(0, MAX_COMPARED).toLowerCase().trim()} `;
  const pieces = new Set<string>();
  for (let i = 0; i + 3 <= padded.length; i++) pieces.add(padded.slice(i, i + 3));
  return pieces;
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
