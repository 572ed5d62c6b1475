import { existsSync, realpathSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { lazyRequire, makeFolder, refuseLinks, UnderstudyError, writeOwnFile } from '@understudy/kit';
import { containedPath, settleFileTimes, writeSampleFiles } from '@understudy/stage';
import type * as Yaml from 'yaml';
import type { Backend, CaseSetup } from './case.js';

/** The folder of all workspaces, beside whatever is under test. */
export class Workspaces {
  readonly root: string;

  constructor(folder: string) {
    this.root = resolve(folder, '.e2e-tests');
    refuseLinks(this.root);
    try {
      makeFolder(this.root);
      // Git ignores all of it, this file included.
      writeOwnFile(join(this.root, '.gitignore'), '*\n');
    } catch (cause) {
      throw new UnderstudyError('SUITE_NO_WORKSPACE', `cannot make ${this.root}: ${(cause as Error).message}`, {
        fix: 'Run the suite in a folder that you may write to.',
        cause,
      });
    }
  }

  /** A cleared folder for a case, with everything that its setup asks for. */
  create(id: string, setup: CaseSetup, backend: Backend): string {
    const folder = this.#folder(id);
    rmSync(folder, { recursive: true, force: true });
    makeFolder(folder);
    const config = { ...setup.config, cli: { backend, ...setup.config.cli } };
    const files = {
      'ralph.yml': (lazyRequire('yaml') as typeof Yaml).stringify(config),
      'PROMPT.md': `${setup.prompt}\n`,
      'scenario.json': `${JSON.stringify(setup.scenario, null, 2)}\n`,
      ...setup.files,
    };
    writeSampleFiles(
      folder,
      Object.entries(files).map(([path, content]) => ({ path, content })),
    );
    settleFileTimes(folder);
    return realpathSync(folder);
  }

  /** Beside other work: what CLIs leave in their homes is much. */
  async remove(id: string): Promise<void> {
    await rm(this.#folder(id), { recursive: true, force: true });
  }

  exists(id: string): boolean {
    return existsSync(this.#folder(id));
  }

  /** No id may lead out of the root. */
  #folder(id: string): string {
    return containedPath(this.root, id);
  }
}
