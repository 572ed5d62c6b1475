import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Entry } from '../rehearsal/entry.js';
import { REHEARSAL_ENDING } from '../rehearsal/load.js';

/** Keeps the project, events and requests of an entry for a look. Gives the folder; what was there from an earlier run goes. */
export function keepArtifacts(entry: Entry, from: string, artifacts: string): string {
  const folder = join(artifacts, artifactsName(entry));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(artifacts, { recursive: true });
  cpSync(from, folder, { recursive: true, verbatimSymlinks: true });
  return folder;
}

/** Two rehearsals of one name in different folders must not share a folder: so the path is in it. */
function artifactsName({ rehearsal, agent, stage, round }: Entry): string {
  const folder = relative('.', dirname(resolve(rehearsal.file)));
  const path = join(folder, basename(rehearsal.file, REHEARSAL_ENDING)).replace(/[\\/]+/g, '-');
  const name = [path, agent, stage, ...(round > 1 ? [`round-${round}`] : [])].join('.');
  return name.replace(/^[.-]+/, '').replace(/[^\w.@-]/g, '-');
}
