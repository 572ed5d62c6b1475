import type { CheckResult } from '../../packages/verdict/src/checks/result.js';
import type { EntryResult } from '../../packages/verdict/src/results/entry-result.js';

/** What became of a rehearsal or a case, without times and ids. `plain` takes out what differs from run to run. */
export function resultOf(entry: EntryResult, plain: (text: string) => string): object {
  const { status, reason, error, steps, checks } = entry;
  return {
    status,
    ...(reason === undefined ? {} : { reason: plain(reason) }),
    ...(error === undefined ? {} : { error: `${error.code}: ${plain(error.message)}` }),
    checks: verdictsOf(checks),
    steps: Object.fromEntries(
      steps.map((step) => [
        `${step.number}. ${plain(step.send).slice(0, 60)}`,
        {
          said: plain(step.said),
          tools: (step.tools ?? []).map(plain).join('\n'),
          workflow: (step.workflow ?? []).map(({ from, to }) => `${from} → ${to}`).join(', '),
          outcome: step.outcome ?? '',
          reason: plain(step.reason ?? ''),
          run:
            step.run === undefined
              ? ''
              : `${step.run.code}: ${step.run.calls
                  .map(({ agent }) => agent)
                  .sort()
                  .join(' ')}`,
          checks: verdictsOf(step.checks),
        },
      ]),
    ),
  };
}

/** Checks of the same name are counted. */
function verdictsOf(checks: readonly CheckResult[]): Record<string, string> {
  const verdicts = new Map<string, string[]>();
  for (const { name, status } of checks) verdicts.set(name, [...(verdicts.get(name) ?? []), status]);
  return Object.fromEntries([...verdicts].map(([name, all]) => [name, all.join(' ')]));
}
