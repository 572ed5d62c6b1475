import { expect, it } from 'vitest';
import {
  diagnosed,
  EXIT,
  failed,
  iteration,
  OUTPUT,
  output,
  prompt,
  published,
} from '../../../../../test/helpers/diagnosed-program.js';

it('PromptIneffective: not injected, by an assertion or by what the prompt lacks', () => {
  const told = prompt(1, '### Builder Instructions');
  expect(diagnosed([told]).root_cause_hypothesis).toContain('not injected');
  const bare = diagnosed([OUTPUT], { iterations: [iteration({ prompt: 'Build it.' })] });
  expect(bare.failure_type).toBe('PromptIneffective');
  expect(bare.evidence).toContain('prompt 1 lacks the instructions of builder: "Begin with "I am the Builder"."');
  const aimless = diagnosed([OUTPUT], { iterations: [iteration({ prompt: 'Begin with "I am the Builder".' })] });
  expect(aimless.evidence).toContain('prompt 1 lacks the objective "Build it."');
});

it('PromptIneffective: an event that was not handed on', () => {
  const first = iteration({ output: '<event topic="count.one"></event>' });
  const second = iteration({ iteration: 2 });
  const unsaid = output(2, 'two');
  const found = diagnosed([unsaid], { iterations: [first, second] });
  expect(found.evidence).toContain('prompt 2 lacks the event count.one, which iteration 1 wrote');
  const handed = diagnosed([unsaid], {
    iterations: [first, { ...second, prompt: `${second.prompt} Event: count.one` }],
  });
  expect(handed.root_cause_hypothesis).toContain('did not act on it');
  const begun = diagnosed([OUTPUT], { events_emitted: [published('task.start', '')] });
  expect(begun.evidence).toContain('prompt 1 lacks the event task.start, with which the loop began');
});

it('PromptIneffective: given and not followed', () => {
  const found = diagnosed([OUTPUT]);
  expect(found).toMatchObject({ failure_type: 'PromptIneffective' });
  expect(found.root_cause_hypothesis).toBe('The agent was given what it needed, and did not act on it.');
  expect(found.evidence).toContain('iteration 1 said "I build."');
});

it('PromptIneffective: not for an iteration that never was, nor for what the orchestrator prints', () => {
  const third = output(3, 'three');
  expect(diagnosed([third, EXIT]).failure_type).toBe('UnexpectedTermination');
  const words = 'cannot start';
  const prints = failed('call 1', { kind: 'output', of: 'program', number: 1, words }, words);
  expect(diagnosed([prints]).failure_type).toBe('AssertionMismatch');
});

it('PromptIneffective: what a check found in the prompt was told, in whatever form', () => {
  const words = 'I am the Builder';
  const found = { ...prompt(1, words), status: 'passed' as const };
  const wrapped = iteration({ prompt: 'Build it.\n> Begin with:\n> "I am the Builder".' });
  expect(diagnosed([OUTPUT, found], { iterations: [wrapped] }).root_cause_hypothesis).toBe(
    'The agent was given what it needed, and did not act on it.',
  );
});
