import type { Finding } from '../document/problems.js';
import type { Rule } from './schema.js';

const ANY_RULE: Rule = { pattern: { type: 'any' }, response: '…' };

/**
 * The document with every field that has a problem replaced by something valid, or left out: what
 * remains can be read for mistakes of other kinds.
 */
export function withPlaceholders(document: unknown, findings: readonly Finding[]): unknown {
  if (!isTable(document)) return {};
  const mended = structuredClone(document);
  for (const { path } of findings) {
    const [top, index, field] = path;
    const rules = mended.responses;
    if (top === 'responses' && Array.isArray(rules) && typeof index === 'number') {
      const rule: unknown = rules[index];
      if (isTable(rule) && typeof field === 'string') mendField(rule, field);
      else rules[index] = { ...ANY_RULE };
    } else if (top !== undefined) delete mended[top];
  }
  return mended;
}

function mendField(rule: Record<string, unknown>, field: string): void {
  if (field === 'pattern' || field === 'response') rule[field] = ANY_RULE[field];
  else delete rule[field];
  if (field === 'failure') rule.response ??= ANY_RULE.response;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
