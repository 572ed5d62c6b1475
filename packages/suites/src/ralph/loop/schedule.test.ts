import { expect, it } from 'vitest';
import { parseConfig } from './config.js';
import { nextBatch } from './schedule.js';

const { hats } = parseConfig('hats: { a: { triggers: [a.*] }, b: { triggers: [b.*] } }');
const event = (topic: string) => ({ topic, payload: '', ts: '' });

it('lets the oldest event decide, and takes along what is for the same hat', () => {
  const batch = nextBatch(['b.1', 'a.1', 'b.2', 'x'].map(event), hats);
  expect(batch.hat?.id).toBe('b');
  expect(batch.events.map(({ topic }) => topic)).toEqual(['b.1', 'b.2']);
  expect(batch.rest.map(({ topic }) => topic)).toEqual(['a.1', 'x']);
});

it('gives orphans to the coordinator, all together', () => {
  const batch = nextBatch(['x', 'a.1', 'y'].map(event), hats);
  expect(batch.hat).toBeUndefined();
  expect(batch.events.map(({ topic }) => topic)).toEqual(['x', 'y']);
});
