import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isInsideAny } from '../../../claude-code/permissions/inside.js';
import { isObject, type JsonObject, readIfThere } from '../../../document/json.js';
import { countChanges, structuredPatch } from './patch.js';

/** One state of a file: a copy of it, or that there was none. */
interface Backup {
  backupFileName: string | null;
  version: number;
  backupTime: string;
  realParentDir: string;
}

/** The files as they were when a message came. */
interface Snapshot {
  messageId: string;
  trackedFileBackups: Record<string, Backup>;
  timestamp: string;
}

interface Owner {
  /** Where the copies are. */
  folder: string;
  cwd: string;
  now(): string;
  /** Keeps a line for the next process of the session. */
  write(line: JsonObject & { type: string }): void;
}

/** What a host hears of a way back that is not gone. */
export interface Preview {
  filesChanged: string[];
  insertions: number;
  deletions: number;
}

export const NO_CHECKPOINT = 'No file checkpoint found for this message.';

/** The files that the agent has changed, as they were at each message of the user. */
export class FileHistory {
  readonly #owner: Owner;
  readonly #snapshots: Snapshot[] = [];

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** Goes on with what an earlier process has kept; a fork has the copies in another folder. */
  restore(lines: readonly JsonObject[], folder: string): void {
    for (const line of lines) this.#restoreLine(line);
    if (folder === this.#owner.folder) return;
    const names = this.#snapshots.flatMap(({ trackedFileBackups }) =>
      Object.values(trackedFileBackups).flatMap(({ backupFileName }) => backupFileName ?? []),
    );
    for (const name of names) if (existsSync(join(folder, name))) copyFile(join(folder, name), this.#copyOf(name));
  }

  /** A message of the user has come. */
  begin(messageId: string): void {
    const before = this.#snapshots.at(-1)?.trackedFileBackups ?? {};
    const trackedFileBackups = Object.fromEntries(
      Object.entries(before).map(([path, backup]) => [
        path,
        this.#differs(path, backup) ? this.#keep(path, backup) : backup,
      ]),
    );
    const snapshot = { messageId, trackedFileBackups, timestamp: this.#owner.now() };
    this.#snapshots.push(snapshot);
    this.#owner.write({ type: 'file-history-snapshot', messageId, snapshot, isSnapshotUpdate: false });
  }

  /** A file is about to be changed. */
  track(file: string, messageId: string): void {
    const { cwd, now, write } = this.#owner;
    const snapshot = this.#snapshots.at(-1);
    const trackingPath = isInsideAny([cwd], file) ? relative(cwd, file) : file;
    if (snapshot === undefined || snapshot.trackedFileBackups[trackingPath] !== undefined) return;
    const backup = this.#keep(trackingPath);
    snapshot.trackedFileBackups[trackingPath] = backup;
    const { messageId: snapshotMessageId } = snapshot;
    write({ type: 'file-history-delta', messageId, snapshotMessageId, trackingPath, backup, timestamp: now() });
  }

  /** What a way back to a message would change. */
  preview(messageId: unknown): Preview {
    const changes = this.#changesTo(messageId).map(({ path, backup }) => {
      const patch = structuredPatch(readIfThere(this.#full(path)) ?? '', this.#contentOf(backup) ?? '');
      return { path: this.#full(path), ...countChanges(patch) };
    });
    return {
      filesChanged: changes.map(({ path }) => path),
      insertions: changes.reduce((sum, { linesAdded }) => sum + linesAdded, 0),
      deletions: changes.reduce((sum, { linesRemoved }) => sum + linesRemoved, 0),
    };
  }

  /** Makes the files what they were at a message. Gives how many were left alone because they are links. */
  rewind(messageId: unknown): number {
    let skipped = 0;
    for (const { path, backup } of this.#changesTo(messageId)) {
      const file = this.#full(path);
      if (isLinked(file)) skipped++;
      else if (backup.backupFileName === null) rmSync(file, { force: true });
      else copyFile(this.#copyOf(backup.backupFileName), file);
    }
    return skipped;
  }

  #changesTo(messageId: unknown): { path: string; backup: Backup }[] {
    const wanted = this.#snapshots.findLast((snapshot) => snapshot.messageId === messageId);
    if (wanted === undefined) throw new Error(NO_CHECKPOINT);
    const paths = Object.keys(this.#snapshots.at(-1)?.trackedFileBackups ?? {});
    return paths
      .map((path) => ({ path, backup: wanted.trackedFileBackups[path] ?? this.#oldest(path) }))
      .filter((change): change is { path: string; backup: Backup } => change.backup !== undefined)
      .filter(({ path, backup }) => this.#differs(path, backup));
  }

  /** A file that was changed later was before that as it is in its first copy. */
  #oldest(path: string): Backup | undefined {
    return this.#snapshots.find(({ trackedFileBackups }) => path in trackedFileBackups)?.trackedFileBackups[path];
  }

  #keep(path: string, before?: Backup): Backup {
    const file = this.#full(path);
    const version = (before?.version ?? 0) + 1;
    const backupFileName = existsSync(file) ? `${nameFor(file)}@v${version}` : null;
    if (backupFileName !== null) copyFile(file, this.#copyOf(backupFileName));
    return { backupFileName, version, backupTime: this.#owner.now(), realParentDir: dirname(file) };
  }

  #differs(path: string, backup: Backup): boolean {
    return readIfThere(this.#full(path)) !== this.#contentOf(backup);
  }

  #contentOf({ backupFileName }: Backup): string | undefined {
    return backupFileName === null ? undefined : readIfThere(this.#copyOf(backupFileName));
  }

  #full(path: string): string {
    return resolve(this.#owner.cwd, path);
  }

  #copyOf(name: string): string {
    return join(this.#owner.folder, name);
  }

  #restoreLine({ type, snapshot, snapshotMessageId, trackingPath, backup }: JsonObject): void {
    if (type === 'file-history-snapshot' && isSnapshot(snapshot)) this.#snapshots.push(snapshot);
    const last = this.#snapshots.at(-1);
    if (type === 'file-history-delta' && last !== undefined && last.messageId === snapshotMessageId && isBackup(backup))
      last.trackedFileBackups[String(trackingPath)] = backup;
  }
}

/** Copies are only looked for in their own folder, whatever a transcript says. */
function isBackup(value: unknown): value is Backup {
  if (!isObject(value)) return false;
  const { backupFileName: name, version } = value;
  return typeof version === 'number' && (name === null || (typeof name === 'string' && /^[\w@]+$/.test(name)));
}

function isSnapshot(value: unknown): value is Snapshot {
  if (!isObject(value) || typeof value['messageId'] !== 'string') return false;
  const { trackedFileBackups: backups } = value;
  return isObject(backups) && Object.values(backups).every(isBackup);
}

function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function isLinked(file: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat !== undefined && (!stat.isFile() || stat.nlink > 1);
}

/** Copies of one file have one name. */
function nameFor(file: string): string {
  return createHash('sha256').update(file).digest('hex').slice(0, 16);
}
