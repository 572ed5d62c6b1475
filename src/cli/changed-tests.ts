import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { agentModuleFiles } from '@understudy/agents';
import { configFile, countOf, isInside } from '@understudy/kit';
import { type Entry, touchedBy } from '@understudy/runner';
import { changedFiles } from '@understudy/stage';
import type { Found } from '../public/run-paths.js';
import { printNote } from './output.js';

/** `--changed [REF]`: which entries a change can touch; nothing without the flag. */
export async function touchedTests(
  paths: readonly string[],
  { rehearsals, entries }: Pick<Found, 'rehearsals' | 'entries'>,
  changed: string | true | undefined,
): Promise<((entry: Entry) => boolean) | undefined> {
  if (changed === undefined) return undefined;
  const tops: string[] = [];
  const files = new Set<string>();
  for (const folder of new Set(paths.map(folderOf))) {
    if (tops.some((top) => isInside(top, folder))) continue;
    const found = await changedFiles(folder, changed === true ? undefined : changed);
    tops.push(found.top);
    for (const file of found.files) files.add(file);
  }
  const config = configFile();
  const common = [...(config === undefined ? [] : [resolve(config)]), ...agentModuleFiles()];
  const isTouched = touchedBy({ files: [...files], tops, common }, rehearsals);
  const count = entries.filter(isTouched).length;
  const since = changed === true ? '' : ` since ${changed}`;
  printNote(`${countOf(files.size, 'file')} changed${since}: ${count} of ${countOf(entries.length, 'test')} touched`);
  return isTouched;
}

function folderOf(path: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return resolve(isFolder ? path : dirname(path));
}
