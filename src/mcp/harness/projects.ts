import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { UnderstudyError } from '@understudy/kit';
import {
  createProject,
  git,
  initRepository,
  type Project,
  type ProjectSpec,
  type SampleFile,
  type WrittenFiles,
  writeSampleFiles,
} from '@understudy/stage';
import { type ClientFolders, contains, FolderClaims } from './folder-claims.js';
import { freshId } from './ids.js';

export interface Cleared {
  removed: string[];
  kept: { path: string; reason: string }[];
}

/** The test projects of one user. Nothing is written outside of the roots, and what the user named is never removed. */
export class Projects {
  /** Projects without a path of their own are made here; it goes with the harness. */
  readonly home: string;
  readonly #roots: readonly string[];
  /** Other users of the same server have folders, too, which are not ours. */
  readonly #folders: ClientFolders;
  /** Folders outside of our home in which we wrote because the user named them. */
  readonly #named = new Set<string>();

  constructor(home: string, roots: readonly string[], folders = new FolderClaims().newClient()) {
    this.home = realpathSync(home);
    this.#folders = folders;
    this.#roots = [this.home, ...roots.map((root) => realpathSync(root))];
  }

  /** Makes a test project in a new or empty folder. */
  create(spec: ProjectSpec, path: string | undefined): Project {
    const folder = this.#inRoots(path === undefined ? join(this.home, freshId('project')) : resolve(this.home, path));
    const project = createProject(folder, spec);
    this.#folders.claim(folder);
    this.#noteNamed(folder);
    return project;
  }

  /** A new folder with nothing in it. */
  empty(): string {
    const folder = join(this.home, freshId('project'));
    mkdirSync(folder);
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
    const written = writeSampleFiles(folder, files);
    this.#noteNamed(folder);
    return written;
  }

  /** The folder of a conversation: one of the roots' folders, with links resolved. */
  folder(path: string): string {
    return this.#folder(path);
  }

  /** A path at which a file may be written: below a root, with links resolved. */
  allowed(path: string): string {
    return this.#inRoots(path);
  }

  /** Removes the projects in our own folder. What the user named stays. */
  clear(): Cleared {
    const removed = existsSync(this.home) ? readdirSync(this.home).map((name) => join(this.home, name)) : [];
    for (const folder of removed) rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
    const kept = [...this.#named].map((path) => ({ path, reason: 'you named this folder' }));
    this.#named.clear();
    return { removed, kept };
  }

  #noteNamed(folder: string): void {
    if (!contains(this.home, folder)) this.#named.add(folder);
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
