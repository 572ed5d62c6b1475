import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { defined, makeFolder, UnderstudyError } from '@understudy/kit';
import {
  copyFolder,
  createProject,
  initRepository,
  type Project,
  settleFileTimes,
  writeSampleFiles,
} from '@understudy/stage';
import type { ProjectDescription } from './schema.js';

/** Commits of a generated project are the same in every run. */
const COMMIT_DATE = '2026-01-01T00:00:00Z';

/**
 * Makes a project in a new folder: generated, copied or empty; with its own files, and git.
 * `from` is the folder that `path` is relative to; `adjust` is called before the first commit. Gives the project if it
 * was generated.
 */
export async function prepareProject(
  description: ProjectDescription,
  folder: string,
  from: string,
  adjust: (folder: string) => void = () => {},
): Promise<Project | undefined> {
  const { type, language, name, path, files, git } = description;
  let project: Project | undefined;
  if (path !== undefined) copyProject(resolve(from, path), folder);
  else if (type !== undefined && language !== undefined) {
    project = createProject(folder, { type, language, ...defined({ name }) });
  } else makeFolder(folder);
  const samples = Object.entries(files ?? {}).map(([file, content]) => ({ path: file, content }));
  if (samples.length > 0) writeSampleFiles(folder, samples);
  adjust(folder);
  settleFileTimes(folder);
  if (git === true) await initRepository(folder, { date: COMMIT_DATE });
  return project;
}

function copyProject(from: string, folder: string): void {
  if (!existsSync(from)) {
    throw new UnderstudyError('FOLDER_NOT_FOUND', `there is no project folder ${from}`, {
      fix: '`path` is relative to the file that names it',
    });
  }
  copyFolder(from, folder);
}
