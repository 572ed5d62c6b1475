import type { EntryResult } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import { failedKinds } from './similar.js';

type Pattern = NonNullable<RunResult['patterns']>[number];

/** What several entries have in common: the same type of failure, on the same kind of check. */
export function findPatterns(entries: readonly EntryResult[]): Pattern[] {
  const groups = new Map<string, { type: string; kind: string; failed: EntryResult[] }>();
  for (const entry of entries) {
    if (entry.diagnosis === undefined) continue;
    for (const kind of failedKinds(entry)) {
      const type = entry.diagnosis.failure_type;
      const group = groups.get(`${type} ${kind}`) ?? { type, kind, failed: [] };
      group.failed.push(entry);
      groups.set(`${type} ${kind}`, group);
    }
  }
  return [...groups.values()]
    .filter(({ failed }) => failed.length > 1)
    .map(({ type, kind, failed }) => {
      const fix = commonFix(failed);
      return {
        description: `${failed.length} tests failed with ${type} on: ${kind}`,
        affected_tests: failed.map(({ id }) => id),
        ...(fix === undefined ? {} : { suggested_fix: fix }),
      };
    });
}

/** A fix that was suggested for every one of them. */
function commonFix(entries: readonly EntryResult[]): string | undefined {
  const [first, ...others] = entries.map(
    ({ diagnosis }) => diagnosis?.potential_fixes.map((fix) => fix.description) ?? [],
  );
  return first?.find((fix) => others.every((fixes) => fixes.includes(fix)));
}
