import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import { agentLocations, agentNames } from '@understudy/agents';
import { createScratch, redactAll, UnderstudyError } from '@understudy/kit';
import { playRun, RunFolder, rehearsalPlayer, scratchFolders, untilInterrupted } from '@understudy/runner';
import {
  type Lease,
  liveQueue,
  type PlayContext,
  type PlayedEntry,
  queuesFor,
  type Taken,
  Worker,
} from '@understudy/suites';
import { atEnd, type EntryResult, isolationText, type Reporter } from '@understudy/verdict';
import { chosenIsolation } from './chosen-isolation.js';
import { queueAddress, withJobs } from './open-queue.js';
import { print, printNote, printWarning } from './output.js';
import { version } from './version.js';

export interface WorkerFlags {
  queue?: string;
  workers?: number;
  perAgent?: string[];
  agent?: string[];
  live?: true;
  lease: number;
  untilEmpty?: true;
  isolation?: string;
}

/** Takes entries from the queue until it is interrupted, or until there is nothing left. */
export async function runWorker(flags: WorkerFlags): Promise<number> {
  const around = isolationText(await chosenIsolation(flags.isolation));
  const agents = flags.agent ?? agentNames.filter((name) => agentLocations(name).length > 0);
  for (const name of agents) refuseUnknown(name);
  const slots = flags.workers ?? availableParallelism();
  const perAgent = new Map((flags.perAgent ?? []).map(agentLimit));
  const lease: Lease = {
    worker: `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`,
    version,
    leaseMs: flags.lease * 1000,
  };
  return untilInterrupted((signal) =>
    withJobs(
      queueAddress(flags.queue),
      async (database, jobs) => {
        printNote(
          `worker ${lease.worker} on ${database.address}: ${slots} at a time, ${describeAgents(agents, flags)}, ${around}`,
        );
        const worker = new Worker({
          ...{ database, jobs, lease, slots, perAgent, signal },
          queues: queuesFor(agents, flags.live === true),
          liveQueues: new Set([...agents, 'several'].map(liveQueue)),
          untilEmpty: flags.untilEmpty === true,
          play: (taken, folder, context) => play(taken, folder, context, flags.isolation),
          onEnded: (taken, ended) => print(describeEnd(taken, ended)),
        });
        await worker.run();
        return 0;
      },
      { maintain: true, connections: slots + 3 },
    ),
  );
}

function describeAgents(agents: readonly string[], { live }: WorkerFlags): string {
  const real = agents.length === 0 ? 'no real CLI' : agents.join(', ');
  return `stand-ins, ${real}${live === true ? ', live models' : ''}`;
}

function describeEnd({ entry, attempt }: Taken, ended: EntryResult | string): string {
  const what = `${entry.name} ${entry.agent} ${entry.stage}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
  if (typeof ended === 'string') return `${ENDS[ended] ?? ended}: ${what}`;
  return `${ended.status}: ${what} (${ended.duration_ms} ms)`;
}

const ENDS: Record<string, string> = {
  late: 'dropped, because its lease was over',
  returned: 'given back',
  stopped: 'stopped, because its run was cancelled or its lease was over',
};

/** Plays one entry as `run` does, with the files of its bundle. */
async function play(
  { entry, options, base }: Taken,
  folder: string,
  { signal, onProgress }: PlayContext,
  isolation: string | undefined,
): Promise<PlayedEntry> {
  const out = createScratch('worker');
  const step: Reporter['step'] = (_entry, number, total, what) => onProgress(`${number}/${total} ${what}`);
  try {
    const run = await playRun(
      { entries: [{ ...entry, isolation: { requested: isolation } }] },
      {
        run: { command: 'run', understudy_version: version },
        players: { rehearsal: rehearsalPlayer([], ({ parts: [file = ''] = [] }) => join(folder, file)) },
        ...{ ...options, workers: 1, onWarning: printWarning, signal },
        openFolder: scratchFolders(join(out.path, 'artifacts'), RunFolder.create(out.path)),
        reporter: () => ({ ...atEnd(() => {}), step }),
      },
    );
    const [result] = run.entries;
    if (result === undefined) throw new Error('a run of one entry gave no result');
    return { result: asSubmitted(result, folder, base), logs: logsOf(result, out.path) };
  } finally {
    await out.remove();
  }
}

/** Paths as the one who put the run in knows them. What was kept here stays here. */
function asSubmitted({ artifacts: _, ...result }: EntryResult, folder: string, base: string): EntryResult {
  const own = `${join(folder, base)}/`;
  return redactAll(result, (text) => text.replaceAll(own, '').replaceAll(folder, '<bundle>'));
}

/** A log that is longer does not travel. */
const LONGEST_LOG = 16 * 1024 * 1024;

function logsOf({ logs }: EntryResult, out: string): Map<string, Buffer> {
  const folder = join(out, logs ?? 'none');
  if (logs === undefined || !existsSync(folder)) return new Map();
  return new Map(
    readdirSync(folder)
      .filter((name) => statSync(join(folder, name)).size <= LONGEST_LOG)
      .map((name) => [name, readFileSync(join(folder, name))]),
  );
}

function refuseUnknown(name: string): void {
  if ((agentNames as readonly string[]).includes(name)) return;
  throw new UnderstudyError('AGENT_UNKNOWN', `there is no agent named ${JSON.stringify(name)}`, {
    fix: `Use one of ${agentNames.join(', ')}.`,
  });
}

function agentLimit(text: string): [string, number] {
  const [, agent = '', count = ''] = /^([a-z][a-z0-9-]*)=(\d+)$/.exec(text) ?? [];
  if (agent === '') {
    throw new UnderstudyError('BAD_FLAG', `--per-agent ${JSON.stringify(text)} cannot be read`, {
      fix: 'Write it as --per-agent claude=2.',
    });
  }
  refuseUnknown(agent);
  return [agent, Number(count)];
}
