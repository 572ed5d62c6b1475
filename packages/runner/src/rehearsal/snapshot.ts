import { existsSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseAgentSpec } from '@understudy/agents';
import { defined, readIfThere, rehearsalStem, USER_FILE, writeWhole } from '@understudy/kit';
import { type Turn, unifiedDiff } from '@understudy/stage';
import { type CheckResult, statusOf } from '@understudy/verdict';
import { bareTurn, describeTurn, type KnownFolders, normalize } from './describe-turn.js';
import type { Rehearsal } from './load.js';
import { rowPart } from './rows/row-part.js';

export interface SnapshotOptions {
  /** Write what was seen instead of comparing it. */
  update: boolean;
  /** A snapshot that is missing is written, but never on CI: there it fails. */
  ci: boolean;
}

export interface SnapshotKey {
  rehearsal: Pick<Rehearsal, 'file' | 'row'>;
  agent: string;
  step: number;
  /** The version that really ran, where it is known. */
  version?: string | undefined;
}

/** Where the snapshot of a step is stored: beside the rehearsal. */
export interface SnapshotFiles {
  /** For every version and stage of the agent. */
  shared: string;
  /** For one version, where it differs from the others. It has precedence. */
  ofVersion: string | undefined;
}

export function snapshotFiles({ rehearsal, agent: spec, step, version: ran }: SnapshotKey): SnapshotFiles {
  const { agent, version = ran } = parseAgentSpec(spec);
  const named = (who: string) =>
    join(
      dirname(rehearsal.file),
      '__snapshots__',
      `${rehearsalStem(rehearsal.file)}${rowPart(rehearsal.row?.name)}.${who}.step-${step}.txt`,
    );
  return { shared: named(agent), ofVersion: version === undefined ? undefined : named(`${agent}@${version}`) };
}

/** Holds a turn against its stored snapshot. What failed otherwise is never stored as what is right. */
export function checkSnapshot(
  key: SnapshotKey,
  turn: Turn,
  folders: KnownFolders,
  { update, ci, failed = false }: SnapshotOptions & { failed?: boolean },
): CheckResult {
  const { shared, ofVersion } = snapshotFiles(key);
  const seen = `${normalize(describeTurn(turn), folders)}\n`;
  const own = ofVersion === undefined ? undefined : readIfThere(ofVersion);
  const stored = own ?? readIfThere(shared);
  const file = own === undefined || ofVersion === undefined ? shared : ofVersion;
  if (stored === seen) return result(file, true, 'the same', []);
  if (update || (stored === undefined && !ci)) {
    if (failed) return result(file, false, 'not written, because the step failed', [], 'Correct the step first.');
    if (describeTurn(turn) === bareTurn(turn)) {
      const fix = 'Make the step say or do something, or remove `snapshot = true`.';
      return result(file, false, 'not written, because nothing was said or done', [], fix);
    }
    return store(key, seen, { shared, ofVersion });
  }
  if (stored === undefined)
    return result(file, false, 'there is no snapshot', [], `Run it once without CI=true, and commit ${file}.`);
  return result(
    file,
    false,
    'it differs',
    [unifiedDiff(stored, seen)],
    namesVersion(key)
      ? `Look at the difference; \`understudy run -u --agent ${key.agent}\` stores it for this version.`
      : 'Look at the difference; `understudy run -u` stores the new one.',
  );
}

/** Who names a version stores what differs beside the snapshot of the others, and does not replace it. */
function store(key: SnapshotKey, seen: string, { shared, ofVersion }: SnapshotFiles): CheckResult {
  const common = readIfThere(shared);
  if (ofVersion !== undefined && common === seen) {
    rmSync(ofVersion, { force: true });
    return result(shared, true, 'the same as for other versions', []);
  }
  const hasOwn = ofVersion !== undefined && existsSync(ofVersion);
  const file = ofVersion !== undefined && (hasOwn || (namesVersion(key) && common !== undefined)) ? ofVersion : shared;
  const isNew = !existsSync(file);
  writeWhole(file, seen, USER_FILE);
  return result(file, true, isNew ? 'written' : 'updated', []);
}

function namesVersion({ agent }: SnapshotKey): boolean {
  return parseAgentSpec(agent).version !== undefined;
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
    ...defined({ suggestion }),
  };
}
