import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isScratch } from '@understudy/kit';
import { isWithin, realPath } from './folders.js';
import { gitCommands } from './git-commands.js';
import { entriesOf, type GitPlace, gitPlaces } from './git-folder.js';
import { repositoryOf } from './linked-folders.js';

/** A folder of a repository that stays when the command is gone. */
export interface OwnRepository {
  /** Mounted, so that nobody can move it away and put another one in its place. */
  folder: string;
  /** What git would run or obey later, outside. It can only be read. */
  kept: string[];
}

/** What git has in projects that stay: copies go with the rehearsal, and there everything can be written. */
export interface GitSurvey {
  projects: readonly string[];
  places: readonly GitPlace[];
  /** What git runs or obeys outside of its own folders: the folder of its hooks, files of configuration. */
  commands: readonly string[];
}

/** To be made before an agent has run. */
export function surveyGit(given: readonly string[]): GitSurvey {
  const projects = given.flatMap((project) => realPath(project) ?? []);
  const places = placesOf(projects);
  const own = projects.filter((project) => !isScratch(project));
  const isOwn = (path: string) => own.some((project) => isWithin(path, project));
  const isInPlace = (path: string) => places.some((place) => isWithin(path, place.path));
  const trees = [...own, ...places.map(({ path }) => dirname(path)).filter(isOwn)];
  const commands = [...new Set(trees)].flatMap(gitCommands).map(writtenHooksFolder).flatMap(underAllNames);
  return { projects, places, commands: [...new Set(commands)].filter((path) => isOwn(path) && !isInPlace(path)) };
}

export function placesOf(projects: readonly string[]): GitPlace[] {
  return projects.flatMap((project) => [
    ...(isScratch(project) ? [] : gitPlaces(project)),
    // A worktree's repository is elsewhere, and no copy.
    ...repositoryOf(project).map((path) => ({ path, isFolder: true })),
  ]);
}

/** What is mounted: a command may work in the repositories, but what git obeys stays as it is. */
export function ownRepositories({ projects, places, commands }: GitSurvey): OwnRepository[] {
  return [
    ...places.flatMap(({ path, isFolder }) => (isFolder ? withInner(path, projects) : [whole(path)])),
    ...commands.filter((path) => realPath(path) === path).map(whole),
  ];
}

/** Husky has what people write beside the folder that git runs. */
export function writtenHooksFolder(path: string): string {
  return basename(path) === '_' ? dirname(path) : path;
}

function underAllNames(path: string): string[] {
  const around = realPath(dirname(path));
  return [path, ...[realPath(path) ?? []].flat(), ...(around === undefined ? [] : [join(around, basename(path))])];
}

function withInner(folder: string, projects: readonly string[]): OwnRepository[] {
  const entries = entriesOf(folder, projects);
  // What is a link cannot be protected by itself.
  if (entries.some(({ path }) => lstatSync(path).isSymbolicLink())) return [whole(folder)];
  const folders = [folder, ...entries.filter(({ standing }) => standing === 'folder').map(({ path }) => path)];
  const kept = entries.filter(({ standing }) => standing === 'rest').map(({ path }) => path);
  return folders.map((path) => ({ folder: path, kept: kept.filter((one) => dirname(one) === path) }));
}

function whole(path: string): OwnRepository {
  return { folder: path, kept: [path] };
}
