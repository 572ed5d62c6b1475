import { editDistance, nearestWord } from '@understudy/kit';
import { bareName, describePattern } from './pattern.js';
import { type Prompt, parseSlashCommand } from './prompt.js';
import type { Unanswered } from './reply.js';
import type { Pattern, Rule } from './schema.js';

const MAX_PROMPT = 1000;
const MAX_LITERAL = 80;
/** Most of the trigrams of a pattern that is long enough: near, whatever the order of its words. */
const SAME_WORDS = 0.7;
/** The syllables of shorter patterns are in every long prompt. */
const LONG_ENOUGH = 12;
/** With a smaller share of its trigrams, a pattern is not looked at more closely. */
const WORTH_A_LOOK = 0.3;
/** How much of a pattern may be misspelled. */
const MISSPELLED = 0.25;

/** The rule whose pattern nearly matches a prompt. Undefined if none is near: a wrong hint is worse than none. */
export function nearestRule(prompt: Prompt, rules: readonly Rule[]): Unanswered['nearest'] {
  const text = prompt.text.slice(0, MAX_PROMPT).toLowerCase().trim();
  const said = { text, words: text.split(/\s+/), trigrams: trigrams(text), command: commandOf(prompt) };
  let best: { rulePath: string; pattern: string; score: number } | undefined;
  rules.forEach((rule, index) => {
    const score = nearness(rule.pattern, said);
    if (score > (best?.score ?? 0)) {
      best = { rulePath: `responses[${index}]`, pattern: describePattern(rule.pattern), score };
    }
  });
  return best && { rulePath: best.rulePath, pattern: best.pattern };
}

interface ComparedPrompt {
  text: string;
  words: readonly string[];
  trigrams: ReadonlySet<string>;
  command: string | undefined;
}

/** From 0 (not near) to 1. */
function nearness(pattern: Pattern, said: ComparedPrompt): number {
  if (pattern.type === 'any') return 0;
  if (pattern.type === 'command') {
    const name = bareName(pattern.name);
    return said.command !== undefined && nearestWord(said.command, [name]) !== undefined ? 1 : 0;
  }
  const source = 'text' in pattern ? pattern.text : pattern.pattern.replace(/[\\^$.*+?()[\]{}|]/g, ' ');
  const literal = source.toLowerCase().replace(/\s+/g, ' ').trim().slice(0, MAX_LITERAL);
  const wanted = trigrams(literal);
  const shared = [...wanted].filter((piece) => said.trigrams.has(piece)).length / wanted.size;
  if (literal === '' || !(shared > WORTH_A_LOOK)) return 0;
  const misspelled = smallestDistance(literal, said.words) / literal.length;
  if (misspelled <= MISSPELLED) return 1 - misspelled;
  return shared >= SAME_WORDS && literal.length >= LONG_ENOUGH ? shared / 2 : 0;
}

/** The edit distance between a text and as many words of a prompt, where it is smallest. */
function smallestDistance(literal: string, words: readonly string[]): number {
  const count = literal.split(' ').length;
  let smallest = literal.length;
  for (let start = 0; start + count <= Math.max(words.length, count); start++) {
    smallest = Math.min(smallest, editDistance(literal, words.slice(start, start + count).join(' ')));
  }
  return smallest;
}

function commandOf({ text, command }: Prompt): string | undefined {
  const name = (command ?? parseSlashCommand(text))?.name;
  return name?.slice(name.lastIndexOf(':') + 1);
}

function trigrams(text: string): Set<string> {
  const padded = ` ${text} `;
  const pieces = new Set<string>();
  for (let i = 0; i + 3 <= padded.length; i++) pieces.add(padded.slice(i, i + 3));
  return pieces;
}
