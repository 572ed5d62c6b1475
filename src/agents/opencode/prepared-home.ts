import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { scrubbedEnvironment } from '../../process/environment.js';
import { runToEnd } from '../../process/run-to-end.js';
import { createScratch } from '../../process/scratch.js';
import { storeFolder } from '../store/store-folder.js';

const DATA = '.local/share/opencode';
const DEADLINE_MS = 60_000;

/**
 * Gives a new home the empty database of OpenCode. It makes one at its first start, and two first starts side by side
 * disturb each other: a home that has never been used is ours, and no fault of a program. The database of each version
 * is made once and kept beside the store.
 */
export async function prepareOpenCodeHome(home: string, command: readonly string[], version: string): Promise<void> {
  const kept = join(dirname(storeFolder(process.env)), 'homes', `opencode-${version}`);
  if (!existsSync(kept)) await makeDatabase(kept, command);
  if (!existsSync(kept)) return;
  const data = join(home, DATA);
  mkdirSync(data, { recursive: true });
  for (const name of readdirSync(kept)) copyFileSync(join(kept, name), join(data, name));
}

/** Without a database, OpenCode makes one itself: nothing is lost when this fails. */
async function makeDatabase(kept: string, command: readonly string[]): Promise<void> {
  mkdirSync(dirname(kept), { recursive: true });
  const scratch = createScratch('home', dirname(kept));
  const home = scratch.path;
  try {
    const env = scrubbedEnvironment({
      HOME: home,
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
    });
    const { code } = await runToEnd({ command: [...command, 'db', 'path'], cwd: home, env, deadlineMs: DEADLINE_MS });
    if (code !== 0) return;
    const data = join(home, DATA);
    for (const name of readdirSync(data)) {
      if (!name.startsWith('opencode.db')) rmSync(join(data, name), { recursive: true, force: true });
    }
    renameSync(data, kept);
  } catch {
    // Another run was faster, or the folder cannot be written.
  } finally {
    await scratch.remove();
  }
}
