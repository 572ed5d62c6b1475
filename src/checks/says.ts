import { compileTextPattern, describePattern } from '../scenario/pattern.js';
import type { TextPattern } from '../scenario/schema.js';
import { type Observed, saidText, shorten } from './observed.js';
import type { CheckResult } from './result.js';

/** Whether the agent's text of the turn matches a pattern, or must not. */
export function checkSays({ turn }: Observed, pattern: TextPattern, { not = false } = {}): CheckResult {
  const text = saidText(turn);
  const matched = compileTextPattern(pattern).match(text.trim()) !== undefined;
  return {
    check: not ? 'does not say' : 'says',
    category: 'text',
    passed: matched !== not,
    expected: `${not ? 'no text that matches ' : ''}${describePattern(pattern)}`,
    actual: text === '' ? 'nothing was said' : shorten(text),
    evidence: text === '' ? [] : [text],
  };
}
