import type { AgentName } from '../agents.js';
import { versionFolder } from '../store-folder.js';
import { executableIn } from './executable.js';
import { hasManifest } from './manifest.js';

/** A version that is in the store. Whether it is as it was fetched, `verifyStored` says. */
export interface StoredAgent {
  agent: AgentName;
  version: string;
  /** The program and its first arguments. */
  command: string[];
  source: 'store';
  folder: string;
}

/** Looks a version up in the store; nothing when it is not there, or not whole. */
export function storedAgent(store: string, agent: AgentName, version: string): StoredAgent | undefined {
  const folder = versionFolder(store, agent, version);
  const command = hasManifest(folder) ? executableIn(folder, agent) : undefined;
  return command && { agent, version, command, source: 'store', folder };
}
