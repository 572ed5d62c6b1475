import { compileTextPattern, describePattern, type TextPattern } from '@understudy/script';
import { type Observed, saidText, shorten } from './observed.js';
import { type CheckResult, statusOf } from './result.js';

/** Whether the agent's text of the turn matches a pattern, or must not. */
export function checkSays({ turn }: Observed, pattern: TextPattern, { not = false } = {}): CheckResult {
  const text = saidText(turn);
  const matched = compileTextPattern(pattern).match(text.trim()) !== undefined;
  return {
    name: not ? 'does not say' : 'says',
    category: 'text',
    subject: { kind: 'text', words: [describePattern(pattern)] },
    status: statusOf(matched !== not),
    expected: `${not ? 'no text that matches ' : ''}${describePattern(pattern)}`,
    actual: text === '' ? 'nothing was said' : shorten(text),
    evidence: text === '' ? [] : [text],
  };
}
