import { setTimeout as sleep } from 'node:timers/promises';
import type { Conversation, Turn } from '@understudy/stage';
import { afterEach, expect, it } from 'vitest';
import { Conversations } from './conversations.js';
import { HeldConversation } from './held-conversation.js';
import { defaultLimits } from './limits.js';

const open: Conversations[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close('the test is over');
});

function conversations(limits: Partial<typeof defaultLimits> = {}): Conversations {
  const made = new Conversations({ ...defaultLimits, ...limits });
  open.push(made);
  return made;
}

/** A conversation whose turns take this long (or until then), and whose end fails with this message. */
function held(id: string, turn: number | Promise<void> = 0, endFails?: string): HeldConversation {
  const conversation = {
    events: [],
    send: async (text: string) => {
      await (typeof turn === 'number' ? sleep(turn) : turn);
      return { text, outcome: 'completed' } as unknown as Turn;
    },
    end: async () => {
      if (endFails !== undefined) throw new Error(endFails);
    },
    cancel: async () => {},
  };
  const facts = { id, agent: 'claude', stage: 'sim', project: '/', plugins: [], artifacts: '/' };
  return new HeldConversation(facts, conversation as unknown as Conversation);
}

it('starts no more than it may, and says which could be ended', async () => {
  const table = conversations({ conversations: 2 });
  await table.add(async () => held('one'));
  await Promise.allSettled([table.add(async () => held('two')), table.add(async () => held('three'))]);
  expect(table.living.map(({ id }) => id)).toEqual(['one', 'two']);
  await expect(table.add(async () => held('four'))).rejects.toThrow(/2 conversations run already/);
  await table.find('one').end('enough');
  await table.add(async () => held('four'));
  expect(table.living).toHaveLength(2);
});

it('a start that fails gives its place back', async () => {
  const table = conversations({ conversations: 1 });
  await expect(table.add(() => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck');
  await table.add(async () => held('one'));
  expect(table.living).toHaveLength(1);
});

it('ends those that nobody uses, but none that works', async () => {
  const table = conversations({ idleMs: 60 });
  await table.add(async () => held('idle'));
  let finish = () => {};
  const work = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const busy = await table.add(async () => held('busy', work));
  const reply = busy.send('go');
  await expect.poll(() => table.find('idle').ended).toMatch(/it was idle/);
  expect(busy.ended).toBeUndefined();
  finish();
  await reply.settled;
  expect(reply.status).toBe('done');
});

it('an idle conversation that cannot be ended in order hurts nobody else, and says so', async () => {
  const table = conversations({ idleMs: 60 });
  await table.add(async () => held('broken', 0, 'the disk is full'));
  await table.add(async () => held('fine'));
  // A rejection that nobody handles would fail this test run.
  await expect.poll(() => table.find('broken').ended).toMatch(/it was idle .*the disk is full/);
  await expect.poll(() => table.find('fine').ended).toMatch(/it was idle/);
});

it('ends all of them, also when one cannot be ended in order', async () => {
  const table = conversations();
  await table.add(async () => held('broken', 0, 'the disk is full'));
  const slow = await table.add(async () => held('slow', 100));
  const reply = slow.send('go');
  await expect(table.endAll('enough')).rejects.toThrow('the disk is full');
  expect(slow.ended).toBe('enough');
  expect(reply.status, 'the error comes when all have ended').toBe('done');
});

it('ends one that was still starting when everything was closed', async () => {
  const table = conversations();
  const late = held('late');
  const starting = table.add(async () => {
    await sleep(50);
    return late;
  });
  await table.close('the client left');
  await starting;
  expect(late.ended).toBe('the client left');
});

it('takes one thing at a time, and nothing after the end', async () => {
  const one = held('one', 50);
  const reply = one.send('first');
  expect(() => one.send('second')).toThrow(/still busy/);
  expect(await reply.within(5)).toBe(false);
  expect(await reply.within(1000)).toBe(true);
  await one.end('enough');
  expect(() => one.send('third')).toThrow(/has ended: enough/);
});

it('keeps only so many that have ended', async () => {
  const table = conversations({ kept: 2 });
  for (const id of ['a', 'b', 'c', 'd']) await (await table.add(async () => held(id))).end('over');
  await table.add(async () => held('e'));
  expect(table.all.map(({ id }) => id)).toEqual(['c', 'd', 'e']);
});
