import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describeProcess, type Holder, processesUsing, UnderstudyError, withLock } from '@understudy/kit';
import { type AgentName, agentNames, agents } from '../agents.js';
import { compareVersions } from '../compare-versions.js';
import { parseAgentSpec } from '../spec.js';
import { storeFolder, versionFolder } from '../store-folder.js';
import { folderSize } from './folder-size.js';
import { createStaging } from './staging.js';
import { lockFile, notWritable, storeLocked } from './store-access.js';

/** A version that is no longer in the store, and what it took there. */
export interface RemovedAgent {
  agent: AgentName;
  version: string;
  bytes: number;
}

export interface KeptAgent {
  agent: AgentName;
  version: string;
  error: UnderstudyError;
}

/** A removal takes seconds; what an older one left behind goes with the next. */
const LONGEST_REMOVAL_MS = 10 * 60_000;

/** Removes one version from the store, unless a process uses it, adds it or removes it. */
export async function removeAgent(spec: string, store: string = storeFolder()): Promise<RemovedAgent> {
  const { agent, version } = parseAgentSpec(spec);
  const there = versionsInStore(store, agent);
  if (version === undefined) {
    throw new UnderstudyError('AGENT_BAD_VERSION', `"${spec}" does not say which version to remove`, {
      fix: there.length === 0 ? `The store has no ${agent}.` : `Write one of ${specs(agent, there)}.`,
    });
  }
  if (!there.includes(version)) throw notInStore(store, agent, version, there);
  const lock = lockFile(store, agent, version);
  const lockOptions = {
    longestMs: LONGEST_REMOVAL_MS,
    waitMs: 0,
    locked: (holder: Holder | undefined) => storeLocked(lock, holder),
    onWait: () => {},
  };
  try {
    return await withLock(lock, lockOptions, async () => {
      const folder = versionFolder(store, agent, version);
      if (!existsSync(folder)) throw notInStore(store, agent, version, versionsInStore(store, agent));
      return { agent, version, bytes: takeOut(store, folder, spec) };
    });
  } catch (error) {
    throw notWritable(store, error) ?? error;
  }
}

/** Removes all versions but the pinned ones and, of each CLI, the newest `keep` others. What is in use stays. */
export async function pruneAgents({ store = storeFolder(), keep = 0 } = {}): Promise<{
  removed: RemovedAgent[];
  kept: KeptAgent[];
}> {
  const removed: RemovedAgent[] = [];
  const kept: KeptAgent[] = [];
  for (const agent of agentNames) {
    const others = versionsInStore(store, agent).filter((version) => version !== agents[agent].npm?.pinned);
    for (const version of others.slice(keep)) {
      try {
        removed.push(await removeAgent(`${agent}@${version}`, store));
      } catch (error) {
        if (!(error instanceof UnderstudyError)) throw error;
        kept.push({ agent, version, error });
      }
    }
  }
  return { removed, kept };
}

/** The versions of a CLI in the store, the newest first, also those that are not whole. */
function versionsInStore(store: string, agent: AgentName): string[] {
  try {
    const entries = readdirSync(join(store, agent), { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    return names.sort((a, b) => compareVersions(b, a));
  } catch {
    return [];
  }
}

/** Moves the folder aside by one rename, so that the version is whole or absent, and then deletes it. */
function takeOut(store: string, folder: string, spec: string): number {
  refuseUsed(folder, spec);
  const bytes = folderSize(folder);
  const staging = createStaging(store, LONGEST_REMOVAL_MS);
  try {
    const aside = join(staging.path, 'removed');
    renameSync(folder, aside);
    try {
      // One may have started just before the rename; its program has the new path by now.
      refuseUsed(folder, spec);
      refuseUsed(aside, spec);
    } catch (error) {
      renameSync(aside, folder);
      throw error;
    }
  } finally {
    staging.remove();
  }
  return bytes;
}

function refuseUsed(folder: string, spec: string): void {
  const users = processesUsing(folder);
  if (users.length === 0) return;
  const who = users.map((pid) => describeProcess(pid) ?? String(pid)).join(', ');
  throw new UnderstudyError('AGENT_IN_USE', `${spec} is in use: ${who}`, {
    fix: `Wait until it has ended, or end it, then remove ${spec} again.`,
  });
}

function notInStore(store: string, agent: AgentName, version: string, there: readonly string[]): UnderstudyError {
  return new UnderstudyError('AGENT_NOT_FOUND', `${agent}@${version} is not in the store ${store}`, {
    fix: there.length === 0 ? `The store has no ${agent}.` : `The store has ${specs(agent, there)}.`,
  });
}

function specs(agent: AgentName, versions: readonly string[]): string {
  return versions.map((version) => `${agent}@${version}`).join(', ');
}
