import type { StageTransition, WorkflowProgress } from '@understudy/stage';
import { expect, it } from 'vitest';
import { checkTransition } from './check-transition.js';

it('passes when the stage is the expected one', () => {
  expect(checkTransition({ from: 'idle', to: 'Exploring', actual: 'exploring' })).toMatchObject({ status: 'passed' });
  expect(checkTransition({ from: 'a', to: 'b', actual: 'b-iteration-2' })).toMatchObject({ status: 'passed' });
  expect(checkTransition({ from: 'a', to: 'b-iteration-3', actual: 'b-iteration-2' })).toMatchObject({ valid: false });
  expect(checkTransition({ from: 'idle', to: 'coding', actual: 'exploring' })).toMatchObject({ status: 'failed' });
  expect(checkTransition({ from: 'coding', to: 'coding', actual: 'coding' })).toMatchObject({ status: 'failed' });
});

it('wants a direct move of the workflow, unless a longer way is allowed', () => {
  const workflow = 'agent-loop';
  const direct = { from: 'coding', to: 'committing', actual: 'committing', workflow };
  expect(checkTransition(direct)).toMatchObject({ valid: true });
  // agent-loop is a circle: every stage but idle can be reached from every other.
  const far = { from: 'planning', to: 'exploring', actual: 'exploring', workflow };
  expect(checkTransition(far)).toMatchObject({ status: 'failed', actual: expect.stringContaining('no direct move') });
  expect(checkTransition({ ...far, allowSkip: true })).toMatchObject({ status: 'passed' });
  const back = checkTransition({ from: 'planning', to: 'idle', actual: 'idle', workflow, allowSkip: true });
  expect(back).toMatchObject({
    status: 'failed',
    actual: expect.stringContaining('does not lead from planning to idle'),
  });
  expect(() => checkTransition({ from: 'idle', to: 'plannin', actual: 'x', workflow })).toThrow(/no stage "plannin"/);
});

it('knows which iterations a workflow can have', () => {
  const loop = { from: 'exploring-iteration-9', to: 'planning', actual: 'planning', workflow: 'agent-loop' };
  expect(checkTransition(loop)).toMatchObject({ status: 'failed', actual: expect.stringContaining('iteration-9') });
  const visual = { to: 'analyzing', actual: 'analyzing-iteration-2', workflow: 'visual-iteration' };
  expect(checkTransition({ ...visual, from: 'capturing-iteration-2' })).toMatchObject({ status: 'passed' });
  expect(checkTransition({ ...visual, from: 'capturing-iteration-6' })).toMatchObject({ status: 'failed' });
});

it('asks for the move to have been seen where there is a conversation', () => {
  const expected = { from: 'idle', to: 'exploring', actual: 'exploring' };
  expect(checkTransition({ ...expected, conversation: followed() })).toMatchObject({ status: 'failed' });
  const conversation = followed(['idle', 'exploring', 1, 1], ['exploring', 'planning', 1, 2]);
  expect(checkTransition({ ...expected, conversation })).toMatchObject({
    status: 'passed',
    evidence: ['idle → exploring by /exploring'],
  });
  const never = { from: 'idle', to: 'planning', actual: 'planning', conversation };
  expect(checkTransition(never)).toMatchObject({ status: 'failed' });
});

it('holds the iteration of the stage before against the wanted one', () => {
  const expected = { to: 'planning', actual: 'planning-iteration-2' };
  const conversation = followed(
    ...([
      ['idle', 'exploring', 1, 1],
      ['exploring', 'planning', 1, 2],
      ['planning', 'exploring', 2, 3],
      ['exploring', 'planning', 2, 4],
    ] as const),
  );
  expect(checkTransition({ ...expected, from: 'exploring-iteration-2', conversation })).toMatchObject({ valid: true });
  expect(checkTransition({ ...expected, from: 'exploring', conversation })).toMatchObject({ valid: true });
  expect(checkTransition({ ...expected, from: 'exploring-iteration-9', conversation })).toMatchObject({ valid: false });
});

it('needs allow_skip for a turn that made two moves', () => {
  const conversation = followed(['coding', 'committing', 1, 1], ['committing', 'complete', 1, 1]);
  const expected = { from: 'coding', to: 'complete', actual: 'complete', conversation };
  expect(checkTransition(expected)).toMatchObject({
    status: 'failed',
    actual: expect.stringContaining('coding → committing → complete'),
  });
  expect(checkTransition({ ...expected, allowSkip: true })).toMatchObject({ status: 'passed' });
});

function followed(...moves: (readonly [from: string, to: string, iteration: number, turn: number])[]) {
  const transitions = moves.map(
    ([from, to, iteration, turn]): StageTransition => ({
      ...{ from, to, iteration, turn, trigger: `/${to}`, valid: true },
      ...{ at: '', seq: 0 },
    }),
  );
  const workflowAfter = (turn: number): WorkflowProgress => {
    const made = transitions.filter((move) => move.turn <= turn);
    const { to = 'idle', iteration = 1 } = made.at(-1) ?? {};
    return {
      ...{ workflow: 'test', stage: to, iteration, transitions: made, invalid: [], finished: false },
      ...{ visits: [], actionsDone: [], actionsRemaining: [] },
      label: iteration > 1 ? `${to}-iteration-${iteration}` : to,
    };
  };
  return {
    turns: moves.map(([, , , number]) => ({ number })),
    workflow: workflowAfter(Number.POSITIVE_INFINITY),
    workflowAfter,
  };
}
