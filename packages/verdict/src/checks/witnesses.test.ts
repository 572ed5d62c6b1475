import type { EventBody } from '@understudy/agents';
import { expect, it } from 'vitest';
import { checkWitnesses, type Testimony } from './witnesses.js';

const wire: Testimony['wire'] = {
  by: 'wire',
  texts: ['I look. Then I say it.'],
  calls: [{ id: 't1', tool: 'Bash', input: { command: 'ls' }, delivered: true }],
  results: [{ id: 't1', text: 'a.txt', isError: false }],
  ...{ isIdentified: true, refused: [] },
};
const call: EventBody = { type: 'tool_call', id: 't1', tool: 'Bash', input: { command: 'ls' } };
const result: EventBody = { type: 'tool_result', id: 't1', tool: 'Bash', text: 'a.txt', status: 'ok' };
const ended: EventBody = { type: 'turn_ended', outcome: 'completed', milliseconds: 1 };
const text = (said: string): EventBody => ({ type: 'text', text: said });
const hook = (outcome: string): EventBody => {
  const names = { id: 'h', name: 'Stop', event: 'Stop' };
  return { type: 'hook_finished', ...names, stdout: '', stderr: '', outcome, blocked: false };
};

function judged(events: EventBody[], more: Partial<Testimony> = {}) {
  const [check] = checkWitnesses([{ who: 'the agent', turns: [events], wire, ...more }]);
  return check?.status === 'passed' ? 'passed' : `${check?.status}: ${check?.evidence.join('; ')}`;
}

it('agrees where all that was printed was on the wire, in pieces, too', () => {
  expect(judged([text('I look.'), call, result, text('Then I say it.'), ended])).toBe('passed');
  const defaults = { ...call, input: { command: 'ls', background: false } } as EventBody;
  expect(judged([defaults, result, ended])).toBe('passed');
  const sent = 'a.txt\n\n<system-reminder>Tokens left: 5</system-reminder>';
  const reminded = { ...wire, results: [{ id: 't1', text: sent, isError: false }] };
  expect(judged([call, result, ended], { wire: reminded })).toBe('passed');
});

it.each<[string, EventBody[], Partial<Testimony>, RegExp]>([
  ['a text that nobody said', [text('All passed.'), call, result, ended], {}, /printed "All passed."/],
  ['a text that was said once', [text('I look.'), text('I look.'), call, result, ended], {}, /printed "I look."/],
  ['a call that nobody made', [call, { ...call, id: 't2' } as EventBody, result, ended], {}, /nothing like it/],
  [
    'a call with another input',
    [{ ...call, input: { command: 'rm' } } as EventBody, result, ended],
    {},
    /its model called Bash/,
  ],
  ['a call that is not there', [text('I look.'), ended], {}, /did not print a call/],
  ['another result', [call, { ...result, text: 'b.txt' } as EventBody, ended], {}, /sent its model "a.txt"/],
  [
    'more than a reminder behind a result',
    [call, result, ended],
    {
      wire: { ...wire, results: [{ id: 't1', text: 'a.txt <system-reminder>x</system-reminder> b', isError: false }] },
    },
    /sent its model/,
  ],
  ['another status', [call, { ...result, status: 'error' } as EventBody, ended], {}, /\(error\)/],
  ['a hook that did not run', [call, result, hook('success'), ended], { hooks: [] }, /a run of a hook, Stop/],
  ['a hook that ran once', [call, result, hook('success'), hook('success'), ended], { hooks: ['Stop'] }, /Stop/],
  ['somebody else who asked', [call, result, ended], { wire: { ...wire, refused: ['perl'] } }, /agent: perl/],
  ['a call without a record', [call, result, ended], { besides: ['call 1 has no record'] }, /no record/],
])('finds %s', (_, events, more, says) => {
  expect(judged(events, more)).toMatch(says);
  expect(judged(events, more)).toMatch(/^unjudged/);
});

it('takes what the CLI itself says of a turn that failed, and a hook that it ended', () => {
  const failed: EventBody = { ...ended, outcome: 'failed' } as EventBody;
  expect(judged([text('API Error: 500'), hook('cancelled'), failed], { hooks: [] })).toBe('passed');
  const local: EventBody = { type: 'command', typed: '/cost', name: 'cost', args: '', status: 'local' };
  expect(judged([local, text('It cost nothing.'), call, result, ended])).toBe('passed');
});

it('does not believe a stand-in that the CLI spoke itself', () => {
  const failed: EventBody = { ...ended, outcome: 'failed' } as EventBody;
  expect(judged([text('Forged.'), failed], { wire: { ...wire, by: 'stand-in' } })).toMatch(/printed "Forged."/);
});

it('is not there where nothing was seen twice', () => {
  expect(checkWitnesses([])).toEqual([]);
});
