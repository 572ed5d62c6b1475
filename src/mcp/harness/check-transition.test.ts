import { expect, it } from 'vitest';
import { checkTransition } from './check-transition.js';

it('passes when the stage is the expected one', () => {
  expect(checkTransition({ from: 'idle', to: 'Exploring', actual: 'exploring' })).toMatchObject({ status: 'passed' });
  expect(checkTransition({ from: 'a', to: 'b', actual: 'b-iteration-2' })).toMatchObject({ status: 'passed' });
  expect(checkTransition({ from: 'idle', to: 'coding', actual: 'exploring' })).toMatchObject({ status: 'failed' });
});

it('holds the move against the workflow', () => {
  const workflow = 'agent-loop';
  expect(checkTransition({ from: 'coding', to: 'complete', actual: 'complete', workflow })).toMatchObject({
    valid: true,
  });
  const back = checkTransition({ from: 'planning', to: 'idle', actual: 'idle', workflow });
  expect(back).toMatchObject({
    status: 'failed',
    actual: expect.stringContaining('does not lead from planning to idle'),
  });
  expect(() => checkTransition({ from: 'idle', to: 'plannin', actual: 'x', workflow })).toThrow(/no stage "plannin"/);
});

it('asks for the move to have been seen where there is a conversation', () => {
  const expected = { from: 'idle', to: 'exploring', actual: 'exploring' };
  expect(checkTransition({ ...expected, followed: undefined })).toMatchObject({ status: 'failed' });
});
