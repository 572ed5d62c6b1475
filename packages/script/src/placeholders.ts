import type { UnlocatedProblem } from '@understudy/kit';
import { isObject } from '@understudy/kit';
import type { Rule } from './schema.js';

const ANY_RULE: Rule = { pattern: { type: 'any' }, response: '…' };

/**
 * A copy of the document in which every field with a problem is replaced by a valid one, or removed. The rest can
 * then be reviewed for other mistakes.
 */
export function withPlaceholders(document: unknown, findings: readonly UnlocatedProblem[]): unknown {
  if (!isObject(document)) return {};
  const repaired = structuredClone(document);
  for (const { path } of findings) {
    const [top, index, field] = path;
    const rules = repaired.responses;
    if (top === 'responses' && Array.isArray(rules) && typeof index === 'number') {
      const rule: unknown = rules[index];
      if (isObject(rule) && typeof field === 'string') repairField(rule, field);
      else rules[index] = { ...ANY_RULE };
    } else if (top !== undefined) delete repaired[top];
  }
  return repaired;
}

function repairField(rule: Record<string, unknown>, field: string): void {
  if (field === 'pattern' || field === 'response') rule[field] = ANY_RULE[field];
  else delete rule[field];
  if (field === 'failure') rule.response ??= ANY_RULE.response;
}
