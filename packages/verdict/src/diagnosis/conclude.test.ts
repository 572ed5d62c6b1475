import { expect, it } from 'vitest';
import {
  sampleCheck,
  sampleContext,
  sampleEntry,
  sampleIteration,
  sampleRun,
} from '../../../../test/helpers/sample-results.js';
import { writeMarkdown } from '../reporters/markdown/write-markdown.js';
import type { EntryResult } from '../results/entry-result.js';
import { runResultSchema } from '../results/run-result.js';
import { concludeEntry, concludeRun } from './conclude.js';

/** An entry as the runner has it, before anything is concluded. */
function bare(status: Parameters<typeof sampleEntry>[1], more: Partial<EntryResult> = {}): EntryResult {
  const { diagnosis: _, quality: _quality, ...entry } = sampleEntry('hat-single@claude', status, more);
  return entry;
}

it('diagnoses what is red, judges what passed, and neither for what was skipped or interrupted', () => {
  const concluded = (entry: EntryResult) => {
    const { diagnosis, quality } = concludeEntry(entry);
    return [diagnosis?.failure_type, quality?.quality_score];
  };
  expect(concluded(bare('passed'))).toEqual([undefined, 'Optimal']);
  expect(concluded(bare('failed'))).toEqual(['UnexpectedTermination', undefined]);
  expect(concluded(bare('unjudged'))).toEqual(['NotJudged', undefined]);
  expect(concluded(bare('error'))).toEqual(['HarnessError', undefined]);
  expect(concluded(bare('skipped'))).toEqual([undefined, undefined]);
  expect(concluded({ ...bare('failed'), status: 'interrupted' })).toEqual([undefined, undefined]);
});

it('judges no rehearsal by iterations that it does not have', () => {
  const { case: _, context: _context, ...rehearsal } = bare('passed');
  expect(concludeEntry(rehearsal)).not.toHaveProperty('quality');
});

const concluded = (...entries: EntryResult[]) => concludeRun(sampleRun(entries.map(concludeEntry)));

it('is a valid result, whatever the entries', () => {
  for (const run of [
    concluded(bare('passed'), bare('failed'), bare('skipped')),
    concluded(bare('error')),
    concluded(),
  ]) {
    const whole: unknown = JSON.parse(JSON.stringify(run));
    expect(runResultSchema.parse(whole)).toEqual(whole);
  }
});

it('adds similar failures, patterns, recommendations and commands, and leaves out what there is nothing of', () => {
  const other = { ...bare('failed'), id: 'hat-single@kiro', artifacts: '/w/hat-single@kiro' };
  const run = concluded(bare('failed'), other);
  expect(run.entries.map(({ diagnosis }) => diagnosis?.similar_failures)).toEqual([
    ['hat-single@kiro'],
    ['hat-single@claude'],
  ]);
  expect(run.patterns).toHaveLength(1);
  expect(run.recommendations?.[0]).toMatchObject({ severity: 'Critical' });
  expect(run.quick_fix_commands).toHaveLength(2);
  expect(run.artifacts).toEqual([{ path: '/w/hat-single@kiro', description: 'folder of hat-single@kiro (failed)' }]);
  expect(run).not.toHaveProperty('loopholes');
  expect(Object.keys(concluded(bare('passed')))).not.toContain('recommendations');
});

it('changes no status, count or verdict', () => {
  const run = sampleRun([bare('failed'), bare('passed'), bare('skipped')]);
  const { counts, verdict, exit_code: code, passed } = concludeRun(run);
  expect({ counts, verdict, code, passed }).toEqual({
    ...{ counts: run.counts, verdict: run.verdict, code: run.exit_code, passed: run.passed },
  });
});

it('quotes what was seen, in both reports', () => {
  const said = 'the only words of the agent';
  const context = sampleContext({ iterations: [sampleIteration({ output: said, prompt: 'build.done' })] });
  const run = concluded(bare('failed', { checks: [sampleCheck('failed')], context }));
  expect(run.entries[0]?.diagnosis?.evidence).toContain(`iteration 1 said "${said}"`);
  expect(writeMarkdown(run, 'report.md')).toContain(`iteration 1 said "${said}"`);
});
