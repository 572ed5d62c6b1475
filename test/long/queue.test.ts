import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { tally, triesOf } from '../helpers/attack.js';
import { startPostgres, type TestPostgres } from '../helpers/postgres.js';
import { askDatabase, linesOf, writeCountedRehearsals } from '../helpers/queue-run.js';
import { realAgent } from '../helpers/real-agents.js';
import { type RunningUnderstudy, startUnderstudy } from '../helpers/running-understudy.js';
import { seeded, seedOr } from '../helpers/seeded.js';
import { untilHolds } from '../helpers/until-holds.js';

const TRIES = triesOf(5);
const SEED = seedOr(20_261_115);
const ENTRIES = { sim: 60, scripted: 16 };

const postgres = TRIES > 0 ? await startPostgres() : undefined;
afterAll(() => postgres?.remove());

let scratch: Scratch;
let started: RunningUnderstudy[];
beforeEach(() => {
  scratch = createScratch('queue-long');
  started = [];
});
afterEach(async () => {
  for (const running of started) running.signal('SIGKILL');
  await Promise.all(started.map(({ exited }) => exited));
  await scratch.remove();
});

describe.runIf(postgres)(`a queue with four workers, seed ${SEED}`, () => {
  it.each(['sim', 'scripted'] as const)(
    'loses nothing and plays nothing twice without a mark, on %s',
    { timeout: 1_800_000 },
    async (stage) => {
      if (stage === 'scripted') await realAgent('claude');
      const random = seeded(SEED);
      const failures: string[] = [];
      for (let count = 0; count < TRIES; count++) {
        const problems = await attack(postgres as TestPostgres, stage, join(scratch.path, String(count)), random);
        failures.push(...problems.map((problem) => `try ${count + 1}: ${problem}`));
      }
      tally('a worker killed, one stopped, the database restarted', `queue, ${stage}`, TRIES, failures);
    },
  );
});

/** One run: a worker is killed, one is stopped for longer than its lease, and the database restarts, in any order. */
async function attack(
  server: TestPostgres,
  stage: 'sim' | 'scripted',
  folder: string,
  random: () => number,
): Promise<string[]> {
  mkdirSync(folder);
  const [cwd, log] = [join(folder, 'work'), join(folder, 'played')];
  const names = Array.from({ length: ENTRIES[stage] }, (_, index) => `e${String(index).padStart(2, '0')}`);
  writeCountedRehearsals(cwd, names, (name) => `echo ${name} >> ${log}; sleep ${(random() * 0.4).toFixed(2)}`);
  const env = { UNDERSTUDY_QUEUE: server.url };
  const start = (args: readonly string[]) => {
    const running = startUnderstudy(args, { cwd, env });
    started.push(running);
    return running;
  };
  const waiter = start(['run', '--stage', stage, '--queue', server.url, '--wait', '--json']);
  await waiter.says(/run \S+ in/);
  const worker = ['worker', '--workers', '2', '--lease', '2'];
  const workers = Array.from({ length: 4 }, () => start(worker));
  const [killed, stopped] = workers;
  const moments = [() => killed?.signal('SIGKILL'), () => stopped?.signal('SIGSTOP'), () => server.restart()].sort(
    () => random() - 0.5,
  );
  for (const [index, disturb] of moments.entries()) {
    await untilHolds(() => linesOf(log).length >= ((index + 1) * names.length) / 6, 'some entries are played');
    disturb();
  }
  await untilHolds(() => new Set(linesOf(log)).size >= names.length / 2 + 4, 'half of the entries are played');
  stopped?.signal('SIGCONT');
  const code = await waiter.exited;
  const output = waiter.output();
  const problems: string[] = code === 0 ? [] : [`exit code ${code}: ${output.slice(0, 1000)}`];
  const id = /run (\S+) in/.exec(output)?.[1];
  const { entries } = JSON.parse(output.slice(output.indexOf('{'))) as RunResult;
  const seen = entries.map(({ name }) => name);
  if (seen.join() !== names.join()) problems.push(`reported: ${seen.join(' ')}`);
  const attempts = await askDatabase<{ name: string }>(
    server.url,
    "SELECT split_part(e.id, '.', 1) AS name FROM understudy.attempts JOIN understudy.entries e USING (run, place) WHERE run = $1",
    [id],
  );
  const results = await askDatabase<{ count: string }>(
    server.url,
    'SELECT count(*) FROM understudy.results WHERE run = $1',
    [id],
  );
  expect(Number(results[0]?.count)).toBe(names.length);
  const times = (list: readonly string[], name: string) => list.filter((other) => other === name).length;
  for (const [place, name] of names.entries()) {
    const marked = times(
      attempts.map((attempt) => attempt.name),
      name,
    );
    // A worker may die after it took an entry and before the entry began.
    if (times(linesOf(log), name) > marked) problems.push(`${name} was played more often than its ${marked} attempts`);
    if (entries[place]?.attempts !== marked)
      problems.push(`${name} reports ${entries[place]?.attempts} of ${marked} attempts`);
  }
  for (const each of workers) each.signal('SIGTERM');
  return problems;
}
