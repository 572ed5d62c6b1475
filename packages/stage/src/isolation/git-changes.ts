import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { realPath } from './folders.js';
import { gitCommands } from './git-commands.js';
import { entriesOf, listed, namedByFile, statOf } from './git-folder.js';
import { isHarmless } from './harmless.js';
import { writtenHooksFolder } from './own-repository.js';
import { readSmall } from './read-small.js';

/**
 * What git runs or obeys in the repository of a folder, before and after a command that nothing kept apart: then it can
 * only be reported. Repositories within the folder are not looked at: that would take long in a large one.
 */
export class GitChanges {
  readonly #projects: readonly string[];
  readonly #paths: readonly string[];
  readonly #before: ReadonlyMap<string, string>;

  constructor(folder: string) {
    const project = realPath(folder) ?? folder;
    this.#projects = [project];
    const named = namedByFile(join(project, '.git'));
    this.#paths = [
      join(project, '.git'),
      ...(named === undefined ? [] : [named]),
      ...gitCommands(project).map(writtenHooksFolder),
    ];
    this.#before = this.#look();
  }

  /** Paths, each with what became of it. */
  find(): string[] {
    const now = this.#look();
    const before = this.#before;
    const surroundings = { projects: this.#projects, folders: [...this.#paths] };
    const fresh = [...now.keys()].filter((path) => !before.has(path) && !isHarmless(path, surroundings));
    const changed = [...now].filter(([path, print]) => before.has(path) && before.get(path) !== print);
    return [
      ...fresh.map((path) => `${path} (new)`),
      ...changed.map(([path]) => `${path} (changed)`),
      ...[...before.keys()].filter((path) => !now.has(path)).map((path) => `${path} (gone)`),
    ].sort();
  }

  #look(): Map<string, string> {
    const all = new Set(this.#paths.flatMap((path) => this.#filesOf(path)));
    return new Map([...all].map((path) => [path, printOf(path)]));
  }

  #filesOf(path: string): string[] {
    if (!isFolder(join(path, 'objects'))) return filesIn(path);
    return entriesOf(path, this.#projects).flatMap((entry) => (entry.standing === 'rest' ? filesIn(entry.path) : []));
  }
}

function filesIn(path: string): string[] {
  if (!isFolder(path)) return statOf(path) === undefined ? [] : [path];
  return listed(path).flatMap(({ name }) => filesIn(join(path, name)));
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

/** What it says, and whether it may run. */
function printOf(path: string): string {
  const text = readSmall(path) ?? linkOf(path);
  return `${statOf(path)?.mode} ${createHash('sha256').update(text).digest('hex')}`;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
