import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { baseOf } from '../../packages/runner/src/run/entry.js';
import { makeBundle } from '../../packages/runner/src/travel/bundle.js';
import { Database } from '../../packages/suites/src/queue/database.js';
import { Jobs } from '../../packages/suites/src/queue/jobs.js';
import { cancelRun, finishEntry, sweepLeases, takeEntries } from '../../packages/suites/src/queue/leases.js';
import { migrate } from '../../packages/suites/src/queue/migrations.js';
import { allQueues, liveQueue, queueOf } from '../../packages/suites/src/queue/queue-names.js';
import { endRunIfComplete, findRun, readQueuedRun } from '../../packages/suites/src/queue/queued-run.js';
import { type Submission, submitRun } from '../../packages/suites/src/queue/submit.js';
import { Worker } from '../../packages/suites/src/queue/worker.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { writePlugin } from '../helpers/plugin-fixtures.js';
import { PASSWORD, startPostgres, type TestPostgres } from '../helpers/postgres.js';
import { askDatabase, linesOf, writeCountedRehearsals } from '../helpers/queue-run.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { type RunningUnderstudy, startUnderstudy } from '../helpers/running-understudy.js';
import { testEntry } from '../helpers/test-entry.js';
import { runUnderstudy } from '../helpers/understudy.js';
import { untilHolds } from '../helpers/until-holds.js';

const postgres = await startPostgres();
const server = postgres as TestPostgres;
afterAll(() => postgres?.remove());

let scratch: Scratch;
let started: RunningUnderstudy[];
beforeEach(() => {
  scratch = createScratch('queue');
  mkdirSync(join(scratch.path, 'work'));
  started = [];
});
afterEach(async () => {
  for (const running of started) running.signal('SIGKILL');
  await Promise.all(started.map(({ exited }) => exited));
  await scratch.remove();
});

function start(args: readonly string[], cwd = join(scratch.path, 'work')): RunningUnderstudy {
  const running = startUnderstudy(args, { cwd, env: { UNDERSTUDY_QUEUE: server.url } });
  started.push(running);
  return running;
}

it.runIf(postgres)('says what is wrong with the database, and never the password', async () => {
  writeCountedRehearsals(join(scratch.path, 'work'), ['a'], () => 'true');
  await askDatabase(server.url, 'CREATE DATABASE newer');
  await askDatabase(
    server.urlWith({ database: 'newer' }),
    'CREATE SCHEMA understudy; CREATE TABLE understudy.schema_version AS SELECT 999 AS version',
  );
  const wrong: [string, RegExp][] = [
    ['not an address', /BAD_FLAG: the value of --queue is no address/],
    [server.urlWith({ password: `${PASSWORD}-not` }), /QUEUE_REFUSED: .*refuses the user or the password/],
    [server.urlWith({ database: 'none' }), /QUEUE_REFUSED: .*has no such database/],
    [
      server.urlWith({ port: 1 }),
      /QUEUE_UNREACHABLE: postgres:\/\/understudy@127\.0\.0\.1:1\/postgres does not answer/,
    ],
    [server.urlWith({ database: 'newer' }), /QUEUE_SCHEMA_NEWER: .* have version 999/],
  ];
  const runs = wrong.map(([url]) => runUnderstudy(['run', '--queue', url], { cwd: join(scratch.path, 'work') }));
  for (const [index, { code, stdout, stderr }] of (await Promise.all(runs)).entries()) {
    expect([code, stderr]).toEqual([2, expect.stringMatching(wrong[index]?.[1] ?? '')]);
    expect(stderr).toContain('fix: ');
    expect(stdout + stderr).not.toContain(PASSWORD);
  }
});

it.runIf(postgres)('plays a run elsewhere as it is played here, and keeps its history', async () => {
  const cwd = join(scratch.path, 'work');
  writePlugin(scratch.path, 'greeter', { 'commands/greet.md': 'Say hello to $ARGUMENTS.' });
  writeFiles(cwd, {
    'checks/house.mjs': `import { defineCheck } from 'agent-understudy';
import { judge } from './judge.mjs';
export default defineCheck({ fields: { lit: { description: 'x', expects: 'boolean', judge } } });
`,
    'checks/judge.mjs': "export const judge = () => ({ passed: true, expected: 'light', seen: 'light' });\n",
    'tests/a.rehearsal.toml': `plugins = ["../../greeter"]
checks = { house = "../checks/house.mjs" }
project = { path = "../site" }
[[responses]]
pattern = { type = "command", name = "greet" }
response = { text = "Hello.", tool_calls = [{ tool = "Bash", input = { command = "./say.sh" } }] }
[[steps]]
send = "/greet the world"
expect.tools = { all = ["Bash"] }
expect.house.lit = true
`,
    'site/say.sh': '#!/bin/sh\necho said\n',
    'tests/__snapshots__/b.claude.step-1.txt': 'another answer\n',
    'tests/b.rehearsal.toml': `[[responses]]
pattern = { type = "any" }
response = "Hello."
[[steps]]
send = "hello"
expect.snapshot = true
`,
  });
  chmodSync(join(cwd, 'site/say.sh'), 0o755);
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(process.cwd(), join(cwd, 'node_modules/agent-understudy'));
  const here = await runUnderstudy(['run', 'tests', '--stage', 'sim', '--json', '--output', 'here'], { cwd });
  const put = await runUnderstudy(['run', 'tests', '--stage', 'sim', '--queue', server.url, '--json'], { cwd });
  const { run: id } = JSON.parse(put.stdout) as { run: string };
  // The worker has nothing but the database.
  const worker = start(['worker', '--until-empty'], '/');
  expect(await worker.exited, worker.output()).toBe(0);
  const shown = await runUnderstudy(
    ['report', 'show', '--queue', server.url, '--run', id, '--json', '--output', 'there'],
    { cwd },
  );
  const [one, other] = [here, shown].map(({ stdout }) => JSON.parse(stdout) as RunResult);
  const told = (run: RunResult | undefined) => ({
    ...{ exit_code: run?.exit_code, verdict: run?.verdict, counts: run?.counts },
    entries: run?.entries.map(({ artifacts: _, duration_ms: _ms, steps, diagnosis: _diagnosis, ...entry }) => ({
      ...entry,
      steps: steps.map(({ duration_ms: _step, ...step }) => step),
    })),
  });
  expect(told(other)).toEqual(told(one));
  expect(other?.entries.map(({ status }) => status)).toEqual(['passed', 'failed']);
  for (const { logs } of other?.entries ?? [])
    expect(existsSync(join(cwd, 'there', logs ?? '?', 'events.jsonl'))).toBe(true);
  expect(shown.stdout).not.toContain('understudy-');

  const trends = await runUnderstudy(['report', 'trends', '--queue', server.url], { cwd });
  expect(trends.stdout).toMatch(/✗ .* run 1 of 2/);
  expect((await runUnderstudy(['queue', 'list', '--queue', server.url], { cwd })).stdout).toContain(`${id}  done`);
  const unknown = await runUnderstudy(['report', 'show', '--queue', server.url, '--run', 'nobody'], { cwd });
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('QUEUE_RUN_UNKNOWN')]);
});

it.runIf(postgres)(
  'loses nothing when a worker is killed, another one stopped, and the database restarted',
  async () => {
    const [cwd, log, go] = ['work', 'played', 'go'].map((name) => join(scratch.path, name)) as [string, string, string];
    const names = ['e0', 'e1', 'e2', 'e3'];
    const blocks = (name: string) => ['e0', 'e1'].includes(name);
    writeCountedRehearsals(
      cwd,
      names,
      (name) => `echo ${name} >> ${log}; ${blocks(name) ? `while [ ! -e ${go} ]; do sleep 0.05; done` : 'true'}`,
    );
    const waiter = start(['run', '--stage', 'sim', '--queue', server.url, '--wait', '--json']);
    const worker = ['worker', '--workers', '1', '--lease', '2'];
    const [killed, stopped] = [start(worker), start(worker)];
    await untilHolds(() => linesOf(log).length === 2, 'both workers play an entry');
    killed?.signal('SIGKILL');
    stopped?.signal('SIGSTOP');
    const last = start(['worker', '--workers', '2', '--lease', '2']);
    server.restart();
    const played = (name: string) => linesOf(log).filter((line) => line === name).length;
    await untilHolds(() => played('e0') === 2 && played('e1') === 2, 'the third worker plays what the others had');
    stopped?.signal('SIGCONT');
    await stopped?.says(/(stopped|dropped), because .*lease was over/);
    writeFileSync(go, '');
    expect(await waiter.exited, waiter.output()).toBe(0);
    const result = JSON.parse(waiter.output().slice(waiter.output().indexOf('{'))) as RunResult;
    expect(result.entries.map(({ name, status, attempts }) => [name, status, attempts])).toEqual(
      names.map((name) => [name, 'passed', blocks(name) ? 2 : 1]),
    );
    const id = /run (\S+) in/.exec(waiter.output())?.[1];
    const attempts = await askDatabase<{ id: string; outcome: string }>(
      server.url,
      "SELECT split_part(e.id, '.', 1) AS id, outcome FROM understudy.attempts JOIN understudy.entries e USING (run, place) WHERE run = $1 ORDER BY place, attempt",
      [id],
    );
    // As often as it was played, and no more.
    expect(attempts.map((attempt) => attempt.id)).toEqual(linesOf(log).sort());
    expect(attempts.filter(({ outcome }) => outcome === 'lost').map((attempt) => attempt.id)).toEqual(['e0', 'e1']);
    last.signal('SIGTERM');
    expect(await last.exited).toBe(130);
  },
);

it.runIf(postgres)('plays the others beside a file that cannot be loaded, which is told at once', async () => {
  const cwd = join(scratch.path, 'work');
  writeCountedRehearsals(cwd, ['a'], () => 'true');
  writeFiles(cwd, { 'b.rehearsal.toml': 'steps = [' });
  const put = await runUnderstudy(['run', '--stage', 'sim', '--queue', server.url, '--json'], { cwd });
  expect(put.stderr).toMatch(/warning DOCUMENT_SYNTAX: b\.rehearsal\.toml has a problem/);
  const { run: id } = JSON.parse(put.stdout) as { run: string };
  const worker = start(['worker', '--until-empty'], '/');
  expect(await worker.exited, worker.output()).toBe(0);
  const shown = await runUnderstudy(['report', 'show', '--queue', server.url, '--run', id], { cwd });
  expect(shown.stdout).toMatch(/✓ a claude sim/);
  expect(shown.stdout).toMatch(/b\.rehearsal\.toml:1:\d+ this is not valid TOML/);
  expect(shown.stdout).toContain('1 passed, 1 could not run');
});

it.runIf(postgres)('cancels a run, and gives back what a worker that is asked to end was playing', async () => {
  const [cwd, log] = ['work', 'played'].map((name) => join(scratch.path, name)) as [string, string];
  writeCountedRehearsals(cwd, ['a', 'b'], (name) => `echo ${name} >> ${log}; sleep 60`);
  const waiter = start(['run', '--stage', 'sim', '--queue', server.url, '--wait']);
  const first = start(['worker', '--workers', '1', '--lease', '20']);
  await untilHolds(() => linesOf(log).length === 1, 'an entry is played');
  first.signal('SIGTERM');
  expect(await first.exited).toBe(130);
  expect(first.output()).toContain('given back: a claude sim');
  // At once, not when the lease is over.
  const second = start(['worker', '--workers', '1', '--lease', '3']);
  await untilHolds(() => linesOf(log).length === 2, 'another worker plays an entry');
  waiter.signal('SIGINT');
  expect(await waiter.exited).toBe(130);
  await second.says(/stopped, because its run was cancelled/);
  const states = await askDatabase<{ state: string }>(
    server.url,
    'SELECT DISTINCT state FROM understudy.entries WHERE run = (SELECT max(id) FROM understudy.runs)',
  );
  expect(states).toEqual([{ state: 'cancelled' }]);
  expect(readFileSync(log, 'utf8')).not.toContain('b\nb');
});

it.runIf(postgres)(
  'keeps its rules: the rate of live entries, the version, the limit, entries that kill their workers',
  async () => {
    const database = await Database.open(server.url);
    await migrate(database);
    const jobs = await Jobs.open(database, allQueues(['claude']));
    writeFiles(scratch.path, { 'x.toml': 'x' });
    const bundle = makeBundle([join(scratch.path, 'x.toml')], scratch.path);
    const put = (stage: string, more: Partial<Submission> = {}) =>
      submitRun(database, jobs, {
        entries: ['a', 'b', 'c', 'd'].map((name) => testEntry(name, { stage, parts: [join(scratch.path, 'x.toml')] })),
        ...{ bundle, base: scratch.path, version: '1', options: {}, strict: false, limit: 1000, ...more },
      });
    const lease = { worker: 'test', version: '1', leaseMs: 60_000 };
    const take = (stage: string, more: Partial<typeof lease> = {}) =>
      takeEntries(
        database,
        jobs,
        { queue: queueOf({ agent: 'claude', stage }), count: 3, isLive: stage === 'live' },
        { ...lease, ...more },
      );
    try {
      const live = await put('live', { livePerMinute: 2 });
      expect((await take('live')).map(({ entry }) => entry.name)).toEqual(['a', 'b']);
      expect(await take('live')).toEqual([]);
      await cancelRun(database, jobs, live);

      await expect(put('sim', { limit: 3 })).rejects.toMatchObject({ code: 'QUEUE_FULL' });

      const run = await put('sim');
      await expect(take('sim', { version: '2' })).rejects.toMatchObject({ code: 'QUEUE_OTHER_VERSION' });
      for (const attempt of [1, 2, 3]) {
        const taken = await take('sim', { leaseMs: -1 });
        expect(taken.map((each) => [each.place, each.attempt])).toEqual([0, 1, 2].map((place) => [place, attempt]));
        await sweepLeases(database, jobs);
        const [first] = taken;
        // Who comes late is not heard.
        if (first === undefined) continue;
        const late = { ...baseOf(first.entry), status: 'passed' as const };
        expect(await finishEntry(database, jobs, first, late, new Map(), lease)).toBe('late');
      }
      const [last] = await take('sim');
      if (last === undefined) throw new Error('the last entry was not taken');
      const passed = { ...baseOf(last.entry), status: 'passed' as const };
      expect(await finishEntry(database, jobs, last, passed, new Map(), lease)).toBe('stored');
      // The connection broke after it was stored: it is stored once.
      expect(await finishEntry(database, jobs, last, passed, new Map(), lease)).toBe('stored');
      await endRunIfComplete(database, run);
      const { entries, exit_code } = await readQueuedRun(database, run);
      expect(entries.map(({ status, error, attempts }) => [status, error?.code, attempts])).toEqual([
        ...[0, 1, 2].map(() => ['error', 'QUEUE_ENTRY_LOST', 3]),
        ['passed', undefined, 0],
      ]);
      expect([exit_code, (await findRun(database, run)).state]).toEqual([2, 'done']);
    } finally {
      await jobs.close();
      await database.close();
    }
  },
);

it.runIf(postgres)(
  'a worker plays no more of an agent at once, and starts no more live ones, than it may',
  async () => {
    const database = await Database.open(server.url);
    await migrate(database);
    const agents = ['claude', 'gemini'];
    const jobs = await Jobs.open(database, allQueues(agents));
    writeFiles(scratch.path, { 'x.toml': 'x' });
    const parts = [join(scratch.path, 'x.toml')];
    const bundle = makeBundle(parts, scratch.path);
    const common = { bundle, base: scratch.path, version: '1', options: {}, strict: false, limit: 1000 };
    const entries = (agent: string, stage: string) =>
      ['a', 'b', 'c', 'd'].map((name) => testEntry(`${name}-${agent}-${stage}`, { agent, stage, parts }));
    const now = new Map<string, number>();
    const most = new Map<string, number>();
    const stop = new AbortController();
    let played = 0;
    /** Gemini's are played until two are played at once; the others give another one the time to begin, if it may. */
    const worker = new Worker({
      ...{ database, jobs, lease: { worker: 'test', version: '1', leaseMs: 60_000 }, slots: 4, untilEmpty: true },
      ...{ queues: allQueues(agents), liveQueues: new Set(agents.map(liveQueue)) },
      perAgent: new Map([['claude', 1]]),
      signal: stop.signal,
      async play({ agent, stage, entry }) {
        const key = `${agent} ${stage}`;
        now.set(key, (now.get(key) ?? 0) + 1);
        most.set(key, Math.max(most.get(key) ?? 0, now.get(key) ?? 0));
        if (key === 'gemini scripted') await untilHolds(() => (most.get(key) ?? 0) > 1, 'two of gemini at once');
        else await sleep(150);
        now.set(key, (now.get(key) ?? 0) - 1);
        played += 1;
        return { result: { ...baseOf(entry), status: 'passed' }, logs: new Map() };
      },
    });
    try {
      await submitRun(database, jobs, {
        ...common,
        entries: [...entries('claude', 'scripted'), ...entries('gemini', 'scripted')],
      });
      await worker.run();
      expect(played).toBe(8);
      expect(most.get('claude scripted')).toBe(1);
      expect(most.get('gemini scripted')).toBeGreaterThan(1);

      const live = await submitRun(database, jobs, { ...common, entries: entries('gemini', 'live'), livePerMinute: 2 });
      played = 0;
      const running = worker.run();
      await untilHolds(() => played === 2, 'two live entries are played');
      // It has looked for more several times by now.
      await sleep(1_000);
      expect(played).toBe(2);
      stop.abort();
      await running;
      await cancelRun(database, jobs, live);
    } finally {
      stop.abort();
      await jobs.close();
      await database.close();
    }
    const bad = await runUnderstudy(['worker', '--queue', server.url, '--per-agent', 'claude'], { cwd: scratch.path });
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('--per-agent claude=2') });
  },
);
