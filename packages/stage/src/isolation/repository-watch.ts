import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Enclosure } from '@understudy/kit';
import { isWithin } from './folders.js';
import { watchGit } from './git-alarm.js';
import { entriesOf, type GitPlace, listed, makeOpen, specialsIn, statOf } from './git-folder.js';
import { type GitSurroundings, isHarmless, leadsHome } from './harmless.js';
import { type GitSurvey, placesOf } from './own-repository.js';
import type { Isolation } from './provider.js';
import { readSmall } from './read-small.js';
import type { Attempt } from './watch.js';

/**
 * What was there before a command ran in the user's own repositories cannot be changed inside. Git obeys some names that
 * were not there, too, and folders around them can be moved: whatever is new and is neither work nor harmless is removed.
 */
export class RepositoryWatch {
  readonly #projects: readonly string[];
  /** By their numbers on the disk: a path may lead to something else afterwards. */
  readonly #known: ReadonlySet<string>;
  readonly #commands: ReadonlyMap<string, string>;
  readonly #todo: ReadonlySet<string>;
  readonly #folders: readonly string[];

  constructor({ projects, places, commands }: GitSurvey) {
    this.#projects = projects;
    const inside = foldersOf(places).flatMap((folder) => entriesOf(folder, projects));
    const inner = inside.flatMap(({ path, standing }) => (standing === 'folder' ? [path] : []));
    this.#folders = [...foldersOf(places), ...inner].filter((folder) => statOf(join(folder, 'HEAD')) !== undefined);
    const specials = inside.flatMap(({ path, standing }) => (standing === 'work' ? specialsIn(path) : []));
    const kept = inside.flatMap(({ path, standing }) => (standing === 'rest' ? [path] : []));
    this.#known = new Set([...places.map(({ path }) => path), ...specials, ...kept].map(numberOf));
    this.#commands = new Map(commands.map((path) => [path, numberOf(path)]));
    this.#todo = new Set(foldersOf(places).flatMap((folder) => todoOf(folder).filter(runsProgram)));
  }

  /** Calls when what a program outside would obey at once is there. */
  whileRunning(onNew: () => void) {
    const around = { projects: this.#projects, folders: this.#folders };
    const isNew = (path: string) => numberOf(path) !== NOTHING && !this.#isKnown(path) && !isHarmless(path, around);
    return watchGit(this.#folders, isNew, onNew);
  }

  /** Removes what git would obey later, and reports it. To be called when nothing runs inside. */
  refuse(): Attempt[] {
    const places = placesOf(this.#projects);
    const around = { projects: this.#projects, folders: foldersOf(places) };
    return [
      ...places.flatMap((place) => this.#refusePlace(place, around)),
      ...[...this.#commands].flatMap(([path, before]) => this.#refuseCommand(path, before, around)),
    ];
  }

  #refusePlace({ path, isFolder }: GitPlace, around: GitSurroundings): Attempt[] {
    if (!isFolder) return this.#isKnown(path) || leadsHome(path, around) ? [] : [removed(path)];
    const refused = entriesOf(path, this.#projects).flatMap((entry) => {
      if (entry.standing === 'folder') return [];
      if (entry.standing === 'work') return specialsIn(entry.path).filter((special) => !this.#isKnown(special));
      return this.#isKnown(entry.path) || isHarmless(entry.path, around) ? [] : [entry.path];
    });
    return [...refused.map(removed), ...this.#refusePrograms(path)];
  }

  /** A rebase that is left open says what `git rebase --continue` runs. */
  #refusePrograms(folder: string): Attempt[] {
    const lines = todoOf(folder);
    const isNew = (line: string) => runsProgram(line) && !this.#todo.has(line);
    if (!lines.some(isNew)) return [];
    const file = join(folder, TODO);
    writeFileSync(file, lines.filter((line) => !isNew(line)).join('\n'));
    return [{ kind: 'write', text: `${file} would run programs outside, and these lines were removed` }];
  }

  #refuseCommand(path: string, before: string, around: GitSurroundings): Attempt[] {
    const now = numberOf(path);
    if (now === before) return [];
    if (now === NOTHING) return [{ kind: 'write', text: `${path}, which git runs or obeys, is gone` }];
    const link = linkAbove(path, this.#projects);
    // Examples of hooks do not run.
    if (link === undefined && statOf(path)?.isDirectory() === true && isHarmless(path, around)) return [];
    return [removed(link ?? path)];
  }

  #isKnown(path: string): boolean {
    return this.#known.has(numberOf(path));
  }
}

/** An isolation after whose commands the repositories are looked at. */
export function watched(isolation: Isolation, watch: RepositoryWatch): Isolation {
  const { enclosure } = isolation;
  if (enclosure === undefined) return isolation;
  const attempts: Attempt[] = [];
  let running = 0;
  const enclose: Enclosure['enclose'] = (command, start) => {
    const enclosed = enclosure.enclose(command, start);
    let alarm: { close(): void } | undefined;
    running++;
    return {
      ...enclosed,
      started(pid) {
        enclosed.started(pid);
        alarm = watch.whileRunning(() => {
          enclosed.ending?.();
          if (pid > 0) process.kill(pid, 'SIGKILL');
        });
      },
      conclude(exit) {
        alarm?.close();
        const concluded = enclosed.conclude(exit);
        // What still runs could exchange what is looked at.
        if (--running === 0) attempts.push(...watch.refuse());
        return concluded;
      },
    };
  };
  return {
    ...isolation,
    enclosure: { enclose },
    look: (input) => [...attempts.splice(0), ...isolation.look(input)],
    async close() {
      await isolation.close();
      watch.refuse();
    },
  };
}

const NOTHING = 'nothing';

function numberOf(path: string): string {
  const found = statOf(path);
  return found === undefined ? NOTHING : `${found.dev} ${found.ino}`;
}

function foldersOf(places: readonly GitPlace[]): string[] {
  return places.filter(({ isFolder }) => isFolder).map(({ path }) => path);
}

function removed(path: string): Attempt {
  const what = `${path} was written, which git would run or obey outside`;
  try {
    makeOpen(dirname(path));
    for (const folder of foldersIn(path)) makeOpen(folder);
    rmSync(path, { recursive: true, force: true });
    return { kind: 'write', text: `${what}; it was removed` };
  } catch (error) {
    return { kind: 'write', text: `${what}; REMOVE IT by hand, it could not be removed: ${(error as Error).message}` };
  }
}

function foldersIn(path: string): string[] {
  if (statOf(path)?.isDirectory() !== true) return [];
  const inner = listed(path).filter((entry) => entry.isDirectory());
  return [path, ...inner.flatMap(({ name }) => foldersIn(join(path, name)))];
}

/** The first link on the way to a path: what is behind it may be anywhere. */
function linkAbove(path: string, projects: readonly string[]): string | undefined {
  const project = projects.find((one) => isWithin(path, one)) ?? dirname(path);
  let at = project;
  for (const name of relative(project, dirname(path)).split(sep)) {
    at = join(at, name);
    if (statOf(at)?.isSymbolicLink() === true) return at;
  }
  return undefined;
}

const TODO = 'rebase-merge/git-rebase-todo';

function todoOf(folder: string): string[] {
  return (readSmall(join(folder, TODO)) ?? '').split('\n');
}

function runsProgram(line: string): boolean {
  return /^\s*(?:x|exec)\b/.test(line);
}
