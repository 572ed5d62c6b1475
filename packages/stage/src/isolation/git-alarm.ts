import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';

/** By these, a program of the user that asks git at this moment (an editor, a prompt) already runs something else. */
const AT_ONCE = ['commondir', 'config', 'config.worktree', 'hooks'];

/** Calls as soon as one of them is in a git folder and was not there before. */
export function watchGit(folders: readonly string[], isNew: (path: string) => boolean, onNew: () => void) {
  const paths = folders.flatMap((folder) => AT_ONCE.map((name) => join(folder, name)));
  let isOver = false;
  const look = () => {
    if (isOver || !paths.some(isNew)) return;
    isOver = true;
    onNew();
  };
  const watchers = folders.flatMap((folder) => watchFolder(folder, look));
  look();
  return {
    close(): void {
      isOver = true;
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Where nothing can be watched, it is seen at the end. */
function watchFolder(folder: string, look: () => void): FSWatcher[] {
  try {
    return [watch(folder, { persistent: false }, look).on('error', () => {})];
  } catch {
    return [];
  }
}
