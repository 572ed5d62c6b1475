import { mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardAgainstLeftover, releaseFromGuard } from './guard.js';
import { formatHolder, hasEnded, ownHolder, parseHolder } from './holder.js';

/** A folder that lives as long as it is needed, and never longer than our process. */
export interface Scratch {
  path: string;
  remove(): Promise<void>;
}

/** `understudy-PID-MACHINE.START-purpose-RANDOM`: enough to know later whether its owner still runs. */
const NAME = /^understudy-(\d+-[0-9a-f]{6}\.[0-9a-z]*)-/;

let swept = false;

/** Makes a scratch folder. The first one of a process also removes those of processes that are gone. */
export function createScratch(purpose: string, root: string = tmpdir()): Scratch {
  if (!swept) {
    swept = true;
    // Nobody waits for it: a folder that cannot be removed now is tried again by the next run.
    sweepScratch().catch(() => {});
  }
  // The real path: CLIs compare folders by it, and a symbolic temp folder would make two of one.
  const path = realpathSync(mkdtempSync(join(root, `understudy-${formatHolder(ownHolder())}-${purpose}-`)));
  guardAgainstLeftover('folder', path);
  return {
    path,
    // Asynchronously: some file systems make every rmdir wait, and other work would wait with it.
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
      releaseFromGuard('folder', path);
    },
  };
}

/**
 * CLIs make Unix sockets in their temp folder. A system allows about 100 bytes for a socket's path;
 * where a path is longer, Claude Code puts its socket into /tmp and leaves it there.
 */
const LONGEST_TEMP_ROOT = 40;

/** The path of such a folder, wherever it stands in a text. */
export const TEMP_FOLDER = /\/[^\s"'=:]*understudy-\d+-[0-9a-f]{6}\.[0-9a-z]*-t-\w{6}/g;

/** A temp folder for one CLI, as short as possible. It goes with the CLI, and with it whatever the CLI forgot there. */
export function createTempFolder(root: string = tmpdir()): Scratch {
  return createScratch('t', Buffer.byteLength(root) > LONGEST_TEMP_ROOT ? '/tmp' : root);
}

/** Removes scratch folders whose process is gone, and gives their names. */
export async function sweepScratch(root: string = tmpdir()): Promise<string[]> {
  const dead = readdirSync(root).filter(isLeftover);
  await Promise.all(dead.map((name) => rm(join(root, name), { recursive: true, force: true }).catch(() => {})));
  return dead;
}

/** The guard of a killed run clears up; this is for runs whose guard was killed, too. */
function isLeftover(name: string): boolean {
  const holder = parseHolder(NAME.exec(name)?.[1] ?? '');
  return holder !== undefined && hasEnded(holder);
}
