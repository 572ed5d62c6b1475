import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, renameSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isInside, REPRO_ENDING, refuseLinks, UnderstudyError, writeOwnFile } from '@understudy/kit';
import { type RunResult, redChecks } from '@understudy/verdict';
import type { EntryOptions } from '../rehearsal/entries.js';
import { type Rehearsal, toRows } from '../rehearsal/load.js';
import { type BrokenRehearsal, isBroken, loadRehearsals } from '../rehearsal/load-files.js';
import { RUN_FOLDER } from '../run/last-run.js';
import { linkOwnPackage, placeFile, placeLink } from './bundle.js';
import { type Repro, type ReproPart, readRepro } from './repro-file.js';

/** An exported test, unpacked and loaded. */
export interface OpenedRepro {
  file: string;
  folder: string;
  repro: Repro;
  /** Its rehearsal, or the row of it. */
  loaded: (Rehearsal | BrokenRehearsal)[];
  /** How it is played, where nobody says otherwise. */
  options: Pick<EntryOptions, 'agents' | 'stage'>;
}

export function isRepro(path: string): boolean {
  return path.endsWith(REPRO_ENDING);
}

/** Unpacks an exported test below `.understudy`, where it stays for a look, and loads it. */
export function openRepro(file: string, { agents, stage }: EntryOptions): OpenedRepro {
  const repro = readRepro(file);
  const { play } = repro;
  if (play.stage === 'live' && stage === undefined) {
    throw new UnderstudyError(
      'REPRO_LIVE',
      `${file} is played on the stage live: it costs money and gets your credentials`,
    );
  }
  const folder = unpacked(repro, join(RUN_FOLDER, 'repro', basename(file, REPRO_ENDING)));
  const rehearsal = join(folder, play.rehearsal);
  const { row, document } = play;
  const all =
    document === undefined ? loadRehearsals([rehearsal]) : toRows({ value: document, file: rehearsal }, rehearsal);
  const loaded = all.filter((one) => isBroken(one) || one.row?.name === row);
  return { file, folder, repro, loaded, options: { agents: agents ?? play.agents, stage: stage ?? play.stage } };
}

/** What was changed there is not overwritten, and not played as if it were the file. */
function unpacked(repro: Repro, folder: string): string {
  refuseLinks(RUN_FOLDER, dirname(folder), folder);
  if (existsSync(folder)) {
    const changed = repro.files.find((part) => !isAsWritten(folder, part));
    if (changed === undefined) return folder;
    throw new UnderstudyError('REPRO_CHANGED', `${join(folder, changed.path)} is not what the file has`, {
      fix: `Run \`understudy run ${join(folder, repro.play.rehearsal)}\`, or remove ${folder} to begin anew.`,
    });
  }
  // Half of it, after a kill, never has the name.
  const fresh = `${folder}.${process.pid}.new`;
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  writeOwnFile(join(RUN_FOLDER, '.gitignore'), '*\n');
  for (const part of repro.files) {
    if ('folder' in part) mkdirSync(join(fresh, part.path), { recursive: true });
    else if (!('link' in part)) placeFile(fresh, { ...part, kind: 'file' }, contentOf(part));
  }
  for (const part of repro.files) {
    if ('link' in part) placeLink(fresh, { path: part.path, kind: 'link', target: part.link });
  }
  linkOwnPackage(fresh);
  renameSync(fresh, folder);
  return folder;
}

function contentOf(part: Exclude<ReproPart, { link: string } | { folder: true }>): Buffer {
  return 'lines' in part ? Buffer.from(part.lines.join('\n')) : Buffer.from(part.base64, 'base64');
}

function isAsWritten(folder: string, part: ReproPart): boolean {
  const path = join(folder, part.path);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if ('folder' in part) return stats?.isDirectory() === true;
  if ('link' in part) return stats?.isSymbolicLink() === true && readlinkSync(path) === part.link;
  return stats?.isFile() === true && readFileSync(path).equals(contentOf(part));
}

/** What the rehearsal of a stranger is made of lies in its folder: nothing of this machine becomes part of it. */
export function refuseOutside({ file, folder }: OpenedRepro, parts: readonly string[]): void {
  const root = resolve(folder);
  const outside = parts.map((part) => resolve(part)).find((part) => !isInside(root, part));
  if (outside === undefined) return;
  throw new UnderstudyError('REPRO_INVALID', `${file} uses ${relative(root, outside)}, which is no part of it`);
}

/** Whether a run has shown again what was red, in a sentence; nothing if the test is not in it. */
export function describeReproduction({ file, folder, repro }: OpenedRepro, run: RunResult): string | undefined {
  const entry = run.entries.find((one) => isInside(resolve(folder), resolve(one.file ?? '')));
  if (entry === undefined || entry.status === 'skipped' || entry.status === 'interrupted') return undefined;
  const now = new Set(redChecks(entry).map(({ step, check }) => `${step} ${check.name}`));
  const missing = repro.red.filter(({ step, check }) => !now.has(`${step} ${check}`) && entry.error?.code !== check);
  if (missing.length === 0) return `${file}: red as when it was exported`;
  const names = missing.map(({ step, check }) => (step === undefined ? check : `step ${step}, ${check}`));
  return `${file}: not red any more: ${names.join('; ')}`;
}
