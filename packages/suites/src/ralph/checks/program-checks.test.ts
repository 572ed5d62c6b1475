import { checkResultSchema } from '@understudy/verdict';
import { expect, it } from 'vitest';
import {
  agentSays,
  eventAbsent,
  eventPublished,
  hatSequence,
  iterationCount,
  promptContains,
  terminationReason,
} from './loop-checks.js';
import type { ObservedProgram } from './observed-program.js';
import { condition, exitCode, fileContains, noEscapes, noProcessLeft, programPrints } from './program-checks.js';

const program = (parts: Partial<ObservedProgram> = {}): ObservedProgram => ({
  runs: [{ stdout: 'hello', stderr: ' and oops' }],
  last: { code: 0 },
  timedOut: false,
  leftovers: [],
  events: [
    { topic: 'task.start', payload: '' },
    { topic: 'build.done', payload: 'tests: pass', source: 'builder' },
  ],
  iterations: [
    { hat: 'planner', prompt: 'Plan it.', output: 'planned' },
    { hat: 'builder', prompt: 'Build it.', output: 'built' },
  ],
  termination: 'completed',
  read: (file) => (file === 'a.txt' ? 'roses are red' : undefined),
  ...parts,
});

const ALIVE = program({ timedOut: true, leftovers: ['sleep 600 (7)'] });

it.each([
  ['exit code', exitCode(program(), 0), exitCode(program(), 1)],
  ['exit code at the deadline', exitCode(program(), 0), exitCode(program({ timedOut: true }), 0)],
  ['output', programPrints(program(), 1, 'oops'), programPrints(program(), 1, 'fine')],
  ['output of a call that never was', programPrints(program(), 1, 'hello'), programPrints(program(), 2, 'undefined')],
  ['file', fileContains(program(), 'a.txt', 'roses'), fileContains(program(), 'a.txt', 'violets')],
  ['missing file', fileContains(program(), 'a.txt', 'roses'), fileContains(program(), 'b.txt', 'roses')],
  ['processes', noProcessLeft(program()), noProcessLeft(ALIVE)],
  ['condition', condition('c', true, 'e', 'a'), condition('c', false, 'e', 'a')],
  ['termination', terminationReason(program(), 'completed'), terminationReason(program(), 'max_iterations')],
  [
    'no record of an end',
    terminationReason(program(), 'completed'),
    terminationReason(program({ termination: undefined }), 'completed'),
  ],
  ['iterations', iterationCount(program(), 2), iterationCount(program(), 1)],
  ['hats', hatSequence(program(), ['planner', 'builder']), hatSequence(program(), ['builder', 'planner'])],
  ['number of hats', hatSequence(program(), ['planner', 'builder']), hatSequence(program(), ['planner'])],
  ['event', eventPublished(program(), 'build.done'), eventPublished(program(), 'lost')],
  [
    'payload',
    eventPublished(program(), 'build.done', { payload: 'pass' }),
    eventPublished(program(), 'build.done', { payload: 'lint' }),
  ],
  [
    'writer',
    eventPublished(program(), 'build.done', { by: 'builder' }),
    eventPublished(program(), 'build.done', { by: 'planner' }),
  ],
  ['no event', eventAbsent(program(), 'lost'), eventAbsent(program(), 'build.done')],
  ['prompt', promptContains(program(), 2, 'Build'), promptContains(program(), 2, 'Plan')],
  [
    'words that a prompt must not have',
    promptContains(program(), 2, 'Plan', false),
    promptContains(program(), 2, 'Build', false),
  ],
  [
    'prompt of an iteration that never was',
    promptContains(program(), 1, 'Plan'),
    promptContains(program(), 3, 'Plan', false),
  ],
  ['agent', agentSays(program(), 1, 'planned'), agentSays(program(), 1, 'built')],
  ['words in an iteration that never was', agentSays(program(), 1, 'planned'), agentSays(program(), 3, 'planned')],
])('%s: passes and fails', (_, good, bad) => {
  expect([good.status, bad.status]).toEqual(['passed', 'failed']);
  for (const result of [good, bad]) expect(checkResultSchema.parse(result)).toEqual(result);
});

it('says whether the subject was there', () => {
  expect(fileContains(program(), 'a.txt', 'violets').present).toBe(true);
  expect(fileContains(program(), 'b.txt', 'roses').present).toBe(false);
  expect(eventPublished(program(), 'build.done', { payload: 'x' }).present).toBe(true);
  expect(eventPublished(program(), 'lost').present).toBe(false);
});

it('does not judge what was not recorded', () => {
  const unknown = program({
    iterations: [{ prompt: 'Plan it.' }, { hat: 'builder' }],
    events: [{ topic: 'build.done', payload: 'x' }],
  });
  for (const result of [
    hatSequence(unknown, ['planner', 'builder']),
    promptContains(unknown, 2, 'Build'),
    promptContains(unknown, 2, 'Build', false),
    agentSays(unknown, 1, 'planned'),
    eventPublished(unknown, 'build.done', { by: 'builder' }),
    condition('c', undefined, 'e', 'a'),
  ])
    expect(result.status, result.name).toBe('unjudged');
  // What is recorded is judged all the same.
  expect(hatSequence(unknown, ['planner', 'auditor']).status).toBe('failed');
  expect(eventPublished(unknown, 'build.done', { by: 'builder', payload: 'y' }).status).toBe('failed');
});

it('shows where the hats differ', () => {
  expect(hatSequence(program(), ['planner', 'auditor', 'ralph']).evidence).toEqual([
    'iteration 2: builder, expected auditor',
  ]);
});

it('does not know anything when nobody looked, and still fails for what was tried', () => {
  const unwatched = { kind: 'unwatched', text: 'it did not start' };
  expect(noEscapes([])).toEqual([]);
  expect(noEscapes([unwatched])).toMatchObject([{ status: 'unjudged', evidence: ['it did not start'] }]);
  expect(noEscapes([unwatched, { kind: 'memory', text: '5 GB' }])).toMatchObject([
    { status: 'failed', evidence: ['5 GB'] },
  ]);
});
