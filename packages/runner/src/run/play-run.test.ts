import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch } from '@understudy/kit';
import { atEnd, type RunResult } from '@understudy/verdict';
import { expect, it, onTestFinished } from 'vitest';
import { testCheck, testEntry, testPlayers } from '../../../../test/helpers/test-entry.js';
import { scratchFolders } from './folders.js';
import { RUN_FOLDER } from './last-run.js';
import { type PlayRunOptions, playRun } from './play-run.js';

function options(more: Partial<PlayRunOptions> = {}): PlayRunOptions {
  const scratch = createScratch('play-run');
  onTestFinished(() => scratch.remove());
  return {
    ...{ run: { command: 'run', understudy_version: '1' }, players: testPlayers },
    ...{ openFolder: scratchFolders(join(scratch.path, 'kept')), signal: new AbortController().signal },
    ...more,
  };
}

it('reports and gives what the analysis made of the concluded run, and stores nothing unless it is told to', async () => {
  const had = existsSync(RUN_FOLDER);
  const failing = testEntry('a', { play: async () => ({ steps: [], checks: [testCheck('failed')] }) });
  const reported: RunResult[] = [];
  const seen: unknown[] = [];
  const run = await playRun(
    { entries: [failing] },
    options({
      reporter: () => atEnd((result) => reported.push(result)),
      analyze: async (concluded) => {
        seen.push(concluded.recommendations);
        return { ...concluded, analysis: { status: 'skipped', detail: 'nobody is there', problems: [] } };
      },
    }),
  );
  expect(run).toMatchObject({ verdict: '1 failed', exit_code: 1, analysis: { detail: 'nobody is there' } });
  expect(seen).toEqual([[expect.anything()]]);
  expect(reported).toEqual([run]);
  expect(existsSync(RUN_FOLDER)).toBe(had);
});

it('says what it will call before it does, but for what is skipped', async () => {
  const heard: string[] = [];
  const entry = (name: string, skip?: string) =>
    testEntry(name, {
      ...{ stage: 'live', calls: { expected: 1, most: 2 }, ...(skip && { skip }) },
      play: async () => {
        heard.push('played');
        return { steps: [], checks: [testCheck('passed')] };
      },
    });
  const entries = [entry('a'), entry('b', 'not there')];
  await playRun({ entries }, options({ limits: { maxCalls: 9 }, onNote: (text) => heard.push(text) }));
  expect(heard).toEqual([expect.stringMatching(/^live: 1 to 2 calls .*at most 9 calls/), 'played']);
});

it('is content with a shard that has nothing to do, and not with a run of nothing', async () => {
  const shard = { index: 2, count: 2, cut: 'x', places: [] };
  expect(await playRun({ entries: [], shard }, options())).toMatchObject({ exit_code: 0, shard });
  expect(await playRun({ entries: [] }, options())).toMatchObject({ exit_code: 2 });
});
