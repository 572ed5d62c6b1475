import type { EntryResult } from '../../packages/verdict/src/results/entry-result.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { summarize } from '../../packages/verdict/src/results/summarize.js';
import { sampleCheck } from './sample-results.js';

/** A rehearsal that failed at a line of its file; the same words wherever a text may be untrusted. */
export function failedRehearsal(words = 'Glob', parts: Partial<EntryResult> = {}): EntryResult {
  const check = sampleCheck('failed', {
    name: `tools: ${words}`,
    category: 'tools',
    subject: { kind: 'tool', tools: [words] },
    expected: `one of ${words}`,
    actual: `no tool but ${words}`,
    evidence: [`Read ${words} → ok`],
    suggestion: `Use ${words}.`,
    defined_at: { file: 'tests/a.rehearsal.toml', line: 14, column: 1, frame: `> 14 | tools = ["${words}"]` },
  });
  return {
    id: `tests/a.rehearsal.toml claude sim ${words}`,
    kind: 'rehearsal',
    name: `a rehearsal about ${words}`,
    file: 'tests/a.rehearsal.toml',
    ...{ tags: [words], agent: 'claude', stage: 'sim', round: 1, status: 'failed', attempts: 1, duration_ms: 1234 },
    steps: [
      {
        ...{ number: 1, send: `/explore ${words}`, reached: true, said: `I looked at ${words}.`, duration_ms: 20 },
        ...{ tools: [`Read ${words} → ok`], checks: [check, sampleCheck('unjudged')] },
      },
      { number: 2, send: words, reached: false, said: '', checks: [], duration_ms: 0 },
    ],
    checks: [],
    artifacts: `.understudy/artifacts/${words}`,
    rerun: `understudy run '${words}'`,
    ...parts,
  };
}

/** An entry of every status. */
export function oneOfEach(words = 'Glob'): EntryResult[] {
  const { artifacts: _, ...plain } = failedRehearsal(words, { steps: [], checks: [sampleCheck('passed')] });
  const entry = (status: EntryResult['status'], parts: Partial<EntryResult> = {}): EntryResult => ({
    ...plain,
    ...{ id: `${status} ${words}`, name: `${status} ${words}`, status },
    ...parts,
  });
  return [
    failedRehearsal(words),
    entry('passed'),
    entry('flaky', { attempts: 2 }),
    entry('unjudged', { checks: [] }),
    entry('expected_failure', { reason: `${words} is broken` }),
    entry('skipped', { reason: `no ${words}`, attempts: 0 }),
    entry('error', { error: { code: 'AGENT_NOT_FOUND', message: `there is no ${words}`, fix: `Install ${words}.` } }),
    entry('interrupted', { reason: 'the run was interrupted' }),
  ];
}

/** A run of rehearsals with these entries. */
export function rehearsalRun(entries: readonly EntryResult[], parts: Partial<RunResult> = {}): RunResult {
  return {
    ...{ schema_version: 2, understudy_version: '0.1.0', command: 'run' },
    ...{ started_at: '2026-01-20T14:30:00.000Z', duration_ms: 4200 },
    ...summarize(entries, 'rehearsal'),
    environment: { os: 'linux x64 6.1', node: 'v20' },
    entries: [...entries],
    ...parts,
  };
}
