import { field, UnderstudyError } from '@understudy/kit';
import * as z from 'zod/mini';
import { defineCheck, givenAt, words } from './define-check.js';
import { type FindOptions, findKeyword } from './find-words.js';
import { agentText } from './observed.js';
import { type CheckResult, checkResultSchema, hasPassed, statusOf } from './result.js';
import { asksNothing, asksSomething } from './review-expected.js';
import { contextAround, quotedList } from './text-evidence.js';

/** A verdict on keywords: which were found, which are missing, and the share of those found. */
export const keywordsResultSchema = z.extend(checkResultSchema, {
  found: z.array(z.string()),
  missing: z.array(z.string()),
  matchRatio: z.number(),
});
export type KeywordsResult = z.infer<typeof keywordsResultSchema>;

export interface KeywordsOptions extends FindOptions {
  /** One is enough, or all must be there. */
  require?: 'any' | 'all';
  /** Count only what is not denied: "not systematic" is then no find. */
  skipNegated?: boolean;
}

/** Does a text speak of these things? Words are compared as words, in all their forms, unless asked otherwise. */
export function checkKeywords(
  text: string,
  keywords: readonly string[],
  options: KeywordsOptions = {},
): KeywordsResult {
  if (keywords.length === 0 || keywords.some((keyword) => keyword.trim() === '')) {
    throw new UnderstudyError('CHECK_NO_KEYWORDS', 'a keyword check needs keywords, and none of them empty', {
      fix: 'Name at least one word: a check of nothing would always pass or always fail.',
    });
  }
  const { require = 'any', skipNegated = false } = options;
  const occurrences = keywords.map((keyword) => ({ keyword, all: findKeyword(text, keyword, options) }));
  const counted = occurrences.map(({ keyword, all }) => ({
    keyword,
    occurrence: all.find(({ negated }) => !(skipNegated && negated)),
    denied: skipNegated ? all.find(({ negated }) => negated) : undefined,
  }));
  const found = counted.filter(({ occurrence }) => occurrence !== undefined).map(({ keyword }) => keyword);
  const missing = counted.filter(({ occurrence }) => occurrence === undefined).map(({ keyword }) => keyword);
  const denied = counted.filter((entry) => entry.occurrence === undefined && entry.denied !== undefined);
  const passed = require === 'all' ? missing.length === 0 : found.length > 0;
  return {
    name: 'keywords',
    category: 'text',
    subject: { kind: 'text', words: [...keywords] },
    status: statusOf(passed),
    expected: `${require} of ${quotedList(keywords)}`,
    actual: found.length === 0 ? 'none of them' : `${quotedList(found)}; missing: ${quotedList(missing)}`,
    evidence: counted.flatMap(({ keyword, occurrence, denied }) => {
      const shown = occurrence ?? denied;
      if (shown === undefined) return [];
      const what = occurrence === undefined ? `${keyword} is denied` : `${keyword} is found`;
      return [`${what}: ${contextAround(text, shown.start, shown.end)}`];
    }),
    ...(passed ? {} : { suggestion: suggestionFor(text, missing, denied.length > 0, options) }),
    found,
    missing,
    matchRatio: found.length / keywords.length,
  };
}

function suggestionFor(text: string, missing: readonly string[], denied: boolean, options: KeywordsOptions): string {
  if (denied) return 'The text denies it. If a denial is fine here, drop skipNegated.';
  const inside = missing.find((keyword) => findKeyword(text, keyword, { match: 'substring' }).length > 0);
  if (inside !== undefined && options.match !== 'substring') {
    const why = options.caseSensitive === true ? 'in another case or inside another word' : 'only inside another word';
    return `"${inside}" stands there ${why}; ask for match "substring" if that counts.`;
  }
  return `Make the agent mention ${quotedList(missing)}, or check for the words that it uses.`;
}

/** Turns a search for words into the demand that none of them be there. */
function absent(found: CheckResult): CheckResult {
  const { suggestion: _, ...result } = found;
  return {
    ...result,
    name: 'keywords: none',
    status: statusOf(!hasPassed(found)),
    expected: found.expected.replace(/^any of/, 'none of'),
  };
}

export const keywords = defineCheck({
  fields: {
    keywords: field(
      'Words that the answer has and does not deny.',
      z.strictObject({
        any: field('At least one of these words.', words),
        all: field('All of these words.', words),
        none: field('None of these words.', words),
        case_sensitive: field('true distinguishes upper and lower case.', z.boolean()),
      }),
    ),
  },
  scopes: ['step', 'call'],
  page: 'checks.md#keywords',
  judge: ({ turn }, { keywords: { any, all, none, case_sensitive: caseSensitive = false } = {} }, place) => {
    const text = agentText(turn);
    const given = givenAt(place);
    return [
      ...given(['keywords', 'any'], any, (words) => [
        checkKeywords(text, words, { require: 'any', caseSensitive, skipNegated: true }),
      ]),
      ...given(['keywords', 'all'], all, (words) => [
        checkKeywords(text, words, { require: 'all', caseSensitive, skipNegated: true }),
      ]),
      ...given(['keywords', 'none'], none, (words) => [
        absent(checkKeywords(text, words, { require: 'any', caseSensitive })),
      ]),
    ];
  },
  review: ({ keywords }) =>
    keywords === undefined || asksSomething(keywords, 'case_sensitive') ? [] : [asksNothing('keywords')],
});
