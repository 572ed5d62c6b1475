import { existsSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UnderstudyError } from '@understudy/kit';
import { containedPath, copyFolder, type DeclaredComponent, readPlugin, writeSampleFiles } from '@understudy/stage';

/** What is in a plugin's folder and not of the plugin. */
const LEFT_OUT = ['.git', '.understudy', 'node_modules'];

/** A copy of a plugin that belongs to one test. */
export interface TestPlugin {
  folder: string;
  name: string;
  /** What its files declare now: commands, agents, skills, hooks, servers. */
  readonly components: readonly DeclaredComponent[];
  /** The names of its commands, without the slash. */
  readonly commands: readonly string[];
  write(path: string, content: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
}

/** Copies a plugin into a new folder, under its own name: without a manifest that is what the plugin is called. */
export function copyPlugin(from: string, into: string): TestPlugin {
  if (!existsSync(from)) {
    throw new UnderstudyError('FOLDER_NOT_FOUND', `there is no plugin folder ${from}`, {
      fix: 'Check the path; it is relative to the test file.',
    });
  }
  const { name } = readPlugin(from);
  const folder = join(into, basename(from));
  copyFolder(from, folder, { leaveOut: LEFT_OUT });
  return {
    folder,
    name,
    get components() {
      return readPlugin(folder).components;
    },
    get commands() {
      return this.components.flatMap((part) => (part.kind === 'command' ? part.names.slice(0, 1) : []));
    },
    write(path, content) {
      writeSampleFiles(folder, [{ path, content }]);
    },
    rename(before, after) {
      renameSync(containedPath(folder, before), containedPath(folder, after));
    },
    remove(path) {
      rmSync(containedPath(folder, path), { recursive: true });
    },
  };
}
