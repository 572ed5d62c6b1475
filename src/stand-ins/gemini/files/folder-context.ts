import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readIfThere } from '../../../document/json.js';
import { NotSupported } from '../options.js';
import { isBelow } from './is-below.js';

/** The GEMINI.md files of folders that the agent comes to. Those of the workspace's own folders are read at the start. */
export class FolderContext {
  readonly #folders: readonly string[];
  readonly #known = new Set<string>();

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** What the model is told when it first comes to a file or folder; empty if there is nothing new. */
  discover(path: string): string {
    const root = this.#folders
      .filter((folder) => isBelow(folder, path))
      .sort((a, b) => b.length - a.length)
      .at(0);
    if (root === undefined) return '';
    const files = foldersBetween(root, path).map((folder) => join(folder, 'GEMINI.md'));
    return files
      .filter((file) => !this.#known.has(file))
      .flatMap((file) => this.#read(file))
      .join('\n\n');
  }

  #read(file: string): string[] {
    const content = readIfThere(file);
    if (content === undefined) return [];
    if (/(?:^|\s)@[\w./~]/.test(content)) throw new NotSupported(`imports of ${file}`);
    this.#known.add(file);
    const text = content.trim();
    return text === '' ? [] : [`--- Context from: ${file} ---\n${text}\n--- End of Context from: ${file} ---`];
  }
}

/** The text of a result with what was discovered. */
export function withContext(text: string, discovered: string): string {
  return discovered === '' ? text : `${text}${contextNote(discovered)}`;
}

export function contextNote(discovered: string): string {
  return `\n\n--- Newly Discovered Project Context ---\n${discovered}\n--- End Project Context ---`;
}

/** The folders below a root on the way to a path, from the top. */
function foldersBetween(root: string, path: string): string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const folders: string[] = [];
  for (let folder = isFolder ? path : dirname(path); folder !== root && isBelow(root, folder); folder = dirname(folder))
    folders.unshift(folder);
  return folders;
}
