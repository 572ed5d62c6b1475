import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch, UnderstudyError } from '@understudy/kit';
import { combineReporters, describeEntry, type EntryResult, runResultSchema } from '@understudy/verdict';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TestPlay, testCheck, testEntry, testPlayers } from '../../../../test/helpers/test-entry.js';
import { untilHolds } from '../../../../test/helpers/until-holds.js';
import { CallBudget } from './call-budget.js';
import type { Entry, Played } from './entry.js';
import { scratchFolders } from './folders.js';
import { rateWithout } from './rate.js';
import { type RunOptions, runEntries } from './run-entries.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('run-entries');
});
afterEach(() => scratch.remove());

async function run(entries: Entry[], more: Partial<RunOptions> = {}) {
  const result = await runEntries(entries, {
    run: { command: 'run', understudy_version: '1' },
    players: testPlayers,
    openFolder: scratchFolders(join(scratch.path, 'kept')),
    reporter: combineReporters([]),
    signal: new AbortController().signal,
    ...more,
  });
  return runResultSchema.parse(result);
}
const statuses = async (...args: Parameters<typeof run>) => (await run(...args)).entries.map(({ status }) => status);

it('takes the status of an entry from its checks and steps', async () => {
  const step = { number: 1, send: 'x', reached: true, said: '', checks: [testCheck('passed')], duration_ms: 1 };
  const plays: [string, Played][] = [
    ['passed', { steps: [step], checks: [] }],
    ['failed', { steps: [step], checks: [testCheck('failed'), testCheck('unjudged')] }],
    ['unjudged', { steps: [{ ...step, checks: [testCheck('unjudged')] }], checks: [testCheck('passed')] }],
    ['failed', { steps: [step, { ...step, reached: false, checks: [] }], checks: [] }],
    ['unjudged', { steps: [], checks: [] }],
  ];
  const entries = plays.map(([, played]) => testEntry('a', { play: async () => played }));
  expect(await statuses(entries)).toEqual(plays.map(([status]) => status));
});

it('is content with an expected failure, and with nothing else', async () => {
  const entryOf = (status: 'passed' | 'failed' | 'unjudged', more: Partial<Entry> & TestPlay = {}) =>
    testEntry(status, {
      expectedFailure: { reason: 'issue 7', passesNow: { ...testCheck('failed'), name: 'expected failure' } },
      play: async () => ({ steps: [], checks: [testCheck(status)] }),
      ...more,
    });
  const expected = await run([entryOf('failed', { stage: 'live' })], { retries: 2 });
  expect(expected).toMatchObject({
    ...{ passed: true, exit_code: 0, verdict: '0 of 1 rehearsals ran and passed; 1 failed as expected' },
    counts: { passed: 0, failed: 0, expected_failures: 1 },
    entries: [{ status: 'expected_failure', reason: 'issue 7', attempts: 1 }],
  });
  const others = await run([
    entryOf('passed'),
    entryOf('unjudged'),
    entryOf('failed', { play: () => Promise.reject(new Error('broken')) }),
    entryOf('failed', { skip: 'not here' }),
  ]);
  expect(others.entries.map(({ status }) => status)).toEqual(['failed', 'unjudged', 'error', 'skipped']);
  expect(others.entries[0]?.checks.map(({ name }) => name)).toEqual(['a check', 'expected failure']);
  expect(others.exit_code).toBe(2);
});

it.each([
  [undefined, ['slow 1', 'slow 2', 'quick']],
  [1, ['slow 1', 'quick', 'slow 2']],
])('runs what mostly waits beside the others, unless it was told a number of workers: %s', async (workers, ended) => {
  const order: string[] = [];
  let release = () => {};
  const quickHasStarted = new Promise<void>((resolve) => {
    release = resolve;
  });
  const entry = (name: string, waits?: true) =>
    testEntry(name, {
      ...(waits && { waits }),
      play: async () => {
        if (name === 'quick') release();
        // With one worker, the quick one could not start before the slow one has ended.
        if (workers === undefined && name !== 'quick') await quickHasStarted;
        if (workers === undefined && name === 'quick') await untilHolds(() => order.length === 2, 'both have ended');
        order.push(name);
        return { steps: [], checks: [testCheck('passed')] };
      },
    });
  await run([entry('slow 1', true), entry('quick'), entry('slow 2', true)], { workers });
  expect(order).toEqual(ended);
});

it('runs what mostly waits side by side where there is nothing else', async () => {
  let playing = 0;
  const entry = (name: string) =>
    testEntry(name, {
      waits: true,
      play: async () => {
        playing++;
        await untilHolds(() => playing === 2, 'both are played at the same time');
        return { steps: [], checks: [testCheck('passed')] };
      },
    });
  expect(await statuses([entry('one'), entry('two')])).toEqual(['passed', 'passed']);
});

it('lets a player go of a file after the last try of its last entry', async () => {
  const seen: string[] = [];
  const entries = ['held', 'held', 'other'].map((file) => testEntry(file, { file, stage: 'live', player: 'noted' }));
  const noted = {
    play: async ({ file }: Entry) => {
      seen.push(`${file} played`);
      return { steps: [], checks: [testCheck(file === 'held' ? 'failed' : 'passed')] };
    },
    release: (file: string) => seen.push(`${file} released`),
  };
  await run(entries, { retries: 1, workers: 1, players: { noted } });
  const tries = Array.from({ length: 4 }, () => 'held played');
  expect(seen).toEqual([...tries, 'held released', 'other played', 'other released']);
});

it('does not play what no player is there for, and says so', async () => {
  const { entries } = await run([testEntry('a', { player: 'nobody' })]);
  expect(entries).toMatchObject([{ status: 'error', error: { message: expect.stringContaining('nobody') } }]);
});

it('skips what says so itself, and what its player cannot play here', async () => {
  const entries = [testEntry('a', { skip: 'not there' }), testEntry('b', { skipReason: async () => 'not here' })];
  const { entries: results } = await run([...entries, testEntry('c')]);
  expect(results.map(({ status, reason }) => [status, reason])).toEqual([
    ['skipped', 'not there'],
    ['skipped', 'not here'],
    ['passed', undefined],
  ]);
});

it('goes on after an error of the harness, and tells its code and fix', async () => {
  const error = new UnderstudyError('AGENT_NOT_FOUND', 'there is no agent', { fix: 'fetch it' });
  const broken = testEntry('broken', { play: () => Promise.reject(error) });
  const odd = testEntry('odd', { skipReason: () => Promise.reject(new TypeError('oops')) });
  const { entries, exit_code } = await run([broken, odd, testEntry('fine')]);
  expect(entries).toMatchObject([
    { status: 'error', error: { code: 'AGENT_NOT_FOUND', message: 'there is no agent', fix: 'fetch it' } },
    { status: 'error', error: { code: 'INTERNAL', message: expect.stringContaining('oops') } },
    { status: 'passed' },
  ]);
  expect(exit_code).toBe(2);
});

it('keeps the folder of what failed, and only that', async () => {
  const failing = testEntry('bad', { play: async () => ({ steps: [], checks: [testCheck('failed')] }) });
  const { entries } = await run([failing, testEntry('good')]);
  expect(entries.map(({ artifacts }) => artifacts !== undefined && existsSync(artifacts))).toEqual([true, false]);
  const kept = await run([testEntry('good')], { keepWorkspace: true });
  expect(kept.entries[0]?.artifacts).toBe(join(scratch.path, 'kept', 'good'));
});

it('starts nothing more after --max-failures, and says so', async () => {
  const failing = testEntry('bad', { play: async () => ({ steps: [], checks: [testCheck('failed')] }) });
  const result = await run([failing, testEntry('later')], { maxFailures: 1, workers: 1 });
  expect(result.entries).toMatchObject([
    { status: 'failed' },
    { status: 'skipped', reason: expect.stringContaining('1') },
  ]);
  expect(result.exit_code).toBe(1);
});

it('tries a failed entry again on the live stage only, and marks it as flaky', async () => {
  let tries = 0;
  const play = async () => ({ steps: [], checks: [testCheck(++tries % 2 === 1 ? 'failed' : 'passed')] });
  expect((await run([testEntry('a', { stage: 'live', play })], { retries: 2 })).entries).toMatchObject([
    { status: 'flaky', attempts: 2 },
  ]);
  expect(await statuses([testEntry('a', { stage: 'scripted', play })], { retries: 2 })).toEqual(['failed']);
});

it('marks what an interruption kept from ending, or from starting', async () => {
  const interruption = new AbortController();
  const cut = testEntry('cut', {
    play: async () => {
      interruption.abort();
      return { steps: [], checks: [testCheck('failed')] };
    },
  });
  const result = await run([cut, testEntry('later')], { signal: interruption.signal, workers: 1 });
  expect(result.entries.map(({ status }) => status)).toEqual(['interrupted', 'interrupted']);
  expect(result).toMatchObject({ exit_code: 130, passed: false });
});

it('concludes each entry before it is reported', async () => {
  const failing = testEntry('a', { play: async () => ({ steps: [], checks: [testCheck('failed')] }) });
  const reported: unknown[] = [];
  const end = (_: unknown, { diagnosis }: EntryResult) => reported.push(diagnosis?.failure_type);
  await run([failing], { reporter: { ...combineReporters([]), end } });
  expect(reported).toEqual([expect.any(String)]);
});

it('loses no result because a folder can be neither kept nor removed', async () => {
  const full = () => Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write', path: '/x' });
  const folder = { path: scratch.path, keep: () => fail(full()), remove: () => Promise.reject(full()) };
  const warnings: string[] = [];
  const options = {
    openFolder: () => folder,
    keepWorkspace: true,
    onWarning: ({ code }: UnderstudyError) => warnings.push(code),
  };
  expect(await statuses([testEntry('good')], options)).toEqual(['passed']);
  expect(warnings).toEqual(['DISK_FULL', 'DISK_FULL']);
});

it('tells what the system refused, with a code and a fix', async () => {
  const error = Object.assign(new Error('EMFILE'), { code: 'EMFILE', syscall: 'open', path: '/x' });
  const { entries } = await run([testEntry('a', { play: () => Promise.reject(error) })]);
  expect(entries).toMatchObject([{ error: { code: 'TOO_MANY_OPEN_FILES', fix: expect.stringContaining('ulimit') } }]);
});

function fail(error: Error): never {
  throw error;
}

/** An entry on a real model that passes in these plays; each is one call. */
const onModel = (name: string, passes: boolean[], more: Partial<Entry> & TestPlay = {}) => {
  let plays = 0;
  return testEntry(name, {
    ...{ stage: 'live', mayMiss: true, calls: { expected: 1, most: 2 } },
    play: async () => ({
      ...{ steps: [], checks: [testCheck(passes[plays++] === true ? 'passed' : 'failed')] },
      usage: { calls: 1, cost_usd: 0.01 },
    }),
    ...more,
  });
};

it('plays an entry on live as often as it is told, and gives the rate with its interval', async () => {
  const four = [true, false, true, true, true];
  const { entries } = await run([onModel('a', four), onModel('b', four, { mayMiss: false })], { runs: 5 });
  expect(entries).toMatchObject([
    { status: 'passed', attempts: 5, rate: { passed: 4, runs: 5, threshold: 0.8 }, usage: { calls: 5 } },
    // What a model cannot miss must pass every time.
    { status: 'failed', rate: { passed: 4, runs: 5, threshold: 1 } },
  ]);
  expect(entries[0]?.rate?.low).toBeCloseTo(0.376, 2);
  expect(await statuses([onModel('a', four)], { runs: 5, threshold: 0.9 })).toEqual(['failed']);
  // Even one green run says how little it says.
  expect((await run([onModel('a', [true])])).entries[0]).toMatchObject({ rate: { passed: 1, runs: 1 } });
  expect((await run([onModel('a', [true], { stage: 'sim' })], { runs: 3 })).entries[0]?.attempts).toBe(1);
});

it('gives the rate without the thing under test beside the other, over all runs', async () => {
  let plays = 0;
  const play = async () => ({
    ...{ steps: [], checks: [testCheck('passed')] },
    without: rateWithout('the plugin', plays++ === 0 ? 1 : 0, 1),
  });
  const { entries } = await run([testEntry('a', { stage: 'live', mayMiss: true, play })], { runs: 4 });
  expect(entries[0]).toMatchObject({
    rate: { passed: 4, runs: 4 },
    without: { what: 'the plugin', passed: 1, runs: 4, low: expect.closeTo(0.046, 2), high: expect.closeTo(0.699, 2) },
  });
  const [told = ''] = entries.map(describeEntry);
  expect(told).toContain('without the plugin 1 of 4 (25 %, 95 % interval 5 to 70 %)');
});

it('leaves what a limit does not reach unjudged, and the run is not green', async () => {
  const all = () => ['a', 'b', 'c'].map((name) => onModel(name, [true]));
  const { entries, exit_code } = await run(all(), { budget: new CallBudget({ maxCalls: 3 }), workers: 1 });
  expect(entries.map(({ status }) => status)).toEqual(['passed', 'passed', 'unjudged']);
  expect(entries[2]?.reason).toContain('--max-calls 3 could be passed (2 made, up to 2 more)');
  expect(exit_code).toBe(1);
  // The cost of one is known when it has ended, so they run one by one.
  const cost = await run(all(), { budget: new CallBudget({ maxCostUsd: 0.015 }), workers: 3 });
  expect(cost.entries.map(({ status }) => status)).toEqual(['passed', 'unjudged', 'unjudged']);
  // In the middle of its runs, an entry is not judged either.
  const half = await run([onModel('a', [true, true, true])], { runs: 3, budget: new CallBudget({ maxCalls: 3 }) });
  expect(half.entries[0]).toMatchObject({ status: 'unjudged', rate: { passed: 2, runs: 2 }, usage: { calls: 2 } });
});
