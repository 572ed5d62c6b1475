import type { ConversationEvent, EventBody } from '@understudy/agents';
import { InvalidDocumentError, parseSource } from '@understudy/kit';
import { expect, it } from 'vitest';
import { builtInWorkflows } from './built-in-workflows.js';
import { describeWorkflow } from './describe.js';
import { WorkflowFollower, type WorkflowProgress } from './progress.js';
import { loadWorkflow, toWorkflow } from './workflow.js';

function follow(name: string, ...bodies: EventBody[]): WorkflowProgress {
  const follower = new WorkflowFollower(loadWorkflow(name));
  bodies.forEach((body, seq) => {
    const event: ConversationEvent = { seq, at: new Date(seq * 1000).toISOString(), turn: seq + 1, ...body };
    follower.apply(event);
  });
  return follower.progress;
}

function command(name: string): EventBody {
  return { type: 'command', typed: `/${name}`, name: `plugin:${name}`, args: '', status: 'expanded' };
}

const commit: EventBody = { type: 'commit', hash: 'abc', message: 'feat: x', files: [] };

it('walks agent-loop from idle to complete', () => {
  const progress = follow(
    'agent-loop',
    command('explore'),
    command('plan'),
    command('code'),
    command('commit'),
    commit,
  );
  expect(progress.visits.map(({ stage }) => stage)).toEqual([
    'idle',
    'exploring',
    'planning',
    'coding',
    'committing',
    'complete',
  ]);
  expect(progress).toMatchObject({ stage: 'complete', finished: true, invalid: [] });
  expect(progress.visits[1]).toMatchObject({
    enteredAt: '1970-01-01T00:00:00.000Z',
    exitedAt: '1970-01-01T00:00:01.000Z',
    trigger: 'command /explore',
  });
});

it('walks epti through its six stages', () => {
  const progress = follow(
    'epti',
    ...['write-tests', 'verify-fail', 'commit-tests'].map(command),
    commit,
    ...['implement', 'iterate', 'commit-code'].map(command),
    commit,
  );
  expect(progress.visits.map(({ stage }) => stage)).toEqual([
    ...['idle', 'writing-tests', 'verifying-failure', 'committing-tests', 'committed-tests'],
    ...['implementing', 'iterating', 'committing-code', 'complete'],
  ]);
});

it('notes an attempt to implement before the tests are committed, and stays where it is', () => {
  const progress = follow('epti', command('write-tests'), command('implement'));
  expect(progress.stage).toBe('writing-tests');
  expect(progress.invalid).toMatchObject([
    { from: 'writing-tests', to: 'implementing', valid: false, problem: expect.stringContaining('committed-tests') },
  ]);
});

it('counts the iterations of visual-iteration and refuses a sixth', () => {
  const round = [command('screenshot'), command('feedback'), command('refine')];
  const twice = follow('visual-iteration', ...round, ...round);
  expect(twice).toMatchObject({ stage: 'refining', iteration: 2, label: 'refining-iteration-2', invalid: [] });
  const six = follow('visual-iteration', ...Array.from({ length: 6 }, () => round).flat());
  expect(six.invalid[0]).toMatchObject({ to: 'capturing', problem: expect.stringContaining('5 is the most') });
});

it('takes exact values for feedback and praise for the end', () => {
  const text = (said: string): EventBody => ({ type: 'text', text: said });
  const feedback = follow(
    'visual-iteration',
    command('screenshot'),
    command('feedback'),
    text('Padding 32px should be 24px.'),
  );
  expect(feedback.stage).toBe('feedback-provided');
  expect(follow('visual-iteration', command('screenshot'), command('feedback'), text('Make it nicer.')).stage).toBe(
    'analyzing',
  );
  const done = follow(
    'visual-iteration',
    command('screenshot'),
    command('feedback'),
    command('refine'),
    text('Pixel-perfect now!'),
    command('commit-visual'),
    commit,
  );
  expect(done.stage).toBe('complete');
});

it('ticks off actions of a stage and forgets them with it', () => {
  const glob: EventBody = { type: 'tool_result', id: '1', tool: 'Glob', text: '', status: 'ok' };
  expect(follow('agent-loop', command('explore'))).toMatchObject({
    actionsDone: [],
    actionsRemaining: ['look at the code'],
  });
  expect(follow('agent-loop', command('explore'), glob)).toMatchObject({
    actionsDone: ['look at the code'],
    actionsRemaining: [],
  });
  expect(follow('agent-loop', command('explore'), glob, command('plan'))).toMatchObject({
    actionsDone: [],
    actionsRemaining: ['write a plan'],
  });
});

it('does not move on a command that the CLI did not know', () => {
  const unknown: EventBody = { type: 'command', typed: '/explore', name: 'explore', args: '', status: 'unknown' };
  expect(follow('agent-loop', unknown).stage).toBe('idle');
});

it('matches tools by input, result and status', () => {
  const workflow = toWorkflow(
    parseSource(
      `name = "w"
initial = "a"
stages = [{ name = "a" }, { name = "b" }]
[[transitions]]
from = "*"
to = "b"
on = { tool = "Bash", input = "pytest", result = { type = "regex", pattern = "[0-9]+ failed" }, status = "error" }`,
      'toml',
    ),
  );
  const follower = new WorkflowFollower(workflow);
  const take = (seq: number, body: EventBody) =>
    follower.apply({ seq, at: new Date(0).toISOString(), turn: 1, ...body });
  take(0, { type: 'tool_call', id: '1', tool: 'Bash', input: { command: 'pytest -q' } });
  expect(take(1, { type: 'tool_result', id: '1', tool: 'Bash', text: '3 passed', status: 'ok' })).toBeUndefined();
  expect(take(2, { type: 'tool_result', id: '1', tool: 'Bash', text: '2 failed', status: 'error' })).toMatchObject({
    to: 'b',
  });
});

it('tells every mistake of a workflow with its location', () => {
  const bad = `name = "bad"
initial = "idel"
stages = [{ name = "idle" }, { name = "lost" }, { name = "idle" }]
[[transitions]]
from = "idle"
to = "nowhere"
on = { text = { type = "regex", pattern = "(" } }
[[transitions]]
from = "idle"
to = "idle"
on = {}
`;
  try {
    toWorkflow(parseSource(bad, 'toml', 'bad.toml'));
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidDocumentError);
    const { problems } = error as InvalidDocumentError;
    expect(problems.map(({ code, location }) => `${location.line} ${code}`)).toEqual([
      '2 WORKFLOW_STAGE_UNKNOWN',
      '3 WORKFLOW_UNREACHABLE',
      '3 WORKFLOW_UNREACHABLE',
      '3 WORKFLOW_DOUBLE_STAGE',
      '3 WORKFLOW_UNREACHABLE',
      '6 WORKFLOW_STAGE_UNKNOWN',
      '7 PATTERN_REFUSED',
      '11 WORKFLOW_EMPTY_TRIGGER',
    ]);
  }
});

it('names the nearest workflow for one that is not there', () => {
  expect(() => loadWorkflow('agent-lop')).toThrow(
    expect.objectContaining({ code: 'WORKFLOW_UNKNOWN', fix: 'Did you mean "agent-loop"?' }),
  );
  expect(() => loadWorkflow('./no-such-file.toml')).toThrow(expect.objectContaining({ code: 'FILE_NOT_FOUND' }));
});

it.each(Object.keys(builtInWorkflows))('draws %s as Mermaid and as text', (name) => {
  const { mermaid, text, summary } = describeWorkflow(loadWorkflow(name));
  expect(mermaid).toMatchSnapshot();
  expect(text).toMatchSnapshot();
  expect(summary).toMatch(/stages, \d+ transitions/);
});
