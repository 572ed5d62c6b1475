import type { Entry } from '@understudy/runner';

/** Entries for stand-ins only: any worker can play them. */
const SIM_QUEUE = 'entries-sim';
/** Entries whose program calls several agents. */
const SEVERAL = 'several';

/** The queue of an agent: a worker takes only what its machine has the CLI for. */
export function queueOf({ agent, stage }: Pick<Entry, 'agent' | 'stage'>): string {
  if (stage === 'sim') return SIM_QUEUE;
  const kind = agent.includes('+') ? SEVERAL : familyOf(agent);
  return stage === 'live' ? liveQueue(kind) : realQueue(kind);
}

function realQueue(agent: string): string {
  return `entries-${agent}`;
}

export function liveQueue(agent: string): string {
  return `entries-${agent}-live`;
}

/** The agent without its version. */
export function familyOf(agent: string): string {
  return agent.split('@')[0] ?? agent;
}

/** All queues, for agents of these names. */
export function allQueues(agents: readonly string[]): string[] {
  return [SIM_QUEUE, ...[...agents, SEVERAL].flatMap((agent) => [realQueue(agent), liveQueue(agent)])];
}

/** What a worker takes. */
export function queuesFor(agents: readonly string[], live: boolean): string[] {
  const names = agents.length === 0 ? [] : [...agents, SEVERAL];
  return [SIM_QUEUE, ...names.flatMap((agent) => [realQueue(agent), ...(live ? [liveQueue(agent)] : [])])];
}
