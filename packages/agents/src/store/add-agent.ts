import { defined, type Holder, UnderstudyError, withLock } from '@understudy/kit';
import { type AgentName, agents } from '../agents.js';
import { thisMachine } from '../machine.js';
import { parseAgentSpec } from '../spec.js';
import { storeFolder, versionFolder } from '../store-folder.js';
import { executableIn } from './executable.js';
import type { FoundAgent } from './find-agent.js';
import { type Manifest, recordFiles, writeManifest } from './manifest.js';
import { missingNode, nodePackage, nodeTooOld } from './node-runtime.js';
import { INSTALL_LIMIT_MS, type Installed, type InstallOptions, npmInstall } from './npm-install.js';
import { createStaging, moveIntoPlace } from './staging.js';
import { lockFile, notWritable, storeLocked } from './store-access.js';
import { storedAgent } from './stored-agent.js';
import { refuseOtherThanPinned, verifyStored } from './verify.js';

export interface AddProgress {
  agent: AgentName;
  version: string;
  step: 'waiting' | 'fetching' | 'ready' | 'present';
  milliseconds: number;
  /** Where npm writes while it fetches. */
  folder?: string;
  /** While we wait: the lock file, and the process that holds it. */
  lock?: string;
  holder?: Holder | undefined;
}

export interface AddOptions {
  store?: string;
  onProgress?: (progress: AddProgress) => void;
  /** Ends the fetch, and leaves nothing of it. */
  interrupted?: AbortSignal;
  /** How long npm may take; by default 10 minutes. */
  limitMs?: number | undefined;
  /** How long another process that fetches the same version may keep us waiting. */
  waitMs?: number;
}

/** After npm, only a few files are left to be written and moved. */
const AFTER_NPM_MS = 2 * 60_000;

/**
 * Fetches a CLI from npm into the store, once: a version that is there is left alone. The version's
 * folder appears by one rename, so that it is whole or absent, whatever is interrupted or parallel.
 */
export async function addAgent(spec: string, options: AddOptions = {}): Promise<FoundAgent> {
  const { agent, version: asked } = parseAgentSpec(spec);
  const { npm } = agents[agent];
  if (npm === undefined) {
    throw new UnderstudyError('AGENT_NOT_ON_NPM', `${agent} is not on npm, so it cannot be fetched`, {
      fix: `Install it as its makers say, and have ${agents[agent].program} on PATH.`,
    });
  }
  const version = asked ?? npm.pinned;
  const store = options.store ?? storeFolder();
  const started = performance.now();
  const tell = (step: AddProgress['step'], more: Partial<AddProgress> = {}) =>
    options.onProgress?.({ agent, version, step, milliseconds: performance.now() - started, ...more });

  const present = await usable(store, agent, version);
  if (present !== undefined) {
    tell('present');
    return present;
  }
  const { limitMs = INSTALL_LIMIT_MS } = options;
  const longestMs = limitMs + AFTER_NPM_MS;
  const lock = lockFile(store, agent, version);
  const lockOptions = {
    longestMs,
    waitMs: options.waitMs ?? longestMs,
    locked: (holder: Holder | undefined) => storeLocked(lock, holder),
    onWait: (holder: Holder | undefined) => tell('waiting', { lock, holder }),
    interrupted: options.interrupted,
  };
  try {
    return await withLock(lock, lockOptions, async () => {
      const meanwhile = await usable(store, agent, version);
      if (meanwhile !== undefined) return meanwhile;
      const staging = createStaging(store, longestMs);
      try {
        tell('fetching', { folder: staging.path });
        const installed = await npmInstall(staging.path, npm.package, version, {
          interrupted: options.interrupted,
          limitMs,
        });
        const fetched = { agent, package: npm.package, ...installed };
        const runtime = await fetchNode(staging.path, fetched, { interrupted: options.interrupted, limitMs });
        const found = await putIntoStore(staging.path, store, {
          ...fetched,
          ...defined({ integrity: runtime?.integrity }),
        });
        tell('ready');
        return found;
      } finally {
        staging.remove();
      }
    });
  } catch (error) {
    throw notWritable(store, error) ?? error;
  }
}

/** Fetches a Node into the same folder, if the CLI is a script that this process's Node is too old for. */
async function fetchNode(
  staging: string,
  { agent, version }: Pick<Manifest, 'agent' | 'version'>,
  options: InstallOptions,
): Promise<Installed | undefined> {
  const range = missingNode(executableIn(staging, agent) ?? []);
  if (range === undefined) return undefined;
  const name = nodePackage(thisMachine());
  if (name === undefined) {
    throw nodeTooOld(`${agent}@${version}`, range, 'Install such a Node: npm has none for this machine.');
  }
  return npmInstall(staging, name, range, options);
}

async function putIntoStore(staging: string, store: string, fetched: Omit<Manifest, 'files'>): Promise<FoundAgent> {
  const { agent, version } = fetched;
  if (executableIn(staging, agent) === undefined) {
    throw new UnderstudyError(
      'AGENT_NO_BUILD',
      `${fetched.package}@${version} has no program for ${process.platform} ${process.arch}`,
      { fix: 'Try another version, or a machine that its makers build for.' },
    );
  }
  const manifest = { ...fetched, files: await recordFiles(staging) };
  refuseOtherThanPinned(staging, manifest);
  writeManifest(staging, manifest);
  // Another process may have been first, under the name of a tag.
  const place = versionFolder(store, agent, version);
  if ((await usable(store, agent, version)) === undefined) moveIntoPlace(staging, place);
  const found = await usable(store, agent, version);
  if (found !== undefined) return found;
  throw new UnderstudyError('AGENT_STORE_BROKEN', `${place} is not usable`, {
    fix: 'Remove that folder and add the agent again.',
  });
}

/** The version in the store, if it is there and as it was fetched. One that was changed is fetched again. */
async function usable(store: string, agent: AgentName, version: string): Promise<FoundAgent | undefined> {
  const stored = storedAgent(store, agent, version);
  if (stored === undefined) return undefined;
  const { folder, ...found } = stored;
  if (missingNode(found.command) !== undefined) return undefined;
  try {
    await verifyStored(folder, found.command);
    return found;
  } catch (error) {
    if (error instanceof UnderstudyError) return undefined;
    throw error;
  }
}
