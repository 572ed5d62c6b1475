import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { UnderstudyError } from '../../errors.js';
import { compareSnapshots } from '../../workspace/compare-snapshots.js';
import { createProject, type Project } from '../../workspace/create-project.js';
import { git, initRepository } from '../../workspace/git.js';
import { type MadeFiles, madeBetween, resetMadeFiles } from '../../workspace/made-files.js';
import type { ProjectSpec } from '../../workspace/project-spec.js';
import { type SampleFile, type WrittenFiles, writeSampleFiles } from '../../workspace/sample-files.js';
import { takeSnapshot } from '../../workspace/snapshot.js';
import { type ClientFolders, contains, FolderClaims } from './folder-claims.js';
import { freshId } from './ids.js';

export interface Cleared {
  removed: string[];
  kept: { path: string; reason: string }[];
}

/** The test projects of one user. Nothing is written outside of the roots, and only what we made is removed. */
export class Projects {
  /** Projects without a path of their own are made here; it goes with the harness. */
  readonly home: string;
  readonly #roots: readonly string[];
  /** Other users of the same server have folders, too, which are not ours. */
  readonly #folders: ClientFolders;
  readonly #made = new Set<string>();
  /** Folders above them that were not there before. */
  readonly #parents = new Set<string>();
  readonly #additions: MadeFiles[] = [];

  constructor(home: string, roots: readonly string[], folders = new FolderClaims().newClient()) {
    this.home = realpathSync(home);
    this.#folders = folders;
    this.#roots = [this.home, ...roots.map((root) => realpathSync(root))];
  }

  get made(): readonly string[] {
    return [...this.#made];
  }

  /** Makes a test project in a new or empty folder. */
  create(spec: ProjectSpec, path: string | undefined): Project {
    const folder = this.#inRoots(path === undefined ? join(this.home, freshId('project')) : resolve(this.home, path));
    const existed = existsSync(folder);
    const parents = missingParents(folder);
    const project = createProject(folder, spec);
    this.#folders.claim(folder);
    for (const parent of parents) this.#parents.add(parent);
    // A folder that was there before stays when we clear up; its files do not.
    if (existed) this.#additions.push(madeBetween(folder, compareSnapshots(new Map(), takeSnapshot(folder))));
    else this.#made.add(folder);
    return project;
  }

  /** A new folder with nothing in it. */
  empty(): string {
    const folder = join(this.home, freshId('project'));
    mkdirSync(folder);
    this.#made.add(folder);
    return folder;
  }

  /** Makes a repository of a project, with one commit of all that is in it. */
  async initRepository(path: string): Promise<{ commit: string; files: number }> {
    const folder = this.#folder(path);
    if (existsSync(join(folder, '.git'))) {
      throw new UnderstudyError('WORKSPACE_ALREADY_GIT', `${folder} is a git repository already`, {
        fix: 'Use it as it is, or make a new project.',
      });
    }
    const commit = await initRepository(folder);
    const tracked = await git(folder, ['ls-files', '-z']);
    return { commit, files: tracked.split('\0').filter((name) => name !== '').length };
  }

  /** Writes files into a project, all of them or none. */
  addFiles(path: string, files: readonly SampleFile[]): WrittenFiles {
    const folder = this.#folder(path);
    if (this.#isOurs(folder)) return writeSampleFiles(folder, files);
    const before = takeSnapshot(folder);
    const written = writeSampleFiles(folder, files);
    this.#additions.push(madeBetween(folder, compareSnapshots(before, takeSnapshot(folder))));
    return written;
  }

  /** The folder of a conversation: one of the roots' folders, with links resolved. */
  folder(path: string): string {
    return this.#folder(path);
  }

  /** Removes what we made, and nothing else. */
  clear(): Cleared {
    const cleared: Cleared = { removed: [], kept: [] };
    for (const made of this.#additions.splice(0).reverse()) {
      if (!existsSync(made.root)) continue;
      try {
        const { removed, kept } = resetMadeFiles(made.root, made);
        cleared.removed.push(...removed.map((path) => join(made.root, path)));
        cleared.kept.push(...kept.map((one) => ({ ...one, path: join(made.root, one.path) })));
      } catch (error) {
        // The agent has changed the folder so that its files cannot be removed safely. The others still can.
        if (!(error instanceof UnderstudyError)) throw error;
        cleared.kept.push({ path: made.root, reason: error.message });
      }
    }
    for (const folder of this.#made) {
      this.#made.delete(folder);
      if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) continue;
      rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
      cleared.removed.push(folder);
    }
    for (const parent of [...this.#parents].sort((a, b) => b.length - a.length)) {
      this.#parents.delete(parent);
      if (existsSync(parent) && readdirSync(parent).length === 0) rmdirSync(parent);
    }
    return cleared;
  }

  #isOurs(folder: string): boolean {
    return [this.home, ...this.#made].some((made) => contains(made, folder));
  }

  #folder(path: string): string {
    const folder = this.#inRoots(resolve(this.home, path));
    if (existsSync(folder) && statSync(folder).isDirectory()) return folder;
    const near = existsSync(this.home) ? readdirSync(this.home) : [];
    throw new UnderstudyError('FOLDER_NOT_FOUND', `there is no project folder ${folder}`, {
      fix: `Make one with create_test_project and use its project_path${near.length > 0 ? `: ${near.join(', ')}` : ''}.`,
    });
  }

  /** The path with its links resolved, if it lies below a root. What does not exist yet is judged by what does. */
  #inRoots(path: string): string {
    if (path.includes('\0') || !isAbsolute(path)) throw outside(path, this.#roots);
    let known = path;
    while (lstatSync(known, { throwIfNoEntry: false }) === undefined) known = dirname(known);
    const real = join(existsSync(known) ? realpathSync(known) : known, relative(known, path));
    if (!existsSync(known) || !this.#roots.some((root) => contains(root, real) && root !== real)) {
      throw outside(path, this.#roots);
    }
    if (this.#folders.isForeign(real)) throw foreign(path);
    return real;
  }
}

function missingParents(folder: string): string[] {
  const parent = dirname(folder);
  return existsSync(parent) ? [] : [parent, ...missingParents(parent)];
}

function outside(path: string, roots: readonly string[]): UnderstudyError {
  return new UnderstudyError(
    'HARNESS_PATH_OUTSIDE',
    `${JSON.stringify(path)} lies outside of the folders for projects`,
    {
      fix: `Leave the path out, or give one below ${roots.join(' or ')}. More folders are allowed with --root.`,
    },
  );
}

function foreign(path: string): UnderstudyError {
  return new UnderstudyError('HARNESS_PATH_TAKEN', `${JSON.stringify(path)} belongs to another client of this server`, {
    fix: 'Make a project of your own with create_test_project, or choose another folder.',
  });
}
