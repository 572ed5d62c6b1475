import { createTempFolder, type Environment, runToEnd, scrubbedEnvironment } from '@understudy/kit';
import { agents } from '../agents.js';
import { missingNode } from './node-runtime.js';
import { verifyStored } from './verify.js';

export interface VersionAnswer {
  version?: string;
  /** Why there is no version, in a few words. */
  problem?: string;
  milliseconds: number;
}

/** A CLI that needs longer than this to say its version is not usable. */
const DEADLINE_MS = 20_000;

/** Whichever it is, it fetches nothing. */
function quiet(): Environment {
  return Object.assign({}, ...Object.values(agents).map(({ login }) => login.quiet));
}

interface Place {
  command: readonly string[];
  folder?: string;
  source?: string;
  version?: string;
}

/** Verifies the program where it is in the store, and starts it with `--version`, in an empty home and without our environment. */
export async function askVersion(place: Place): Promise<VersionAnswer> {
  // Its definition says it, because it cannot be asked.
  if (place.source === 'defined' && place.version !== undefined) return { version: place.version, milliseconds: 0 };
  const scratch = createTempFolder();
  try {
    const range = missingNode(place.command);
    if (range !== undefined) {
      const problem = `it needs Node ${range}, and this is ${process.versions.node}; add it again to get one`;
      return { problem, milliseconds: 0 };
    }
    if (place.folder !== undefined) await verifyStored(place.folder, place.command);
    const outcome = await runToEnd({
      command: [...place.command, '--version'],
      cwd: scratch.path,
      env: scrubbedEnvironment({
        HOME: scratch.path,
        TMPDIR: scratch.path,
        ...quiet(),
      }),
      deadlineMs: DEADLINE_MS,
    });
    const { milliseconds } = outcome;
    const version = /\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(outcome.stdout)?.[0];
    if (version !== undefined) return { version, milliseconds };
    if (outcome.timedOut) return { problem: `no answer to --version within ${DEADLINE_MS / 1000} s`, milliseconds };
    return { problem: `--version ended with ${outcome.code ?? outcome.signal} and no version`, milliseconds };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), milliseconds: 0 };
  } finally {
    await scratch.remove();
  }
}
