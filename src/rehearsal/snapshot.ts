import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseAgentSpec } from '../agents/spec.js';
import { type CheckResult, statusOf } from '../checks/result.js';
import type { Turn } from '../conversation/turn.js';
import { unifiedDiff } from '../workspace/line-diff.js';
import { describeTurn, type KnownFolders, normalize } from './describe-turn.js';
import { REHEARSAL_ENDING, type Rehearsal } from './load.js';

export interface SnapshotOptions {
  /** Write what was seen instead of comparing it. */
  update: boolean;
  /** A snapshot that is missing is written, but never on CI: there it fails. */
  ci: boolean;
}

export interface SnapshotKey {
  rehearsal: Pick<Rehearsal, 'file'>;
  agent: string;
  step: number;
}

/** Where the snapshot of a step is stored: beside the rehearsal, one for each agent, whatever its version and stage. */
export function snapshotFile({ rehearsal, agent, step }: SnapshotKey): string {
  const name = `${basename(rehearsal.file, REHEARSAL_ENDING)}.${parseAgentSpec(agent).agent}.step-${step}.txt`;
  return join(dirname(rehearsal.file), '__snapshots__', name);
}

/** Holds a turn against its stored snapshot. What failed otherwise is never stored as what is right. */
export function checkSnapshot(
  key: SnapshotKey,
  turn: Turn,
  folders: KnownFolders,
  { update, ci, failed = false }: SnapshotOptions & { failed?: boolean },
): CheckResult {
  const file = snapshotFile(key);
  const seen = `${normalize(describeTurn(turn), folders)}\n`;
  const stored = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (stored === seen) return result(file, true, 'the same', []);
  if (update || (stored === undefined && !ci)) {
    if (failed) return result(file, false, 'not written, because the step failed', [], 'Correct the step first.');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, seen);
    return result(file, true, stored === undefined ? 'written' : 'updated', []);
  }
  if (stored === undefined)
    return result(file, false, 'there is no snapshot', [], `Run it once without CI=true, and commit ${file}.`);
  return result(
    file,
    false,
    'it differs',
    [unifiedDiff(stored, seen)],
    'Look at the difference; `understudy run -u` stores the new one.',
  );
}

function result(file: string, passed: boolean, actual: string, evidence: string[], suggestion?: string): CheckResult {
  return {
    name: 'snapshot',
    category: 'text',
    subject: { kind: 'snapshot', file: basename(file) },
    status: statusOf(passed),
    expected: 'the stored snapshot',
    actual,
    evidence,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
