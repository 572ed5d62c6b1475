import { expect, it } from 'vitest';
import { diagnosed, ENDED, EVENT, EXIT, failed } from '../../../../../test/helpers/diagnosed-program.js';
import { sampleCheck } from '../../../../../test/helpers/sample-results.js';

it('HarnessError: the harness could not run it, with its code and its fix', () => {
  const error = { code: 'AGENT_NOT_FOUND', message: 'there is no claude', fix: 'Run `understudy agents add claude`.' };
  expect(diagnosed([], {}, { status: 'error', error })).toMatchObject({
    failure_type: 'HarnessError',
    evidence: ['AGENT_NOT_FOUND: there is no claude'],
    potential_fixes: [{ description: 'Run `understudy agents add claude`.' }],
  });
  expect(diagnosed([EXIT]).failure_type).not.toBe('HarnessError');
});

it('NotJudged: nothing failed, and a check could not be made', () => {
  const hats = sampleCheck('unjudged', { name: 'hats a → b', actual: 'not recorded' });
  const found = diagnosed([hats, { ...EXIT, status: 'passed' }], {}, { status: 'unjudged' });
  expect(found.failure_type).toBe('NotJudged');
  expect(found.evidence).toEqual(['hats a → b: expected build.done, got not recorded']);
  expect(diagnosed([], {}, { status: 'unjudged' }).root_cause_hypothesis).toContain('No check was made');
  expect(diagnosed([hats, EXIT]).failure_type).not.toBe('NotJudged');
});

it('TriedOutside: before what may follow from it, such as a program that was ended', () => {
  const escapes = failed('escapes', { kind: 'escapes' }, 'nothing outside of its sandbox is tried', '5 GB of memory', {
    evidence: ['5 GB of memory'],
  });
  const found = diagnosed([ENDED, EXIT, escapes]);
  expect(found).toMatchObject({ failure_type: 'TriedOutside', evidence: expect.arrayContaining(['5 GB of memory']) });
  expect(found.root_cause_hypothesis).toContain('other failures may follow');
  expect(diagnosed([ENDED, EXIT, { ...escapes, status: 'unjudged' }]).failure_type).toBe('UnexpectedTermination');
});

const BASELINE = {
  condition: 'no instructions',
  expected_failure: 'it does not say who it is',
  why_it_matters: 'w',
  red: false,
  still_green: ['output 1 has "x"'],
};

it('BaselineGreen: only when nothing else failed; otherwise it is further evidence', () => {
  const green = diagnosed([{ ...EXIT, status: 'passed' }], {}, { baselines: [BASELINE] });
  expect(green.failure_type).toBe('BaselineGreen');
  expect(green.evidence[0]).toContain('output 1 has "x"');
  expect(green.suggested_investigations[0]).toContain('it does not say who it is');
  const other = diagnosed([EVENT], {}, { baselines: [BASELINE] });
  expect(other.failure_type).toBe('EventMissing');
  expect(other.evidence).toContain('the baseline "no instructions" did not fail either');
  expect(diagnosed([{ ...EXIT, status: 'passed' }], {}, { baselines: [{ ...BASELINE, red: true }] }).failure_type).toBe(
    'Unknown',
  );
});
