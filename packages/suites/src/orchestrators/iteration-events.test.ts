import { defined } from '@understudy/kit';
import { expect, it } from 'vitest';
import type { LoopEvent } from '../ralph/loop/events.js';
import { eventFacts, readLoopConfig } from './iteration-events.js';
import type { IterationFacts } from './observation.js';

const HATS =
  'hats:\n  watcher: {triggers: ["build.*"]}\n  builder: {triggers: [build.task]}\n  auditor: {triggers: [audit.start]}\n';

const facts = (iteration: number, parts: Partial<IterationFacts> = {}): IterationFacts => ({
  ...{ iteration, hat: 'ralph', backend: 'claude', command: [] },
  ...parts,
});
const event = (topic: string, target?: string): LoopEvent => ({
  ...{ topic, payload: '', ts: 't' },
  ...defined({ target }),
});

/** What the last of these iterations was given. */
function given(iterations: IterationFacts[], events: LoopEvent[] = [], config = HATS) {
  const last = iterations.at(-1);
  if (last === undefined) throw new Error('there is no iteration');
  return eventFacts(last, { iterations, events }, readLoopConfig(config)).events_given;
}

it('tells which hat an event belongs to: the specific trigger before the wildcard, orphans to the coordinator', () => {
  const prompt = 'Handle these:\nEvent: build.task - the lexer\nEvent: build.started\nEvent: nobody.listens';
  expect(given([facts(1, { prompt })])).toEqual([
    { topic: 'build.task', hat: 'builder' },
    { topic: 'build.started', hat: 'watcher' },
    { topic: 'nobody.listens', hat: 'ralph' },
  ]);
});

it('follows the target of an event, as the agent before wrote it or as it was published', () => {
  const prompt = 'Event: build.task';
  const writer = facts(1, { output: '<event topic="build.task" target="auditor">by name</event>' });
  expect(given([writer, facts(2, { prompt })])).toEqual([{ topic: 'build.task', hat: 'auditor' }]);
  expect(given([facts(1, { prompt })], [event('build.task', 'auditor')])).toEqual([
    { topic: 'build.task', hat: 'auditor' },
  ]);
});

it('says nothing about hats where the configuration cannot be read', () => {
  expect(given([facts(1, { prompt: 'Event: build.task' })], [], 'hats: [')).toEqual([]);
});

it('lists complete events, and knows the promise as the last line outside of them', () => {
  const of = (output: string, config = '') => {
    const { events_written, promised } = eventFacts(
      facts(1, { output }),
      { iterations: [], events: [] },
      readLoopConfig(config),
    );
    return [events_written, promised];
  };
  expect(of('<event topic="a">x</event> <event topic="b">never closed')).toEqual([['a'], false]);
  expect(of('Done.\nLOOP_COMPLETE\n<event topic="a"></event>')).toEqual([['a'], true]);
  expect(of('I say LOOP_COMPLETE soon.')).toEqual([[], false]);
  expect(of('ALL_DONE', 'event_loop: { completion_promise: ALL_DONE }')).toEqual([[], true]);
});
