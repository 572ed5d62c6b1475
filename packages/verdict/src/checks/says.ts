import { field, shortenLine } from '@understudy/kit';
import { asTextPattern, compileTextPattern, describePattern } from '@understudy/script';
import { defineCheck, givenAt, type Saying, saying } from './define-check.js';
import { agentText, type Observed } from './observed.js';
import { type CheckResult, statusOf } from './result.js';
import { reviewPattern } from './review-expected.js';

/** Whether the agent's text of the turn matches a pattern, or must not. */
export function checkSays({ turn }: Observed, expected: Saying, { not = false } = {}): CheckResult {
  const text = agentText(turn);
  const pattern = asTextPattern(expected);
  const matched = compileTextPattern(pattern).match(text.trim()) !== undefined;
  return {
    name: not ? 'does not say' : 'says',
    category: 'text',
    subject: { kind: 'text', words: [describePattern(pattern)] },
    status: statusOf(matched !== not),
    expected: `${not ? 'no text that matches ' : ''}${describePattern(pattern)}`,
    actual: text === '' ? 'nothing was said' : shortenLine(text),
    evidence: text === '' ? [] : [text],
  };
}

export const says = defineCheck({
  fields: {
    says: field('A text that the answer contains, or a pattern.', saying),
    says_not: field('A text that the answer must not contain.', saying),
  },
  scopes: ['step', 'call'],
  judge: (seen, expect, place) => [
    ...givenAt(place)(['says'], expect.says, (wanted) => [checkSays(seen, wanted)]),
    ...givenAt(place)(['says_not'], expect.says_not, (unwanted) => [checkSays(seen, unwanted, { not: true })]),
  ],
  review: (expect) => [...reviewPattern(expect.says, 'says'), ...reviewPattern(expect.says_not, 'says_not')],
});
