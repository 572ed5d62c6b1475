import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnderstudyError } from '../../errors.js';
import { isAlive } from '../../process/process-table.js';
import { type AgentName, distributions } from '../pinned.js';
import { parseAgentSpec } from '../spec.js';
import { executableIn } from './executable.js';
import type { FoundAgent } from './find-agent.js';
import { withLock } from './lock.js';
import { MANIFEST, type Manifest, readManifest } from './manifest.js';
import { npmInstall } from './npm-install.js';
import { storeFolder, versionFolder } from './store-folder.js';

export interface AddProgress {
  agent: AgentName;
  version: string;
  step: 'waiting' | 'fetching' | 'ready' | 'present';
  milliseconds: number;
}

export interface AddOptions {
  store?: string;
  onProgress?: (progress: AddProgress) => void;
}

/**
 * Fetches a CLI from npm into the store, once: a version that is there is left alone. The version's
 * folder appears by one rename, so that it is whole or absent, whatever is interrupted or parallel.
 */
export async function addAgent(spec: string, options: AddOptions = {}): Promise<FoundAgent> {
  const { agent, version: asked } = parseAgentSpec(spec);
  const { npm } = distributions[agent];
  if (npm === undefined) {
    throw new UnderstudyError('AGENT_NOT_ON_NPM', `${agent} is not on npm, so it cannot be fetched`, {
      fix: `Install it as its makers say, and have ${distributions[agent].program} on PATH.`,
    });
  }
  const version = asked ?? npm.pinned;
  const store = options.store ?? storeFolder();
  const started = performance.now();
  const tell = (step: AddProgress['step']) =>
    options.onProgress?.({ agent, version, step, milliseconds: performance.now() - started });

  const present = fromStore(store, agent, version);
  if (present !== undefined) {
    tell('present');
    return present;
  }
  const lock = join(store, '.locks', `${agent}@${version}`);
  return withLock(
    lock,
    () => tell('waiting'),
    async () => {
      const meanwhile = fromStore(store, agent, version);
      if (meanwhile !== undefined) return meanwhile;
      tell('fetching');
      const found = await fetchInto(store, agent, npm.package, version);
      tell('ready');
      return found;
    },
  );
}

async function fetchInto(store: string, agent: AgentName, name: string, version: string): Promise<FoundAgent> {
  const stagings = join(store, '.staging');
  mkdirSync(stagings, { recursive: true });
  removeAbandoned(stagings);
  const staging = join(stagings, `${process.pid}-${randomBytes(6).toString('hex')}`);
  try {
    const installed = await npmInstall(staging, name, version);
    if (executableIn(staging, agent) === undefined) {
      throw new UnderstudyError(
        'AGENT_NO_BUILD',
        `${name}@${installed.version} has no program for ${process.platform} ${process.arch}`,
        { fix: 'Try another version, or a machine that its makers build for.' },
      );
    }
    const manifest: Manifest = { agent, version: installed.version, package: name, integrity: installed.integrity };
    writeFileSync(join(staging, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
    moveIntoPlace(staging, store, agent, installed.version);
    const found = fromStore(store, agent, installed.version);
    if (found === undefined) {
      throw new UnderstudyError('AGENT_STORE_BROKEN', `${versionFolder(store, agent, version)} is not usable`, {
        fix: 'Remove that folder and add the agent again.',
      });
    }
    return found;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function moveIntoPlace(staging: string, store: string, agent: AgentName, version: string): void {
  const place = versionFolder(store, agent, version);
  mkdirSync(join(store, agent), { recursive: true });
  // A folder without a manifest was not put there by a rename of ours.
  if (readManifest(place) === undefined) rmSync(place, { recursive: true, force: true });
  try {
    renameSync(staging, place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    // Another process was first, with the same version: its copy is as good.
  }
}

function removeAbandoned(stagings: string): void {
  for (const name of readdirSync(stagings)) {
    if (!isAlive(Number.parseInt(name, 10))) rmSync(join(stagings, name), { recursive: true, force: true });
  }
}

function fromStore(store: string, agent: AgentName, version: string): FoundAgent | undefined {
  const folder = versionFolder(store, agent, version);
  if (readManifest(folder) === undefined) return undefined;
  const command = executableIn(folder, agent);
  return command && { agent, version, command, source: 'store' };
}
