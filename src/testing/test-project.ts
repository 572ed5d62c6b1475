import { existsSync, readFileSync } from 'node:fs';
import { containedPath } from '../workspace/contained-path.js';
import { type Commit, listCommits } from '../workspace/git.js';
import { writeSampleFiles } from '../workspace/sample-files.js';

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
    read: (path) => readFileSync(containedPath(folder, path), 'utf8'),
    write: (path, content) => {
      writeSampleFiles(folder, [{ path, content }]);
    },
    commits: () => listCommits(folder),
  };
}
