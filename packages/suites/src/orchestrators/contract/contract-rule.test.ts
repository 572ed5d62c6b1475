import { expect, it } from 'vitest';
import { ended, diagnosed as ofCase } from '../../../../../test/helpers/diagnosed-program.js';
import { sampleCheck, sampleIteration } from '../../../../../test/helpers/sample-results.js';

const calls = (status: 'passed' | 'failed') =>
  sampleCheck(status, { name: '3 calls', subject: { kind: 'calls' }, expected: '3 calls', actual: '3 calls' });
const unpromised = [1, 2, 3].map((iteration) => sampleIteration({ iteration, output: 'Still at it.' }));
const COMPLETE = 'complete (exit code 0)';

const diagnosed = (checks: Parameters<typeof ofCase>[0], more: Parameters<typeof ofCase>[1] = {}) =>
  ofCase(checks, { contract: 'bash.orchestrator.toml', iterations: unpromised, ...more });

it('blames the exit code, and not the promise, where the calls are as they must be', () => {
  const found = diagnosed([calls('passed'), ended('stopped', COMPLETE)]);
  expect(found.root_cause_hypothesis).toBe(
    'The calls are as they must be, and the orchestrator says: complete (exit code 0) instead of stopped.',
  );
  expect(found.potential_fixes).toMatchObject([
    { confidence: 0.6, file_to_modify: 'the part of the orchestrator that turns its ending into an exit code' },
  ]);
});

it('blames the promise where nothing says that the calls are right, and is not sure of it', () => {
  const found = diagnosed([ended('stopped', COMPLETE)]);
  expect(found.root_cause_hypothesis).toBe('The orchestrator says complete, and no agent gave the promise.');
  expect(found.potential_fixes).toMatchObject([{ confidence: 0.6 }]);
});
