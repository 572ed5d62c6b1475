import { existsSync, readFileSync } from 'node:fs';
import { type CheckResult, statusOf } from '../checks/result.js';
import type { Conversation } from '../conversation/conversation.js';
import type { Unanswered } from '../scenario/reply.js';
import type { ScenarioDocument } from '../scenario/schema.js';
import { Usage } from '../scenario/usage.js';

/** What a whole rehearsal used of its script, and what it lacked. */
export interface ScriptUsage {
  unused: ReturnType<Usage['unused']>;
  unmatched: readonly Pick<Unanswered, 'message' | 'fix'>[];
}

/** What is not held against a script. */
export interface Allowed {
  unused?: boolean | undefined;
  unanswered?: boolean | undefined;
}

/** What a conversation used of its script: as its server counts, or from the log of the stand-in, which plays it alone. */
export function scriptUsage(
  { server }: Pick<Conversation, 'server'>,
  document: ScenarioDocument,
  standInLog: string,
): ScriptUsage {
  const usage = server?.script.usage;
  if (usage === undefined) return usageFromLog(document, standInLog);
  return { unused: usage.unused(), unmatched: usage.unmatched };
}

function usageFromLog({ responses = [] }: ScenarioDocument, file: string): ScriptUsage {
  const usage = new Usage(responses);
  const unmatched: { message: string; fix: string }[] = [];
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  for (const line of lines) {
    const { matched, outcome, result } = JSON.parse(line) as { matched: string[]; outcome: string; result: string };
    for (const place of matched) {
      const [, rule, turn] = /^responses\[(\d+)\](?:\.turns\[(\d+)\])?/.exec(place) ?? [];
      if (rule === undefined) continue;
      if (turn === undefined) usage.entered(Number(rule));
      else usage.reachedTurn(Number(rule), Number(turn));
    }
    if (outcome === 'unanswered') unmatched.push({ message: result, fix: 'add a rule, or set default_response' });
  }
  return { unused: usage.unused(), unmatched };
}

/** A rule that was never used, and a request that nothing answered, are failures unless they are allowed. */
export function checkScript({ unused, unmatched }: ScriptUsage, allowed: Allowed = {}): CheckResult[] {
  const idle = unused.filter((part) => part.kind === 'rule' && !part.optional);
  const results: CheckResult[] = [];
  if (allowed.unused !== true) {
    results.push({
      name: 'every rule is used',
      category: 'script',
      subject: { kind: 'rule', paths: idle.map((part) => part.place) },
      status: statusOf(idle.length === 0),
      expected: 'every rule answers something',
      actual:
        idle.length === 0 ? 'all were used' : `${idle.map((part) => part.name ?? part.place).join(', ')} never did`,
      evidence: idle.map((part) => `${part.place} (${part.pattern})`),
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
