import type { Entry } from '../../packages/runner/src/run/entry.js';
import type { CheckResult } from '../../packages/verdict/src/checks/result.js';

/** A check result with a status, for tests of what happens to checks. */
export function testCheck(status: CheckResult['status']): CheckResult {
  return {
    ...{ name: 'a check', category: 'custom', status, subject: { kind: 'condition' } },
    ...{ expected: '', actual: '', evidence: [] },
  };
}

/** An entry that passes, unless told otherwise. */
export function testEntry(name: string, more: Partial<Entry> = {}): Entry {
  return {
    ...{ id: name, kind: 'rehearsal', name, tags: [], agent: 'claude', stage: 'sim', round: 1 },
    ...{ rerun: `understudy run ${name}`, folderName: name },
    skipReason: async () => undefined,
    play: async () => ({ steps: [], checks: [testCheck('passed')] }),
    ...more,
  };
}
