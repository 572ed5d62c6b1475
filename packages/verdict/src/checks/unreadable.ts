import { describeUnreadable, type Unreadable } from '@understudy/kit';
import type { CheckResult } from './result.js';

/** What could not be read back was not seen, so the other checks say nothing about it. No check where all could be read. */
export function checkUnreadable(found: readonly Unreadable[]): CheckResult[] {
  if (found.length === 0) return [];
  const texts = [...new Set(found.map(describeUnreadable))];
  return [
    {
      ...{ name: 'records', category: 'isolation', subject: { kind: 'turn' }, status: 'unjudged' },
      expected: 'what was recorded can be read',
      actual: `${texts[0]}: it was not read`,
      evidence: texts,
      suggestion: 'Find out which tool, hook or program put it there: these files belong to understudy.',
    },
  ];
}
