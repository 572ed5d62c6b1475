import { UnderstudyError } from '@understudy/kit';
import { type Entry, endRun, isBroken, makeBundle, RunFolder, travelParts, untilInterrupted } from '@understudy/runner';
import { type Database, followRun, type Jobs, SUITE_PLAYER, submitRun, writeLogs } from '@understudy/suites';
import { openSuites, testsAt } from '../public/run-paths.js';
import { touchedTests } from './changed-tests.js';
import { withJobs } from './open-queue.js';
import { print, printJson, printNote, printWarning } from './output.js';
import { openReporter } from './run-flags.js';
import { entryOptions, planOf, type RehearsalFlags, refuseWithRepro } from './run-rehearsals.js';
import { version } from './version.js';

export interface QueueRunOptions extends RehearsalFlags {
  queue: string;
  wait?: true;
  bundle?: string[];
  queueLimit: number;
  liveRate?: number;
  /** A worker finds only what stands beside the rehearsals. */
  config?: string;
}

/** Flags that speak of this machine or of one process. */
const NOT_ON_A_QUEUE = [
  'watch',
  'update',
  'list',
  'record',
  'resume',
  'maxFailures',
  'maxCalls',
  'maxCost',
  'keepWorkspace',
  'workers',
  'yes',
  'isolation',
  'config',
] as const;

/** Puts a run into the queue. With `--wait`, shows it as it goes and gives its exit code. */
export async function runOnQueue(paths: readonly string[], options: QueueRunOptions): Promise<number> {
  for (const flag of NOT_ON_A_QUEUE) {
    if (options[flag] !== undefined) throw notOnQueue(flag);
  }
  refuseWithRepro(paths, options);
  const found = testsAt(paths, entryOptions(options), openSuites(options.suites));
  const { rehearsals } = found;
  const touched = await touchedTests(paths, found, options.changed);
  const { entries } = planOf(found.entries, options, touched);
  refuseSuites(entries);
  if (touched !== undefined && entries.length === 0) {
    printNote('nothing to put into the queue');
    return 0;
  }
  // A worker cannot load it either, so the others run and the run is an error; what is wrong is known now.
  for (const { broken } of entries) if (broken !== undefined) printWarning(broken);
  const played = new Set(entries.map(({ file }) => file));
  const traveling = rehearsals.flatMap((one) => (!isBroken(one) && played.has(one.file) ? travelParts(one) : []));
  const bundle = makeBundle(
    [...entries.flatMap(({ parts = [] }) => parts), ...traveling, ...(options.bundle ?? [])],
    process.cwd(),
  );
  return untilInterrupted((signal) =>
    withJobs(options.queue, async (database, jobs) => {
      const { repeat: runs, threshold, retries } = options;
      const id = await submitRun(database, jobs, {
        ...{ entries, bundle, base: process.cwd(), version, options: { runs, threshold, retries } },
        ...{ strict: options.strict === true, livePerMinute: options.liveRate, limit: options.queueLimit },
      });
      if (options.wait === true) return waitFor(database, jobs, id, options, signal);
      if (options.json === true) printJson({ run: id, entries: entries.length });
      else {
        print(`run ${id}: ${entries.length} in the queue`);
        print(`look at it: understudy report show --queue ${database.address} --run ${id}`);
      }
      return 0;
    }),
  );
}

async function waitFor(
  database: Database,
  jobs: Jobs,
  id: string,
  options: QueueRunOptions,
  signal: AbortSignal,
): Promise<number> {
  printNote(`run ${id} in ${database.address}`);
  const folder = RunFolder.create(options.output);
  const shown = await openReporter(options);
  const reporter = shown.reporter(folder.path);
  const ran = await followRun(database, jobs, id, { reporter, signal });
  if (!signal.aborted) {
    folder.prepare();
    await writeLogs(database, id, ran.entries, folder.path);
  }
  return shown.exitCode(await endRun(ran, { reporter, folder, signal, onWarning: printWarning }));
}

/** A worker has no module of a suite, and what it imports may be anywhere. */
function refuseSuites(entries: readonly Entry[]): void {
  const own = entries.find(({ player }) => player === SUITE_PLAYER);
  if (own === undefined) return;
  throw new UnderstudyError('BAD_FLAG', `"${own.name}" is of a suite of yours, which --queue does not play`, {
    fix: `Run it without --queue, and leave it out here by the paths, or by --grep "not @${own.tags[0] ?? own.name}".`,
  });
}

function notOnQueue(flag: string): UnderstudyError {
  const name = `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return new UnderstudyError('BAD_FLAG', `${name} does not work with --queue`, {
    fix: `Leave out ${name}, or run it on this machine without --queue.`,
  });
}
