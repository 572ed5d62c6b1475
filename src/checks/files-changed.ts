import { pick } from '../conversation/turn.js';
import { defined } from '../document/defined.js';
import { compileTextPattern, describePattern } from '../scenario/pattern.js';
import type { TextPattern } from '../scenario/schema.js';
import { type Observed, shorten } from './observed.js';
import { type CheckResult, statusOf } from './result.js';

export interface ExpectedFile {
  path: string;
  /** `unchanged`: the turn must leave it alone. */
  change?: 'created' | 'modified' | 'deleted' | 'unchanged' | undefined;
  contains?: TextPattern | undefined;
}

/** What the turn did to a file of the project. */
export function checkFile({ turn }: Observed, { path, change, contains }: ExpectedFile): CheckResult {
  const [missed] = pick(turn, 'files_not_watched');
  const changes = pick(turn, 'file_changed');
  const seen = changes.filter((event) => event.path === path).at(-1);
  const rightChange =
    change === 'unchanged'
      ? seen === undefined
      : seen !== undefined && (change === undefined || seen.change === change);
  // Content that was too large to keep cannot be looked at.
  const notKept = contains !== undefined && seen !== undefined && seen.change !== 'deleted' && seen.after === undefined;
  const rightContent =
    contains === undefined ||
    (seen?.after !== undefined && compileTextPattern(contains).match(seen.after.trim()) !== undefined);
  return {
    name: 'file',
    category: 'files',
    subject: { kind: 'file', path },
    present: seen !== undefined,
    status: missed !== undefined || (rightChange && notKept) ? 'unjudged' : statusOf(rightChange && rightContent),
    expected: `${path} ${change === 'unchanged' ? 'is left alone' : `is ${change ?? 'changed'}`}${contains === undefined ? '' : ` and is ${describePattern(contains)}`}`,
    actual:
      missed !== undefined
        ? `not known: ${missed.message}`
        : seen === undefined
          ? `${path} was not changed`
          : `${path} was ${seen.change}${contains === undefined ? '' : seen.after === undefined ? ' (content not kept)' : `: ${shorten(seen.after)}`}`,
    evidence: changes.map((event) => `${event.path} ${event.change}`),
    ...defined({ suggestion: missed?.fix }),
  };
}
