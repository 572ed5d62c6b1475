import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isScratch } from '../process/scratch.js';
import { realPath } from './folders.js';

/** A repository that stays when the command is gone. */
export interface OwnRepository {
  /** Its `.git`: mounted, so that nobody can move it away and put another one in its place. */
  folder: string;
  /** What git would run or obey later, outside. It can only be read. */
  kept: string[];
}

/**
 * The user's own repositories among the projects: a command may commit there, but leaves no hooks. To be looked for before
 * an agent has run. In copies, which go with the rehearsal, everything can be written.
 */
export function ownRepositories(projects: readonly string[]): OwnRepository[] {
  const found = projects.flatMap((project) => realPath(project) ?? []).filter((project) => !isScratch(project));
  return found
    .map((project) => join(project, '.git'))
    .filter((folder) => lookAt(folder)?.isDirectory() === true)
    .map((folder) => {
      const [hooks, config] = [join(folder, 'hooks'), join(folder, 'config')];
      const isUsual = lookAt(hooks)?.isDirectory() === true && lookAt(config)?.isFile() === true;
      // A link or a missing folder cannot be protected by itself.
      return { folder, kept: isUsual ? [hooks, config] : [folder] };
    });
}

const lookAt = (path: string) => lstatSync(path, { throwIfNoEntry: false });
