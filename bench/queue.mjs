// `node bench/queue.mjs [JOBS] [WORKERS]`: how many jobs that do nothing go through the queue on a Postgres of its own.
// Everything is as in `understudy worker`, but for the playing: takes, leases, results, ends of runs, all durable.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { faces } from '../scripts/faces.mjs';

// The modules as they are in their package: the queue is no public entry of the package.
const vite = await createServer({
  root: fileURLToPath(new URL('..', import.meta.url)),
  configFile: false,
  plugins: [faces],
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
  optimizeDeps: { noDiscovery: true },
});
const load = (path) => vite.ssrLoadModule(`/${path}`);

const { Database } = await load('packages/suites/src/queue/database.ts');
const { Jobs } = await load('packages/suites/src/queue/jobs.ts');
const { migrate } = await load('packages/suites/src/queue/migrations.ts');
const { Worker } = await load('packages/suites/src/queue/worker.ts');
const { submitRun } = await load('packages/suites/src/queue/submit.ts');
const { baseOf } = await load('packages/runner/src/run/entry.ts');
const { makeBundle } = await load('packages/runner/src/travel/bundle.ts');

const SLOTS = 8;
const QUEUES = ['entries-sim'];

async function open(url, connections) {
  const database = await Database.open(url, { connections });
  await migrate(database);
  return { database, jobs: await Jobs.open(database, QUEUES) };
}

async function work(url, untilEmpty) {
  const { database, jobs } = await open(url, SLOTS + 3);
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  const worker = new Worker({
    ...{ database, jobs, queues: QUEUES, liveQueues: new Set(), slots: SLOTS, perAgent: new Map(), untilEmpty },
    lease: { worker: `bench-${process.pid}`, version: 'bench', leaseMs: 30_000 },
    play: async ({ entry }) => ({
      result: { ...baseOf(entry), status: 'passed', attempts: 1 },
      logs: new Map(),
    }),
    signal: stop.signal,
  });
  process.send('ready');
  await worker.run();
  await jobs.close();
  await database.close();
}

function entries(count) {
  return Array.from({ length: count }, (_, index) => ({
    ...{
      id: `e${index}`,
      kind: 'rehearsal',
      name: `entry ${index}`,
      tags: [],
      agent: 'claude',
      stage: 'sim',
      round: 1,
    },
    ...{ rerun: '', folderName: `e${index}`, parts: [], player: 'none' },
  }));
}

const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

async function startWorkers(url, count, mode) {
  const workers = Array.from({ length: count }, () => fork(fileURLToPath(import.meta.url), [mode, url]));
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))));
  return workers;
}

const ended = (workers) => Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve))));

async function bench(count, workerCount) {
  const { startPostgres } = await load('test/helpers/postgres.ts');
  const server = await startPostgres({ durable: true });
  if (server === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'bench-queue-'));
  writeFileSync(join(folder, 'x'), '');
  const { database, jobs } = await open(server.url, 4);
  try {
    const submission = { bundle: makeBundle([join(folder, 'x')], folder), base: folder, version: 'bench', options: {} };
    const submit = (amount) =>
      submitRun(database, jobs, { entries: entries(amount), ...submission, strict: false, limit: 10_000_000 });
    const size = async () =>
      Number((await database.query('SELECT pg_database_size(current_database()) AS size'))[0].size) / 1024 / 1024;

    // How long one entry takes from the queue to its result, when workers have nothing else to do.
    const idle = await startWorkers(server.url, 1, 'serve');
    const waits = [];
    for (let index = 0; index < 50; index++) {
      const run = await submit(1);
      let row;
      while (row === undefined) {
        await sleep(20);
        [row] = await database.query(
          `SELECT extract(epoch FROM r.finished_at - runs.created_at) * 1000 AS ms
           FROM understudy.results r JOIN understudy.runs ON runs.id = r.run WHERE run = $1`,
          [run],
        );
      }
      waits.push(Number(row.ms));
    }
    for (const worker of idle) worker.kill('SIGTERM');
    await ended(idle);
    waits.sort((one, other) => one - other);
    console.log(
      `idle: ${percentile(waits, 0.5).toFixed(0)} ms from queue to result (95 %: ${percentile(waits, 0.95).toFixed(0)} ms)`,
    );

    const before = await size();
    const submitted = performance.now();
    const run = await submit(count);
    const submitSeconds = (performance.now() - submitted) / 1000;
    const full = await size();
    console.log(
      `submit: ${count} jobs in ${submitSeconds.toFixed(1)} s, ${Math.round(count / submitSeconds)} jobs/s, ${(full - before).toFixed(0)} MB`,
    );

    const started = performance.now();
    const workers = await startWorkers(server.url, workerCount, 'work');
    const done = ended(workers);
    const progress = setInterval(async () => {
      const [{ left }] = await database.query("SELECT count(*) AS left FROM understudy.entries WHERE state = 'queued'");
      console.error(`  ${left} left after ${((performance.now() - started) / 1000).toFixed(0)} s`);
    }, 15_000);
    await done;
    clearInterval(progress);
    const seconds = (performance.now() - started) / 1000;
    const [row] = await database.query(
      `SELECT count(*) AS results, (SELECT count(*) FROM understudy.attempts WHERE run = $1) AS attempts,
              percentile_cont(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY extract(epoch FROM r.finished_at - a.started_at) * 1000) AS ms
       FROM understudy.results r JOIN understudy.attempts a USING (run, place, attempt) WHERE run = $1`,
      [run],
    );
    console.log(
      `work: ${row.results} results of ${row.attempts} attempts in ${seconds.toFixed(1)} s by ${workerCount} workers with ${SLOTS} slots: ${Math.round(count / seconds)} jobs/s`,
    );
    console.log(`from take to result: ${row.ms.map((ms) => `${Number(ms).toFixed(0)} ms`).join(', ')} (50, 95, 99 %)`);
    console.log(`database: ${((await size()) - before).toFixed(0)} MB for ${count} entries`);
  } finally {
    await jobs.close();
    await database.close();
    server.remove();
    rmSync(folder, { recursive: true });
  }
}

const [first = '100000', second = '4'] = process.argv.slice(2);
if (first === 'work' || first === 'serve') await work(second, first === 'work');
else await bench(Number(first), Number(second));
await vite.close();
