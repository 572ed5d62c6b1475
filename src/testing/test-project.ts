import { existsSync, readFileSync } from 'node:fs';
import { describeUnreadable, UnderstudyError, UntrustedFolder } from '@understudy/kit';
import { type Commit, containedPath, listCommits, writeSampleFiles } from '@understudy/stage';

/** The project of one test: the folder in which the agent works. */
export interface TestProject {
  folder: string;
  has(path: string): boolean;
  read(path: string): string;
  write(path: string, content: string): void;
  /** Newest first. */
  commits(): Promise<Commit[]>;
}

export function testProject(folder: string): TestProject {
  return {
    folder,
    has: (path) => existsSync(containedPath(folder, path)),
    read: (path) => readPlain(folder, path),
    write: (path, content) => {
      writeSampleFiles(folder, [{ path, content }]);
    },
    commits: () => listCommits(folder),
  };
}

/** A file that the agent wrote: it may be anything. */
function readPlain(folder: string, path: string): string {
  const file = containedPath(folder, path);
  const project = new UntrustedFolder(folder);
  const text = project.text(path);
  const [found] = project.unreadable;
  if (found !== undefined) {
    throw new UnderstudyError('WORKSPACE_PATH_REFUSED', `${describeUnreadable(found)}, and is not read`, {
      fix: 'Read a plain file.',
    });
  }
  // What is not there is reported as Node reports it.
  return text ?? readFileSync(file, 'utf8');
}
