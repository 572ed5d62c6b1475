import type { ConversationEvent, EventBody } from '@understudy/agents';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allowedActions, nextStates, type StateName, transitions } from './state-machine.js';
import { replayEvents } from './tracker.js';
import { loadWorkflow } from './workflow/workflow.js';

const AT = '2026-01-31T09:00:00.000Z';

function log(...bodies: EventBody[]): ConversationEvent[] {
  let turn = 0;
  return bodies.map((body, seq) => {
    if (body.type === 'prompt') turn++;
    return { seq, at: AT, turn, ...body };
  });
}

const session: EventBody = { type: 'session', agent: 'claude', stage: 'sim', cwd: '/p' };
const prompt = (text: string): EventBody => ({ type: 'prompt', id: `p-${text}`, text });
const ended: EventBody = { type: 'turn_ended', outcome: 'completed', milliseconds: 1 };
const explore: EventBody = {
  type: 'command',
  typed: '/explore',
  name: 'loop:explore',
  args: 'all',
  status: 'expanded',
};

function statesOf(events: ConversationEvent[], workflow?: string): StateName[] {
  return replayEvents(events, workflow === undefined ? undefined : loadWorkflow(workflow)).history.map(
    ({ state }) => state,
  );
}

it('goes from prompt to response and back', () => {
  const events = log(session, prompt('hi'), { type: 'text', text: 'hello' }, ended, {
    type: 'session_ended',
    reason: 'done',
  });
  expect(statesOf(events)).toEqual(['USER_PROMPT', 'USER_PROMPT', 'AGENT_RESPONDING', 'USER_PROMPT', 'IDLE']);
});

it('passes through command and stage change, in that order of the machine', () => {
  const events = log(session, prompt('/explore all'), explore, { type: 'text', text: 'looking' }, ended);
  expect(statesOf(events, 'agent-loop')).toEqual([
    'USER_PROMPT',
    'USER_PROMPT',
    'AGENT_RESPONDING',
    'WORKFLOW_TRANSITION',
    'AGENT_RESPONDING',
    'COMMAND_EXECUTING',
    'AGENT_RESPONDING',
    'USER_PROMPT',
  ]);
});

it('knows the data of each state', () => {
  const events = log(session, prompt('/explore all'), explore, {
    type: 'tool_call',
    id: 't1',
    tool: 'Read',
    input: {},
  });
  const at = (count: number) => replayEvents(events.slice(0, count), loadWorkflow('agent-loop')).state;
  expect(at(2)).toMatchObject({ name: 'USER_PROMPT', prompt: { text: '/explore all', id: 'p-/explore all', at: AT } });
  expect(at(3)).toMatchObject({
    name: 'COMMAND_EXECUTING',
    command: { name: 'loop:explore', args: 'all', startedAt: AT },
  });
  expect(at(4)).toMatchObject({
    name: 'AGENT_RESPONDING',
    response: { text: '', toolCalls: [{ id: 't1', tool: 'Read', done: false }], progress: 0 },
  });
});

it('does not execute a command that the CLI did not know', () => {
  const unknown: EventBody = { ...explore, status: 'unknown' };
  expect(statesOf(log(session, prompt('/nosuch'), unknown, ended))).not.toContain('COMMAND_EXECUTING');
});

it('goes straight back when the prompt was refused before the agent began', () => {
  const refused: EventBody = { type: 'turn_ended', outcome: 'failed', reason: 'blocked_by_hook', milliseconds: 1 };
  expect(statesOf(log(session, prompt('x'), refused))).toEqual(['USER_PROMPT', 'USER_PROMPT', 'USER_PROMPT']);
});

it.each([
  ['a prompt while one is under way', [session, prompt('one'), prompt('two')]],
  ['a prompt before the start', [prompt('one')]],
  ['a turn that ends twice', [session, prompt('one'), ended, ended]],
] as [string, EventBody[]][])('refuses %s', (_what, bodies) => {
  expect(() => replayEvents(log(...bodies))).toThrow(
    expect.objectContaining({ code: 'CONVERSATION_ILLEGAL_TRANSITION' }),
  );
});

it('names what an agent says when nobody asked it, and blames no driver', () => {
  const stray = expect.objectContaining({
    code: 'AGENT_OUT_OF_TURN',
    message: expect.stringContaining('a text of the agent ("boo") came while no prompt was under way'),
    fix: expect.not.stringContaining('report'),
  });
  const boo: EventBody = { type: 'text', text: 'boo' };
  expect(() => replayEvents(log(session, prompt('one'), ended, boo))).toThrow(stray);
  expect(() => replayEvents(log(session, boo))).toThrow(stray);
});

it('allows in each state what belongs there', () => {
  expect(allowedActions({ name: 'IDLE' })).toEqual(['start_conversation']);
  expect(allowedActions({ name: 'USER_PROMPT' })).toContain('send_prompt');
  const waiting = { name: 'USER_PROMPT', prompt: { text: 'x', id: '1', at: AT } } as const;
  expect(allowedActions(waiting)).toContain('get_response');
  expect(allowedActions(waiting)).not.toContain('send_prompt');
  const response = { id: '1', text: '', toolCalls: [], progress: 0 };
  expect(allowedActions({ name: 'AGENT_RESPONDING', response })).toContain('get_response');
});

it('never takes a step that its table does not have, whatever happens', () => {
  const body = fc.constantFrom<EventBody>(
    session,
    prompt('x'),
    explore,
    ended,
    { type: 'text', text: 't' },
    { type: 'tool_call', id: 'a', tool: 'Bash', input: {} },
    { type: 'tool_result', id: 'a', tool: 'Bash', text: '', status: 'ok' },
    { type: 'commit', hash: 'h', message: 'm', files: [] },
    { type: 'session_ended', reason: 'r' },
  );
  fc.assert(
    fc.property(fc.array(body, { maxLength: 30 }), (bodies) => {
      let state = replayEvents([]).state;
      for (const event of log(...bodies)) {
        let path: ReturnType<typeof nextStates>;
        try {
          path = nextStates(state, event);
        } catch {
          return;
        }
        for (const next of path) {
          expect(transitions[state.name]).toContain(next.name);
          state = next;
        }
      }
    }),
  );
});
