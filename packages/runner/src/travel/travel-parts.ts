import { existsSync, readdirSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isInside, readSource, rehearsalStem, UnderstudyError } from '@understudy/kit';
import { fromRehearsal, type Rehearsal } from '../rehearsal/load.js';

/**
 * What a rehearsal may need on another machine besides its parts: its snapshots, and every file or folder that its text
 * names by a relative path (programs, texts, folders for `PATH`, replaced servers). Rather one too many than one too few.
 */
export function travelParts(rehearsal: Rehearsal): string[] {
  refuseAbsolute(rehearsal);
  const named = namedPaths(rehearsal).filter((path) => existsSync(path));
  return [...new Set([...named, ...snapshotsOf(rehearsal)])];
}

/** Everything that the text of a rehearsal could mean by a relative path, whether it is there or not. */
export function namedPaths(rehearsal: Rehearsal): string[] {
  const { scenario } = rehearsal.document;
  const texts = [
    rehearsal.source.text ?? JSON.stringify(rehearsal.exported),
    ...(scenario === undefined ? [] : [readSource(fromRehearsal(rehearsal, scenario)).text]),
  ];
  const own = resolve(dirname(rehearsal.file));
  const ofBases = (rehearsal.bases ?? []).flatMap(({ file = '', text = '' }) =>
    quoted(text).map((path) => resolve(dirname(file), path)),
  );
  const named = [
    ...texts.flatMap((text) => quoted(text ?? '')).map((path) => fromRehearsal(rehearsal, path)),
    ...ofBases,
  ]
    // A folder above would bring all that is in it.
    .filter((path) => !isInside(path, own));
  return [...new Set(named)];
}

/** The words of all quoted texts that could be relative paths. */
function quoted(text: string): string[] {
  return [...text.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)]
    .flatMap(([, one, other]) => (one ?? other ?? '').split(/\s+/))
    .map((word) => word.replace(/^@/, ''))
    .filter((word) => /^[\w.]/.test(word) && /[./]/.test(word) && !word.includes('\\'));
}

function snapshotsOf({ file }: Rehearsal): string[] {
  const folder = join(dirname(file), '__snapshots__');
  if (!existsSync(folder)) return [];
  const prefix = `${rehearsalStem(file)}.`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .map((name) => resolve(folder, name));
}

function refuseAbsolute({
  file,
  row,
  document: { scenario, plugins = [], project, workflow, checks = {} },
}: Rehearsal): void {
  for (const path of [scenario, ...plugins, project?.path, workflow, row?.file, ...Object.values(checks)]) {
    if (path === undefined || !isAbsolute(path)) continue;
    throw new UnderstudyError('BUNDLE_PATH_REFUSED', `${file} names ${path}, which other machines do not have`, {
      fix: 'Name it by a path relative to the rehearsal.',
      location: { file },
    });
  }
}
