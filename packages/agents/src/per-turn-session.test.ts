import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agents } from './agents.js';
import { defaultDeadlines } from './driver.js';
import type { EventBody } from './events.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('per-turn');
});
afterEach(() => scratch.remove());

async function start(command: string[], events: EventBody[]) {
  const kiro = await agents.kiro.driver();
  return kiro.start({
    found: { agent: 'kiro', command },
    stage: 'sim',
    model: { kind: 'scenario', file: join(scratch.path, 'scenario.json') },
    cwd: scratch.path,
    home: scratch.path,
    emit: (event) => events.push(event),
    permissions: () => ({ behavior: 'allow' }),
    deadlines: defaultDeadlines,
  });
}

it('a CLI that cannot start ends the turn, and the next send is not told that the agent is busy', async () => {
  const events: EventBody[] = [];
  const session = await start([join(scratch.path, 'missing')], events);
  for (const prompt of ['one', 'two']) {
    await expect(session.send(prompt)).rejects.toMatchObject({ code: 'PROCESS_NOT_STARTED' });
  }
  expect(events.map(({ type }) => type)).toEqual(['session', 'prompt', 'turn_ended', 'prompt', 'turn_ended']);
  expect(events[2]).toMatchObject({ outcome: 'died', message: expect.stringContaining('cannot start') });
  await session.end();
});

it('a CLI that we end in the middle of a turn has died, whatever it said before', async () => {
  const events: EventBody[] = [];
  const session = await start(['/bin/sh', '-c', 'echo "a fine answer"; sleep 300'], events);
  const turn = session.send('one');
  while (session.pid === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
  await session.end();
  expect(await turn).toMatchObject({ outcome: 'died', message: expect.stringContaining('end of the conversation') });
});

it('a turn that takes too long names what the CLI waits for, and not the CLI itself', async () => {
  const session = await start(['/bin/sh', '-c', '(setsid sleep 301 &); sleep 302'], []);
  const ended = await session.send('one', { deadlineMs: 400 });
  expect(ended).toMatchObject({ outcome: 'timed_out', message: expect.stringMatching(/still running: `sleep 30/) });
  expect(ended.message).toMatch(/`sleep 301`/);
  expect(ended.message).not.toContain('setsid');
  await session.end();
});
