import type { ReportedResult, SuiteReport } from '../results/schema.js';
import { failedKinds } from './diagnose.js';

type Pattern = SuiteReport['patterns'][number];

/** What several cases have in common: the same type of failure, on the same kind of assertion. */
export function findPatterns(results: readonly ReportedResult[]): Pattern[] {
  const groups = new Map<string, { type: string; kind: string; cases: ReportedResult[] }>();
  for (const result of results) {
    if (result.diagnosis === undefined) continue;
    for (const kind of new Set(failedKinds(result))) {
      const type = result.diagnosis.failure_type;
      const group = groups.get(`${type} ${kind}`) ?? { type, kind, cases: [] };
      group.cases.push(result);
      groups.set(`${type} ${kind}`, group);
    }
  }
  return [...groups.values()]
    .filter(({ cases }) => cases.length > 1)
    .map(({ type, kind, cases }) => {
      const fix = commonFix(cases);
      return {
        description: `${cases.length} cases failed with ${type} on: ${kind}`,
        affected_tests: cases.map(({ scenario_id: id }) => id),
        ...(fix === undefined ? {} : { suggested_fix: fix }),
      };
    });
}

/** A fix that was suggested for every one of the cases. */
function commonFix(cases: readonly ReportedResult[]): string | undefined {
  const [first, ...others] = cases.map(
    ({ diagnosis }) => diagnosis?.potential_fixes.map((fix) => fix.description) ?? [],
  );
  return first?.find((fix) => others.every((fixes) => fixes.includes(fix)));
}
