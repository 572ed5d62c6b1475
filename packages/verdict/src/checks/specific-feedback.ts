import { defined, field, UnderstudyError } from '@understudy/kit';
import * as z from 'zod/mini';
import { CSS_PROPERTIES, VISUAL_WORDS } from './css-words.js';
import { defineCheck, givenAt, positive } from './define-check.js';
import { agentText } from './observed.js';
import { checkResultSchema, statusOf } from './result.js';

/** A verdict on visual feedback: how many points could be applied as they stand. */
export const specificFeedbackResultSchema = z.extend(checkResultSchema, {
  /** Points that name a measured value together with what it is a value of. */
  points: z.array(z.string()),
  measurements: z.array(z.string()),
  properties: z.array(z.string()),
  colors: z.array(z.string()),
  vague: z.array(z.string()),
});
export type SpecificFeedbackResult = z.infer<typeof specificFeedbackResultSchema>;

export interface SpecificFeedbackOptions {
  /** How many specific points there must be; 1 by default. */
  minimum?: number;
}

const MEASUREMENT =
  /(?<![\w.-])-?(?:\d+(?:\.\d+)?|\.\d+) ?(?:px|rem|em|pt|vh|vw|ch|fr|deg|ms|%)(?![\w])|(?<![\w.])\d+(?:\.\d+)?:1\b/g;
const COLOR = /#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b|\b(?:rgb|hsl|oklch|lab)a?\([^()]{1,60}\)/gi;
const PROPERTY = new RegExp(`(?<![\\w-])(?:${CSS_PROPERTIES.join('|')})(?![\\w-])`, 'gi');
/** `property: value`; a value that measures nothing ("better") is caught by VAGUE_VALUE. */
const DECLARATION = new RegExp(`(?<![\\w-])(?:${CSS_PROPERTIES.join('|')})\`?\\s*:\\s*[\`"]?([#\\w.-]+)`, 'i');
const VAGUE_VALUE =
  /^(?:better|bigger|smaller|nicer|larger|less|more|improved?|needs?|should|too|is|looks?|tbd|todo|the|a|an|not)$/i;
const VISUAL = new RegExp(`\\b(?:${VISUAL_WORDS.join('|')})\\b`, 'i');
const CHANGE =
  /→|->|=>|\bfrom [^ ]{1,40} to\b|\bshould be\b|\binstead of\b|\b(?:reduce|increase|change|set|raise|lower)\b/i;
const VAGUE =
  /\b(?:improve|enhance|tweak|adjust|polish|clean up|fix)\s+(?:the\s+|up\s+)?(?:overall\s+)?(?:spacing|layout|look|colou?rs?|design|styling|typography|alignment|hierarchy)\b|\b(?:make|looks?|feels?)\s+(?:it\s+|this\s+)?(?:a bit\s+|more\s+)?(?:nicer|better|cleaner|prettier|modern|off|professional|good)\b/gi;

/** Could somebody apply this feedback without asking back? Numbers count only together with what they measure. */
export function checkSpecificFeedback(
  text: string,
  { minimum = 1 }: SpecificFeedbackOptions = {},
): SpecificFeedbackResult {
  if (!Number.isInteger(minimum) || minimum < 1) {
    throw new UnderstudyError('CHECK_BAD_MINIMUM', `${minimum} cannot be the least number of specific points`, {
      fix: 'Give a whole number from 1 up: with 0 the check could not fail.',
    });
  }
  const points = [...new Set(clausesOf(text).filter(isSpecific))];
  const vague = unique(text.match(VAGUE));
  const passed = points.length >= minimum;
  return {
    name: 'specific-feedback',
    category: 'text',
    subject: { kind: 'text', words: [] },
    status: statusOf(passed),
    expected: `at least ${minimum} specific ${minimum === 1 ? 'point' : 'points'}`,
    actual: `${points.length} specific${vague.length > 0 ? `, and vague: ${vague.join(', ')}` : ''}`,
    evidence: [
      ...points.map((point) => `specific: ${point}`),
      ...(passed ? [] : vague.map((phrase) => `vague: ${phrase}`)),
    ],
    ...(passed
      ? {}
      : {
          suggestion:
            'Each point should name element, property, value now and value wanted, as in: `.card` padding: 32px → 24px.',
        }),
    points,
    measurements: unique(text.match(MEASUREMENT)),
    properties: unique(text.match(PROPERTY)?.map((property) => property.toLowerCase())),
    colors: unique(text.match(COLOR)),
    vague,
  };
}

function unique(found: readonly string[] | null | undefined): string[] {
  return [...new Set(found ?? [])];
}

/** One thought each: sentences, lines, list items, and what commas and "and" hold apart. Commas in rgb() do not. */
function clausesOf(text: string): string[] {
  return text
    .replace(/\([^()\n]*\)/g, (group) => group.replaceAll(',', '\u0000'))
    .split(/[\n;]|[.!?](?=\s|$)|,\s|\band\b/)
    .map((clause) => clause.replaceAll('\u0000', ',').trim())
    .filter((clause) => clause !== '');
}

function isSpecific(clause: string): boolean {
  const value = DECLARATION.exec(clause)?.[1];
  if (value !== undefined && !VAGUE_VALUE.test(value)) return true;
  const measured = [MEASUREMENT, COLOR].some((pattern) => clause.match(pattern) !== null);
  const named = clause.match(PROPERTY) !== null || VISUAL.test(clause);
  return measured && (named || CHANGE.test(clause));
}

export const feedback = defineCheck({
  fields: {
    feedback: field(
      'The answer has at least this many points that can be applied as they stand.',
      z.strictObject({ min: field('How many there must be; 1 by default.', positive) }),
    ),
  },
  scopes: ['step', 'call'],
  page: 'checks.md#feedback-is-specific',
  judge: ({ turn }, { feedback }, place) =>
    givenAt(place)(['feedback'], feedback, ({ min: minimum }) => [
      checkSpecificFeedback(agentText(turn), defined({ minimum })),
    ]),
});
