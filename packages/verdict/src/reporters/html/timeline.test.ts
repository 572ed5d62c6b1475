import type { ConversationEvent, EventBody } from '@understudy/agents';
import { expect, it } from 'vitest';
import { sampleContext, sampleEntry, sampleIteration } from '../../../../../test/helpers/sample-results.js';
import { failedRehearsal } from '../../../../../test/helpers/sample-runs.js';
import { detailsOf } from './page-data.js';
import { timelineOf } from './timeline.js';

let seq = 0;
const event = (turn: number, body: EventBody): ConversationEvent => ({
  ...{ seq: seq++, at: new Date(1_000_000 + seq * 100).toISOString(), turn },
  ...body,
});

const events = [
  event(0, { type: 'session', agent: 'claude', version: '1.2.3', stage: 'sim', cwd: '/x' }),
  event(1, { type: 'prompt', id: 'p', text: '/explore it' }),
  event(1, { type: 'command', typed: '/explore', name: 'a:explore', args: 'it', status: 'expanded' }),
  event(1, { type: 'hook_started', id: 'h', name: 'PreToolUse:Glob', event: 'PreToolUse' }),
  event(1, {
    ...{ type: 'hook_finished', id: 'h', name: 'PreToolUse:Glob', event: 'PreToolUse', stdout: 'no', stderr: '' },
    ...{ exitCode: 2, outcome: 'blocked', blocked: true },
  }),
  event(1, { type: 'tool_call', id: 't', tool: 'Glob', input: { pattern: '*' } }),
  event(1, { type: 'tool_result', id: 't', tool: 'Glob', text: 'a.py', status: 'ok' }),
  event(1, { type: 'text', text: 'done' }),
  event(1, { type: 'file_changed', path: 'a.py', change: 'modified', before: 'a\n', after: 'b\n' }),
  event(1, {
    ...{ type: 'turn_ended', outcome: 'completed', milliseconds: 1500, costUsd: 0.01 },
    usage: { inputTokens: 5, outputTokens: 6 },
  }),
  event(2, { type: 'session_ended', reason: 'over' }),
];

it('has each thing once, in its turn, with the requests and the checks', () => {
  const request = { number: 1, at: events[2]?.at ?? '', status: 200, milliseconds: 3, rulePath: 'responses[0]' };
  const entry = failedRehearsal('Glob');
  const turns = timelineOf({ entry, events, requests: [request] });
  expect(turns.map(({ title, facts, failed }) => [title, facts, failed])).toEqual([
    ['Start', [], false],
    ['Step 1: /explore Glob', ['completed', '1.5 s', '5 → 6 tokens', '$0.0100'], true],
    ['Step 2: Glob', ['not reached'], true],
  ]);
  expect(turns[1]?.items.map(({ kind, title }) => `${kind} ${title}`)).toEqual([
    'user /explore it',
    'command /explore is a:explore',
    'request request 1: responses[0] → 200 in 3 ms',
    'hook PreToolUse:Glob: blocked (exit code 2) in 100 ms',
    'tool Glob {"pattern":"*"} → ok',
    'agent done',
    'file a.py modified',
    'check tools: Glob: failed, expected one of Glob',
    'check event build.done: unjudged, expected build.done',
  ]);
  expect(turns[1]?.items[6]?.parts).toEqual([{ label: 'a.py', before: 'a\n', after: 'b\n' }]);
});

it('shows a step that runs a program, with the calls of agents in it', () => {
  const place = { step: 1 };
  const log = [
    { ...event(0, { type: 'session', agent: 'claude', stage: 'sim', cwd: '/x' }), ...place, call: 1 },
    {
      ...event(0, {
        type: 'call',
        agent: 'claude',
        command: ['claude', '-p', 'hi'],
        startedAt: '2026-01-20T14:30:00Z',
      }),
      ...{ ...place, call: 1 },
    },
    {
      ...event(0, {
        ...{ type: 'program', command: ['sh', 'go.sh'], cwd: '/x', code: 1, signal: null, stdout: 'out', stderr: '' },
        ...{ milliseconds: 700, timedOut: false },
      }),
      ...place,
    },
    event(1, { type: 'prompt', id: 'p', text: 'next' }),
  ];
  const step = (number: number, send: string) => ({
    number,
    send,
    reached: true,
    said: '',
    checks: [],
    duration_ms: 1,
  });
  const entry = failedRehearsal('x', { steps: [step(1, 'sh go.sh'), step(2, 'next')] });
  const turns = timelineOf({ entry, events: log, requests: [] });
  expect(turns.map(({ title, facts, items }) => [title, facts, items.map(({ kind }) => kind)])).toEqual([
    ['Step 1: sh go.sh', ['exit code 1', '0.7 s'], ['1: session', 'call 1', 'program']],
    ['Step 2: next', [], ['user']],
  ]);
});

it('shows the calls of a program of the suite, and the checks of the whole', () => {
  const context = sampleContext({ iterations: [sampleIteration()] });
  const entry = sampleEntry('a@claude', 'failed', { context });
  const turns = timelineOf(detailsOf(entry, { events: [], requests: [] }));
  expect(turns.map(({ title }) => title)).toEqual(['Call 1 as builder', 'The program', 'Checks of the whole']);
});

it('is empty for a test that did not run', () => {
  expect(timelineOf({ entry: sampleEntry('a@claude', 'skipped'), events: [], requests: [] })).toEqual([]);
});
