import type { ConversationEvent, EventBody, HookRecording } from '@understudy/agents';
import { expect, it } from 'vitest';
import { hookLog } from './log.js';

const start = Date.parse('2026-01-01T00:00:00.000Z');
const place = (seq: number, body: EventBody): ConversationEvent => ({
  ...{ seq, turn: 1, at: new Date(start + seq * 100).toISOString() },
  ...body,
});

const finished = (seq: number, over: Record<string, unknown> = {}): ConversationEvent =>
  place(seq, {
    ...{
      type: 'hook_finished',
      id: `h${seq}`,
      name: 'PreToolUse:Write',
      event: 'PreToolUse',
      stdout: '',
      stderr: 'no',
      exitCode: 2,
    },
    ...{ outcome: 'error', blocked: true },
    ...over,
  } as EventBody);

const recording = (ms: number, over: Partial<HookRecording> = {}): HookRecording => ({
  ...{ id: 'run.1', event: 'PreToolUse', command: 'guard', stdout: '', stderr: 'no', exitCode: 2, milliseconds: 5 },
  ...{ stdin: '{}', payload: { tool_name: 'Write', tool_use_id: 't2' }, startedAt: new Date(start + ms) },
  ...over,
});

const calls = ['t1', 't2'].map((id, index) =>
  place(index, { type: 'tool_call', id, tool: 'Write', input: { file_path: id } }),
);

it('joins the two accounts of one run, and the call that it blocked', () => {
  expect(hookLog([...calls, finished(3)], [recording(290)])).toMatchObject([
    { command: 'guard', stdin: '{}', seenBy: 'both', turn: 1, blocked: true, action: { kind: 'tool', callId: 't2' } },
  ]);
});

it('keeps what only one side tells, in the order of time', () => {
  const late = recording(900, { event: 'SessionEnd', payload: { reason: 'other' }, stderr: '', exitCode: 0 });
  const log = hookLog([...calls, finished(3)], [late]);
  expect(log.map(({ event, seenBy, blocked }) => [event, seenBy, blocked])).toEqual([
    ['PreToolUse', 'stream', true],
    ['SessionEnd', 'recorder', false],
  ]);
  // Without a payload, the last call of that tool must have been meant.
  expect(log[0]?.action).toMatchObject({ callId: 't2' });
});

it('does not join runs that differ', () => {
  for (const over of [
    { exitCode: 0 },
    { stdout: 'x' },
    { stderr: 'x' },
    { payload: { tool_name: 'Edit' } },
    { event: 'Stop' },
  ]) {
    expect(hookLog([finished(3)], [recording(290, over)]), JSON.stringify(over)).toHaveLength(2);
  }
});

it('gives each recording to one run only', () => {
  const log = hookLog([finished(3), finished(4)], [recording(290), recording(390)]);
  expect(log.map(({ seenBy }) => seenBy)).toEqual(['both', 'both']);
  expect(hookLog([finished(3), finished(4)], [recording(290)]).map(({ seenBy }) => seenBy)).toEqual(['both', 'stream']);
});
