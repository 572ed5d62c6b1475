import { isDeepStrictEqual } from 'node:util';
import { UnderstudyError } from '@understudy/kit';
import { type JournalHead, type ReadJournal, readJournal } from './journal.js';
import { unfinishedRuns } from './run-folder.js';

/** A run that was killed, and what is known of it. */
export interface Resumed {
  folder: string;
  journal: ReadJournal;
}

/** The last run that did not end and has results; with `output`, the one in that folder. */
export function findUnfinished(output: string | undefined, root?: string): Resumed {
  const folders = output === undefined ? unfinishedRuns(root) : [output];
  for (const folder of folders) {
    const journal = readJournal(folder);
    if (journal !== undefined && journal.finished.size > 0) return { folder, journal };
  }
  throw new UnderstudyError('NOTHING_TO_RESUME', `no run was left unfinished in ${output ?? 'this folder'}`, {
    fix: 'Run without --resume. If the killed run had --output, name the same folder.',
  });
}

/** Throws when the killed run had another plan: old results of other tests would be half a truth. */
export function refuseOtherPlan(before: JournalHead, now: JournalHead): void {
  const changes = changesOf(before, now);
  if (changes.length === 0) return;
  const shown = changes.slice(0, 5).join('; ');
  const rest = changes.length > 5 ? `; and ${changes.length - 5} more` : '';
  throw new UnderstudyError('RESUME_PLAN_CHANGED', `this is not the run that was killed: ${shown}${rest}`, {
    fix: 'Run without --resume, or give the same paths and flags and put back what was changed.',
  });
}

function changesOf(before: JournalHead, now: JournalHead): string[] {
  const changes: string[] = [];
  if (before.understudy_version !== now.understudy_version)
    changes.push(`understudy was ${before.understudy_version} and is ${now.understudy_version}`);
  const names = new Set([...Object.keys(before.settings), ...Object.keys(now.settings)]);
  for (const name of names) {
    const [was, is] = [before.settings[name], now.settings[name]];
    if (!isDeepStrictEqual(was, is)) changes.push(`--${name} was ${described(was)} and is ${described(is)}`);
  }
  const [old, fresh] = [byName(before), byName(now)];
  for (const [name, fingerprint] of fresh) {
    if (!old.has(name)) changes.push(`${name} is new`);
    else if (old.get(name) !== fingerprint) changes.push(`the files of ${name} have changed`);
  }
  for (const name of old.keys()) if (!fresh.has(name)) changes.push(`${name} is missing`);
  if (changes.length === 0 && !isDeepStrictEqual(before.entries, now.entries)) changes.push('the order has changed');
  return changes;
}

function described(value: unknown): string {
  return value === undefined ? 'not given' : JSON.stringify(value);
}

function byName({ entries }: JournalHead): Map<string, string> {
  return new Map(
    entries.map(({ key, round, fingerprint }) => [round > 1 ? `${key}, round ${round}` : key, fingerprint]),
  );
}
