import { type CheckResult, statusOf } from '../checks/result.js';
import type { ScriptUsage } from '../scenario/usage.js';

/** What is not held against a script. */
export interface Allowed {
  unused?: boolean | undefined;
  unanswered?: boolean | undefined;
}

/** A rule that was never used, and a request that nothing answered, are failures unless they are allowed. */
export function checkScript({ unused, unmatched }: ScriptUsage, allowed: Allowed = {}): CheckResult[] {
  const idle = unused.filter((part) => part.kind === 'rule' && !part.optional);
  const results: CheckResult[] = [];
  if (allowed.unused !== true) {
    results.push({
      name: 'every rule is used',
      category: 'script',
      subject: { kind: 'rule', paths: idle.map((part) => part.rulePath) },
      status: statusOf(idle.length === 0),
      expected: 'every rule answers something',
      actual:
        idle.length === 0 ? 'all were used' : `${idle.map((part) => part.name ?? part.rulePath).join(', ')} never did`,
      evidence: idle.map((part) => `${part.rulePath} (${part.pattern})`),
      ...(idle.length === 0 ? {} : { suggestion: 'mend the pattern, remove the rule, or give it `optional = true`' }),
    });
  }
  if (allowed.unanswered !== true) {
    results.push({
      name: 'every request is answered',
      category: 'script',
      subject: { kind: 'request' },
      status: statusOf(unmatched.length === 0),
      expected: 'a rule for every request',
      actual: unmatched.length === 0 ? 'all were answered' : unmatched.map((one) => one.message).join('; '),
      evidence: unmatched.map((one) => one.message),
      ...(unmatched[0] === undefined ? {} : { suggestion: unmatched[0].fix }),
    });
  }
  return results;
}
