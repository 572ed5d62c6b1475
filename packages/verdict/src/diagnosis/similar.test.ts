import { expect, it } from 'vitest';
import { sampleCheck, sampleEntry } from '../../../../test/helpers/sample-results.js';
import type { CheckResult } from '../checks/result.js';
import { failedKinds, findSimilar } from './similar.js';

const EVENT = sampleCheck('failed');
const EXIT = sampleCheck('failed', { name: 'exit code 0', subject: { kind: 'exit_code', code: 0 } });
const OTHER = sampleCheck('failed', { subject: { kind: 'event', topic: 'plan.ready', wanted: true } });

it('finds failures of the same type on the same kind of check', () => {
  const of = (id: string, checks: CheckResult[]) => sampleEntry(id, 'failed', { checks });
  const entries = findSimilar([
    of('a@claude', [EVENT]),
    of('b@claude', [EVENT, EXIT]),
    of('c@claude', [OTHER]),
    sampleEntry('d@claude', 'passed'),
  ]);
  expect(entries.map(({ diagnosis }) => diagnosis?.similar_failures)).toEqual([
    ['b@claude'],
    ['a@claude'],
    [],
    undefined,
  ]);
});

it('names what a check is about by its subject, and a condition by its name', () => {
  const prompt = (iteration: number, words: string) =>
    sampleCheck('failed', { subject: { kind: 'prompt', iteration, words, wanted: true } });
  const condition = sampleCheck('failed', { name: 'both files', subject: { kind: 'condition' } });
  const checks = [prompt(1, 'x'), prompt(2, 'y'), condition, EVENT, sampleCheck('passed')];
  expect(failedKinds(sampleEntry('a@claude', 'failed', { checks }))).toEqual([
    'prompt',
    'both files',
    'event build.done',
  ]);
});
