import { paint } from '@understudy/kit';
import { cancelRun, findRun, listRuns, type QueuedRun, removeOldRuns, sweepBundles } from '@understudy/suites';
import { queueAddress, withJobs, withQueue } from './open-queue.js';
import { print, printJson } from './output.js';

interface QueueFlags {
  queue?: string;
  json?: true;
}

/** Lists the newest runs in the queue. */
export function listQueue({ queue, json, last }: QueueFlags & { last: number }): Promise<number> {
  return withQueue(queueAddress(queue), async (database) => {
    const runs = await listRuns(database, last);
    if (json === true) printJson(runs.map(({ options: _, bundle: _bundle, base: _base, ...run }) => run));
    else if (runs.length === 0) print('there is no run in the queue');
    else for (const run of runs) print(describe(run));
    return 0;
  });
}

function describe({ id, state, total, verdict, created_at: created }: QueuedRun): string {
  const time = created
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '');
  return `${id}  ${state.padEnd(9)} ${String(total).padStart(6)} ${paint.dim(`${time} ${verdict ?? ''}`)}`;
}

/** Cancels a run that has not ended. */
export function cancelQueued(id: string, { queue, json }: QueueFlags): Promise<number> {
  return withJobs(queueAddress(queue), async (database, jobs) => {
    await findRun(database, id);
    await cancelRun(database, jobs, id);
    const { state } = await findRun(database, id);
    if (json === true) printJson({ run: id, state });
    else print(`run ${id} is ${state}`);
    return 0;
  });
}

/** Removes runs that ended long ago, and files that no run needs. */
export function cleanQueue({ queue, json, days }: QueueFlags & { days: number }): Promise<number> {
  return withQueue(queueAddress(queue), async (database) => {
    const removed = await removeOldRuns(database, days);
    await sweepBundles(database);
    if (json === true) printJson({ removed });
    else print(`${removed.length} runs removed`);
    return 0;
  });
}
