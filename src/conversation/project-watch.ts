import { execFileSync } from 'node:child_process';
import type { EventBody } from '../agents/events.js';
import { UnderstudyError } from '../errors.js';
import { compareSnapshots } from '../workspace/compare-snapshots.js';
import { gitEnvironment, readHead } from '../workspace/git.js';
import { type Snapshot, takeSnapshot } from '../workspace/snapshot.js';

const CHANGES = { added: 'created', removed: 'deleted', modified: 'modified' } as const;

/** Looks at a project between turns: which files are different, which commits are new. */
export class ProjectWatch {
  readonly #cwd: string;
  #files: Snapshot | undefined;
  #head: string | undefined;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** Takes stock; what cannot be watched is told instead of passed over. */
  begin(): EventBody[] {
    this.#head = readHead(this.#cwd);
    try {
      this.#files = takeSnapshot(this.#cwd);
      return [];
    } catch (error) {
      if (!(error instanceof UnderstudyError)) throw error;
      this.#files = undefined;
      return [{ type: 'notice', level: 'warning', text: `file changes are not followed: ${error.message}` }];
    }
  }

  /** What has happened since the last look. */
  look(): EventBody[] {
    return [...this.#fileChanges(), ...this.#commits()];
  }

  #fileChanges(): EventBody[] {
    if (this.#files === undefined) return [];
    const now = takeSnapshot(this.#cwd);
    const changes = compareSnapshots(this.#files, now);
    this.#files = now;
    return changes
      .filter(({ before, after }) => (after ?? before)?.kind !== 'folder')
      .map(({ path, change, before, after }) => ({
        type: 'file_changed',
        path,
        change: CHANGES[change],
        ...(before?.text === undefined ? {} : { before: before.text }),
        ...(after?.text === undefined ? {} : { after: after.text }),
      }));
  }

  #commits(): EventBody[] {
    const before = this.#head;
    const now = readHead(this.#cwd);
    this.#head = now;
    if (now === undefined || now === before) return [];
    const range = before === undefined ? now : `${before}..${now}`;
    try {
      // Waiting here keeps the commits in their turn; it happens only when there is one.
      const format = '--format=%x1e%H%x1f%B%x1f';
      const log = execFileSync('git', ['log', '--reverse', format, '--name-only', range], {
        cwd: this.#cwd,
        env: gitEnvironment(),
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return log.split('\x1e').flatMap((entry): EventBody[] => {
        const [hash = '', message = '', files = ''] = entry.split('\x1f');
        if (hash.trim() === '') return [];
        const names = files.split('\n').filter((name) => name !== '');
        return [{ type: 'commit', hash: hash.trim(), message: message.trim(), files: names }];
      });
    } catch (error) {
      return [{ type: 'notice', level: 'warning', text: `git log failed: ${(error as Error).message}` }];
    }
  }
}
