import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { inWords, makeFolder, UnderstudyError } from '@understudy/kit';
import { settleFileTimes } from './file-times.js';
import { type ProjectName, projectName } from './project-name.js';
import { ProjectSpec } from './project-spec.js';
import { writeSampleFiles } from './sample-files.js';
import { type ProjectCommands, projectCommands, projectFiles } from './templates.js';

/** A test project on disk. */
export interface Project extends ProjectCommands {
  folder: string;
  type: ProjectSpec['type'];
  language: ProjectSpec['language'];
  name: ProjectName;
  /** Paths of its files, relative and sorted. */
  files: string[];
}

/** Makes a test project in a folder that is new or empty. */
export function createProject(folder: string, wanted: ProjectSpec): Project {
  const spec = parseSpec(wanted);
  const name = projectName(spec.type, spec.language, spec.name);
  const root = resolve(folder);
  if (existsSync(root) && readdirSync(root).length > 0) {
    throw new UnderstudyError('WORKSPACE_NOT_EMPTY', `${root} is not empty, so no project is made there`, {
      fix: 'Name a new or empty folder.',
    });
  }
  makeFolder(root);
  const { created } = writeSampleFiles(root, projectFiles(spec, name));
  settleFileTimes(root);
  return {
    folder: root,
    type: spec.type,
    language: spec.language,
    name,
    files: created.sort(),
    ...projectCommands(spec),
  };
}

function parseSpec(wanted: ProjectSpec): ProjectSpec {
  const { success, data, error } = ProjectSpec.safeParse(wanted, inWords);
  if (success) return data;
  const [issue] = error.issues;
  throw new UnderstudyError('WORKSPACE_BAD_PROJECT', `${issue?.path.join('.')}: ${issue?.message}`, {
    fix: 'Use web-app, cli or library for type, and python, javascript or go for language; name is optional.',
    cause: error,
  });
}
