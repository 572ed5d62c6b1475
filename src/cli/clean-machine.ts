import { join } from 'node:path';
import { sweepScratch } from '@understudy/kit';
import { RUN_FOLDER, sweepFolderLock, sweepRuns } from '@understudy/runner';
import { print, printJson } from './output.js';

/** The folders of this project in which runs hold locks. */
const LOCKED_FOLDERS = [RUN_FOLDER, join(RUN_FOLDER, 'artifacts'), '.e2e-tests'];

/** Removes what processes that are gone have left on this machine and in this folder, and returns what it was. */
export async function cleanMachine({ json = false }: { json?: boolean }): Promise<number> {
  const { processes, containers, folders } = await sweepScratch();
  const runs = sweepRuns(RUN_FOLDER, { keepNewest: false });
  const locks = LOCKED_FOLDERS.flatMap((folder) => sweepFolderLock(folder) ?? []);
  if (json) {
    printJson({ ok: true, processes, containers, folders, runs, locks });
    return 0;
  }
  for (const line of processes) print(`ended    ${line}`);
  for (const name of containers) print(`removed  the container ${name}`);
  for (const path of [...folders, ...runs, ...locks]) print(`removed  ${path}`);
  const count = processes.length + containers.length + folders.length + runs.length + locks.length;
  print(count === 0 ? 'nothing was left by a killed run' : `\n${count} removed`);
  return 0;
}
