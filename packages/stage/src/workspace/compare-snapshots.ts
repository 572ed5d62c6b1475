import { unifiedDiff } from './line-diff.js';
import type { Snapshot, SnapshotEntry } from './snapshot.js';

/** What happened to one path between two snapshots. */
export interface Change {
  path: string;
  change: 'added' | 'removed' | 'modified';
  before?: SnapshotEntry;
  after?: SnapshotEntry;
}

function isSame(before: SnapshotEntry, after: SnapshotEntry): boolean {
  return before.kind === after.kind && before.hash === after.hash && before.executable === after.executable;
}

/** All differences between two moments of a workspace, in order of path. */
export function compareSnapshots(before: Snapshot, after: Snapshot): Change[] {
  const changes: Change[] = [];
  for (const path of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [old, fresh] = [before.get(path), after.get(path)];
    if (old === undefined && fresh !== undefined) changes.push({ path, change: 'added', after: fresh });
    else if (old !== undefined && fresh === undefined) changes.push({ path, change: 'removed', before: old });
    else if (old && fresh && !isSame(old, fresh)) changes.push({ path, change: 'modified', before: old, after: fresh });
  }
  return changes;
}

/** The changes as one text, in the form of git's diffs. Folders are left out; binary and long files are named only. */
export function formatChanges(changes: readonly Change[]): string {
  return changes
    .filter(({ before, after }) => (after ?? before)?.kind !== 'folder')
    .map(({ path, before, after }) => {
      const head = `--- ${before === undefined ? '/dev/null' : `a/${path}`}\n+++ ${after === undefined ? '/dev/null' : `b/${path}`}\n`;
      if ([before, after].some((entry) => entry !== undefined && entry.text === undefined)) {
        return `${head}binary or long file: ${before?.size ?? 0} → ${after?.size ?? 0} bytes\n`;
      }
      const mode = before && after && before.executable !== after.executable ? 'mode changed\n' : '';
      return head + mode + unifiedDiff(before?.text ?? '', after?.text ?? '');
    })
    .join('');
}
