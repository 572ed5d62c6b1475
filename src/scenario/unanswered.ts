import { describePattern } from './pattern.js';
import type { Prompt } from './prompt.js';
import type { Unanswered } from './reply.js';
import type { Pattern, Rule } from './schema.js';

const SHOWN = 200;
const COMPARED = 2000;

/** Says that nothing answers a prompt, and what came nearest. */
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
        ? 'add a rule whose pattern matches it, or set default_response'
        : `the nearest rule is ${nearest.place} (${nearest.pattern}); change its pattern, add a rule, or set default_response`,
  };
}

/** Says that no branch of a `then` takes what the tools gave back. */
export function unansweredResults(place: string, text: string): Unanswered {
  return {
    kind: 'unanswered',
    what: 'tool_results',
    text,
    message: `no branch of ${place} takes the tool results ${JSON.stringify(shorten(text))}`,
    fix: `add a branch without \`expect\` to ${place}, or one that matches them`,
  };
}

function nearestRule(prompt: Prompt, rules: readonly Rule[]): Unanswered['nearest'] {
  const spoken = trigrams(prompt.text);
  let best: { place: string; pattern: string; score: number } | undefined;
  rules.forEach((rule, index) => {
    const score = similarity(rule.pattern, prompt, spoken);
    if (score > (best?.score ?? 0.2)) {
      best = { place: `responses[${index}]`, pattern: describePattern(rule.pattern), score };
    }
  });
  return best && { place: best.place, pattern: best.pattern };
}

/** How much of what the pattern asks for is in the prompt, by its three-letter pieces. */
function similarity(pattern: Pattern, prompt: Prompt, spoken: ReadonlySet<string>): number {
  if (pattern.type === 'any') return 0;
  const literal =
    pattern.type === 'command'
      ? `/${pattern.name}`
      : 'text' in pattern
        ? pattern.text
        : pattern.pattern.replace(/[\\^$.*+?()[\]{}|]/g, ' ');
  const wanted = trigrams(literal);
  if (wanted.size === 0) return 0;
  const said =
    pattern.type === 'command' && prompt.command !== undefined ? trigrams(`/${prompt.command.name}`) : spoken;
  let shared = 0;
  for (const piece of wanted) if (said.has(piece)) shared++;
  return shared / wanted.size;
}

function trigrams(text: string): Set<string> {
  const padded = ` ${text.slice(0, COMPARED).toLowerCase().trim()} `;
  const pieces = new Set<string>();
  for (let i = 0; i + 3 <= padded.length; i++) pieces.add(padded.slice(i, i + 3));
  return pieces;
}

function shorten(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
