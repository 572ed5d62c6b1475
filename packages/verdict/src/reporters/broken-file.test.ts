import { expect, it } from 'vitest';
import { rehearsalRun } from '../../../../test/helpers/sample-runs.js';
import type { EntryResult } from '../results/entry-result.js';
import { writeAgentReport } from './agent.js';
import { githubAnnotations } from './github.js';

const problem = (line: number, message: string) => ({
  ...{ code: 'UNKNOWN_FIELD', message, fix: `Mend ${message}.`, path: 'steps[0]' },
  ...{ location: { file: 'a.rehearsal.toml', line, column: 1 }, frame: `> ${line} | x = 1` },
});
const broken: EntryResult = {
  ...{ id: 'a.rehearsal.toml', kind: 'rehearsal', name: 'a.rehearsal.toml', file: 'a.rehearsal.toml', tags: [] },
  ...{ agent: 'claude', stage: 'sim', round: 1, attempts: 1, duration_ms: 1, rerun: 'understudy run a.rehearsal.toml' },
  ...{ status: 'error', steps: [], checks: [] },
  error: {
    ...{ code: 'UNKNOWN_FIELD', message: 'a.rehearsal.toml has 2 problems', fix: 'Mend one.' },
    problems: [problem(3, 'one'), problem(7, 'two')],
  },
};
const run = rehearsalRun([broken]);

it('tells an agent every problem of a broken file, with its place and its fix', () => {
  const report = writeAgentReport(run);
  expect(report).toContain('   error UNKNOWN_FIELD: a.rehearsal.toml has 2 problems\n   a.rehearsal.toml:3:1 one [');
  expect(report).toContain('   a.rehearsal.toml:7:1 two [UNKNOWN_FIELD]\n     > 7 | x = 1\n     fix: Mend two.');
  expect(report.match(/Mend one/g)).toHaveLength(1);
});

it('puts the annotation of a broken file at its first problem', () => {
  const [line] = githubAnnotations(run, process.cwd()).split('\n');
  expect(line).toMatch(/^::error file=a\.rehearsal\.toml,line=3,col=1,.*a\.rehearsal\.toml:7:1 two/);
});
