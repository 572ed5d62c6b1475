import { defined } from '@understudy/kit';
import type { ScriptUsage } from '@understudy/script';
import { type CheckResult, statusOf } from './result.js';
import { checkSupported } from './unsupported.js';

/** What is not held against a script. */
export interface Allowed {
  unused?: boolean | undefined;
  unanswered?: boolean | undefined;
}

/** A rule that was never used, and a request that nothing answered, are failures unless they are allowed. */
export function checkScript(
  { unused, unmatched: all }: ScriptUsage,
  allowed: Allowed = {},
  source: 'script' | 'cassette' = 'script',
): CheckResult[] {
  const idle = unused.filter(({ kind, optional }) => kind !== 'interaction' && !optional);
  const unmatched = all.filter(({ unsupported }) => unsupported !== true);
  const results = checkSupported(all.flatMap(({ message, unsupported }) => (unsupported === true ? message : [])));
  if (source === 'cassette') results.push(checkCassette(unused));
  if (allowed.unused !== true && (source === 'script' || idle.length > 0)) {
    results.push({
      name: 'every rule is used',
      category: 'script',
      subject: { kind: 'rule', paths: idle.map((part) => part.rulePath) },
      status: statusOf(idle.length === 0),
      expected: 'every rule and turn answers something',
      actual:
        idle.length === 0 ? 'all were used' : `${idle.map((part) => part.name ?? part.rulePath).join(', ')} never did`,
      evidence: idle.map((part) => `${part.rulePath} (${part.pattern})`),
      ...(idle.length === 0
        ? {}
        : { suggestion: 'Change the pattern, remove the rule, or give it `optional = true`.' }),
    });
  }
  if (allowed.unanswered !== true) {
    const messages = countedOnce(unmatched.map((one) => one.message));
    results.push({
      name: 'every request is answered',
      category: 'script',
      subject: { kind: 'request' },
      status: statusOf(unmatched.length === 0),
      expected: source === 'script' ? 'a rule for every request' : 'the requests that were recorded',
      actual: unmatched.length === 0 ? 'all were answered' : messages.join('; '),
      evidence: messages,
      ...defined({ suggestion: unmatched[0]?.fix }),
    });
  }
  return results;
}

/** What was recorded happens again, as a whole. */
function checkCassette(unused: ScriptUsage['unused']): CheckResult {
  const left = unused.filter((part) => part.kind === 'interaction');
  return {
    name: 'every recorded answer is used',
    category: 'script',
    subject: { kind: 'request' },
    status: statusOf(left.length === 0),
    expected: 'every answer of the cassette is asked for',
    actual:
      left.length === 0 ? 'all were used' : `${left.map(({ rulePath }) => rulePath).join(', ')} was never asked for`,
    evidence: left.map(({ rulePath, pattern }) => `${rulePath} (${pattern})`),
    ...(left.length === 0
      ? {}
      : { suggestion: 'Add the steps that are missing, or record it again with `--stage live --record`.' }),
  };
}

/** Each message once, with how often it came. */
function countedOnce(messages: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const message of messages) counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts].map(([message, count]) => (count === 1 ? message : `${message} (${count} times)`));
}
