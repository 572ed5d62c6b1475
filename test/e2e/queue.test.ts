import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../src/process/scratch.js';
import type { RunResult } from '../../src/results/run-result.js';
import { writePlugin } from '../helpers/plugin-fixtures.js';
import { PASSWORD, startPostgres, type TestPostgres } from '../helpers/postgres.js';
import { askDatabase, linesOf, writeCountedRehearsals } from '../helpers/queue-run.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { type RunningUnderstudy, startUnderstudy } from '../helpers/running-understudy.js';
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
    'tests/a.rehearsal.toml': `plugins = ["../../greeter"]
project = { path = "../site" }
[[responses]]
pattern = { type = "command", name = "greet" }
response = { text = "Hello.", tool_calls = [{ tool = "Bash", input = { command = "./say.sh" } }] }
[[steps]]
send = "/greet the world"
expect.tools = { all = ["Bash"] }
`,
    'tests/b.rehearsal.toml': `[[responses]]
pattern = { type = "any" }
response = "Hello."
[[steps]]
send = "hello"
expect.says = "Goodbye"
`,
    'site/say.sh': '#!/bin/sh\necho said\n',
  });
  chmodSync(join(cwd, 'site/say.sh'), 0o755);
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
