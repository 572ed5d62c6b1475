import type { ConversationEvent, EventBody } from '@understudy/agents';
import { expect, it } from 'vitest';
import { failedRehearsal } from '../../../../../test/helpers/sample-runs.js';
import { momentAt } from './moment.js';
import type { PageDetails } from './page-data.js';
import { timelineOf } from './timeline.js';

let seq = 0;
const event = (turn: number, body: EventBody): ConversationEvent => ({
  ...{ seq: seq++, at: new Date(1_000_000 + seq * 100).toISOString(), turn },
  ...body,
});
const step = (number: number, to: string) => ({
  ...{ number, send: `step ${number}`, reached: true, said: '', checks: [], duration_ms: 1 },
  workflow: [{ from: 'idle', to }],
});

const details: PageDetails = {
  entry: failedRehearsal('x', { steps: [step(1, 'exploring'), step(2, 'planning')] }),
  requests: [],
  project: { files: [{ path: 'a.py', text: 'old' }, { path: 'b.py', text: 'b' }, { path: 'big.bin' }], more: 2 },
  events: [
    event(0, { type: 'session', agent: 'claude', version: '1', stage: 'sim', cwd: '/x' }),
    event(1, { type: 'prompt', id: '1', text: 'one' }),
    event(1, { type: 'file_changed', path: 'a.py', change: 'modified', before: 'old', after: 'new' }),
    event(1, { type: 'file_changed', path: 'new.py', change: 'created', after: 'fresh' }),
    event(2, { type: 'prompt', id: '2', text: 'two' }),
    event(2, {
      type: 'screen',
      text: 'a screen',
      columns: 80,
      rows: 24,
      cursor: { row: 1, column: 1 },
      marks: [],
    } as never),
    event(2, { type: 'file_changed', path: 'new.py', change: 'deleted', before: 'fresh' }),
    event(2, { type: 'file_changed', path: 'b.py', change: 'deleted', before: 'b' }),
  ],
};
const turns = timelineOf(details);
const items = turns.flatMap((turn) => turn.items.map(({ title }) => title));
const at = (title: string) => momentAt(details, turns, items.indexOf(title));

it('shows the project, the stage and the screen as they were', () => {
  const start = at('one');
  expect(start.files.map(({ path }) => path)).toEqual(['a.py', 'b.py', 'big.bin']);
  expect([start.deleted, start.more, start.screen]).toEqual([[], 2, undefined]);
  const middle = at('two');
  expect(middle.files).toEqual([
    { path: 'a.py', text: 'new', change: 'modified' },
    { path: 'b.py', text: 'b' },
    { path: 'big.bin' },
    { path: 'new.py', text: 'fresh', change: 'created' },
  ]);
  const end = at('b.py deleted');
  expect(end).toMatchObject({ deleted: ['b.py'], screen: 'a screen', stage: 'planning' });
  expect(end.files.map(({ path }) => path)).toEqual(['a.py', 'big.bin']);
  expect(at('one').stage).toBe('exploring');
  expect(momentAt(details, turns, 0).stage).toBe('idle');
});

it('knows what was changed when nobody kept the project', () => {
  const { project: _, ...without } = details;
  const { files, deleted } = momentAt(without, turns, items.length - 1);
  expect([files, deleted]).toEqual([[{ path: 'a.py', text: 'new', change: 'modified' }], ['b.py']]);
});
