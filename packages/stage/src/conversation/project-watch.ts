import { execFileSync } from 'node:child_process';
import { type EventBody, UnreadableEvents } from '@understudy/agents';
import { defined, describeUnreadable, UnderstudyError, UntrustedFolder } from '@understudy/kit';
import { compareSnapshots } from '../workspace/compare-snapshots.js';
import { gitEnvironment, readHeads } from '../workspace/git.js';
import { type Snapshot, type SnapshotOptions, takeSnapshot } from '../workspace/snapshot.js';

const CHANGES = { added: 'created', removed: 'deleted', modified: 'modified' } as const;

/** What happened to the project in a turn. */
export interface ProjectChanges {
  events: EventBody[];
  /** Why the files could not be compared, when it is this turn that made it so. */
  problem?: UnderstudyError;
}

/** The project before the first turn, as far as it is worth keeping for reports. */
export interface FirstFiles {
  files: { path: string; text?: string }[];
  /** How many files were left out. */
  more: number;
}

/** Git itself waits for ever where an agent puts a FIFO among its files. */
const GIT_MS = 10_000;

const MOST_FILES = 1_000;
const MOST_CHARACTERS = 500_000;

/** Compares a project before and after each turn: which files changed, which commits are new. */
export class ProjectWatch {
  readonly #cwd: string;
  readonly #limits: SnapshotOptions;
  /** The files at the last look, or why they cannot be watched. */
  #files: Snapshot | UnderstudyError = new Map();
  #heads: readonly string[] = [];
  readonly #folder: UntrustedFolder;
  readonly #unreadable: UnreadableEvents;

  constructor(cwd: string, limits: SnapshotOptions = {}) {
    this.#cwd = cwd;
    this.#limits = limits;
    this.#folder = new UntrustedFolder(cwd);
    this.#unreadable = new UnreadableEvents(this.#folder);
  }

  /** Looks for the first time, and returns what it saw. A project that cannot be watched gives a warning. */
  begin(onFiles: (files: FirstFiles) => void = () => {}): EventBody[] {
    this.#heads = readHeads(this.#folder);
    this.#files = this.#look();
    const unwatched = this.#folder.unreadable.map((one) => `commits are not watched: ${describeUnreadable(one)}`);
    // It is how the user made it.
    this.#unreadable.look();
    if (this.#files instanceof UnderstudyError) unwatched.push(`file changes are not watched: ${this.#files.message}`);
    else onFiles(firstFiles(this.#files));
    return unwatched.map((text) => ({ type: 'notice', level: 'warning', text }));
  }

  /** What has happened since the last look. Never throws: it is called where the agent's output is read. */
  changes(): ProjectChanges {
    const before = this.#files;
    // Without the state before the turn its changes are unknown, whatever the folder holds now.
    if (before instanceof UnderstudyError) return { events: [notWatched(before), ...this.#commits()] };
    const after = this.#look();
    this.#files = after;
    if (after instanceof UnderstudyError) return { events: [notWatched(after), ...this.#commits()], problem: after };
    return { events: [...fileEvents(before, after), ...this.#commits()] };
  }

  #look(): Snapshot | UnderstudyError {
    try {
      return takeSnapshot(this.#cwd, this.#limits);
    } catch (error) {
      if (error instanceof UnderstudyError) return error;
      throw error;
    }
  }

  #commits(): EventBody[] {
    const before = this.#heads;
    this.#heads = readHeads(this.#folder);
    const moved = this.#heads.filter((id) => !before.includes(id));
    if (moved.length === 0) return this.#unreadable.look();
    try {
      // Waiting here keeps the commits in their turn; it happens only when there is one.
      const format = '--format=%x1e%H%x1f%B%x1f';
      const log = execFileSync('git', ['log', '--reverse', format, '--name-only', '--stdin'], {
        // A project may have more tags than a command line can name.
        input: [...moved, ...before.map((id) => `^${id}`), ''].join('\n'),
        cwd: this.#cwd,
        env: gitEnvironment(),
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
        timeout: GIT_MS,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      return log.split('\x1e').flatMap((entry): EventBody[] => {
        const [hash = '', message = '', files = ''] = entry.split('\x1f');
        if (hash.trim() === '') return [];
        const names = files.split('\n').filter((name) => name !== '');
        return [{ type: 'commit', hash: hash.trim(), message: message.trim(), files: names }];
      });
    } catch (error) {
      return [{ type: 'unreadable', path: '.git', reason: `cannot be read by git log: ${(error as Error).message}` }];
    }
  }
}

function firstFiles(snapshot: Snapshot): FirstFiles {
  const all = [...snapshot].filter(([, { kind }]) => kind !== 'folder');
  let room = MOST_CHARACTERS;
  const files = all.slice(0, MOST_FILES).map(([path, { text }]) => {
    if (text === undefined || text.length > room) return { path };
    room -= text.length;
    return { path, text };
  });
  return { files, more: all.length - files.length };
}

function fileEvents(before: Snapshot, after: Snapshot): EventBody[] {
  return compareSnapshots(before, after)
    .filter((change) => (change.after ?? change.before)?.kind !== 'folder')
    .map(({ path, change, before: old, after: fresh }) => ({
      type: 'file_changed',
      path,
      change: CHANGES[change],
      ...defined({ before: old?.text, after: fresh?.text }),
    }));
}

function notWatched({ message, fix }: UnderstudyError): EventBody {
  return { type: 'files_not_watched', message, ...defined({ fix }) };
}
