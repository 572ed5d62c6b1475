import type { CheckResult, EntryResult } from '@understudy/verdict';
import { diagnose } from '@understudy/verdict';
import { expect, it } from 'vitest';
import {
  diagnosed,
  ENDED,
  EVENT,
  EXIT,
  ended,
  failed,
  iteration,
  OUTPUT,
} from '../../../../../test/helpers/diagnosed-program.js';
import { sampleCase, sampleContext, sampleEntry, sampleIteration } from '../../../../../test/helpers/sample-results.js';

it('UnexpectedTermination: it never ran an iteration', () => {
  const found = diagnosed([EXIT, EVENT, OUTPUT], { iterations: [], exit_code: 3, stderr: 'panicked' });
  expect(found.failure_type).toBe('UnexpectedTermination');
  expect(found.evidence).toEqual(expect.arrayContaining(['the end of stderr: "panicked"', 'stdout was empty']));
  expect(diagnosed([EXIT], { iterations: [], exit_code: null }).root_cause_hypothesis).toContain('was killed');
});

it('UnexpectedTermination: a command without a loop says what it said', () => {
  const context = sampleContext({ exit_code: 1, stderr: 'no such command: memory' });
  const none = sampleCase({ expected_iterations: 0 });
  const found = diagnose(sampleEntry('memory-add@claude', 'failed', { checks: [EXIT], context, case: none }));
  expect(found.failure_type).toBe('UnexpectedTermination');
  expect(found.evidence).toContain('the end of stderr: "no such command: memory"');
});

it('UnexpectedTermination: a promise that was kept and missed', () => {
  const kept = iteration({ output: 'Done.\nLOOP_COMPLETE\n' });
  const found = diagnosed([ENDED], { iterations: [kept], termination_reason: 'max_iterations' });
  expect(found).toMatchObject({ failure_type: 'UnexpectedTermination' });
  expect(found.root_cause_hypothesis).toContain('at the end of iteration 1, and the loop did not complete');
  const never = diagnosed([ENDED], { termination_reason: 'max_iterations' });
  expect(never.root_cause_hypothesis).toContain('never said "LOOP_COMPLETE"');
  const inside = iteration({ output: 'I say LOOP_COMPLETE soon.' });
  expect(
    diagnosed([ENDED], { iterations: [inside], termination_reason: 'max_iterations' }).root_cause_hypothesis,
  ).toContain('never as its last line');
});

it('UnexpectedTermination: a promise with marks around it', () => {
  const marked = iteration({ output: '> LOOP_COMPLETE' });
  expect(
    diagnosed([ENDED], { iterations: [marked], termination_reason: 'max_iterations' }).root_cause_hypothesis,
  ).toContain('marks around it');
});

it('UnexpectedTermination: more iterations than allowed, another ending, a code that does not fit', () => {
  const many = {
    config_yaml: 'event_loop:\n  max_iterations: 1\n',
    iterations: [iteration(), iteration({ iteration: 2 })],
  };
  const count = failed('1 iteration', { kind: 'iterations', count: 1 }, '1', '2');
  expect(diagnosed([count], many).root_cause_hypothesis).toContain('more iterations than max_iterations (1)');
  const gaveUp = ended('consecutive_failures', 'max_iterations');
  expect(diagnosed([gaveUp], { termination_reason: 'max_iterations' }).root_cause_hypothesis).toContain(
    'should have ended (consecutive_failures), and went on until: max_iterations',
  );
  const right: CheckResult = { ...ENDED, status: 'passed', actual: 'completed' };
  expect(diagnosed([right, EXIT]).root_cause_hypothesis).toContain('its exit code does not say so');
});

it('UnexpectedTermination: complete although nobody promised, or no record at all', () => {
  const early = diagnosed([EXIT], { iterations: [iteration({ output: 'LOOP_COMPLETE comes later.' })] });
  expect(early.root_cause_hypothesis).toContain('ended as complete, although');
  const own = {
    config_yaml: 'event_loop:\n  completion_promise: ALL_DONE\n',
    iterations: [iteration({ output: 'ALL_DONE', promised: true })],
  };
  expect(diagnosed([EXIT], own).root_cause_hypothesis).toContain('The agent said "ALL_DONE" as its last line');
  const seen = sampleContext({ iterations: [iteration()], stderr: 'killed' });
  const lost = diagnose(sampleEntry('a@claude', 'failed', { checks: [EXIT], context: seen }));
  expect(lost.root_cause_hypothesis).toContain('without a record of its end');
});

it('reports a run that prints nothing', () => {
  const silent = failed('every run prints something', { kind: 'condition' }, 'words', 'step 1 printed nothing');
  expect(diagnosed([silent]).root_cause_hypothesis).toMatch(/printed nothing \(step 1 printed nothing\)/);
});

it('says of a failure on the Kiro stand-in that its trailing line is known from documentation alone', () => {
  const kiro = sampleIteration({
    ...{ backend: 'kiro', output: 'Done.\nLOOP_COMPLETE', stderr: '\n ▸ Credits: 0.01 • Time: 1s' },
  });
  const evidence = (parts: Partial<EntryResult>, reason = 'max_iterations') => {
    const context = sampleContext({ exit_code: 2, termination_reason: reason, iterations: [kiro] });
    return diagnose(sampleEntry('completion@kiro', 'failed', { checks: [EXIT], context, ...parts })).evidence.join();
  };
  expect(evidence({})).toContain('known from its documentation alone');
  expect(evidence({ stage: 'live' })).not.toContain('documentation');
  expect(evidence({}, 'completed')).not.toContain('documentation');
});
