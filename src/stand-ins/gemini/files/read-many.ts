import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { NotSupported } from '../options.js';
import { isInline, type Part, readForModel, sizeLimit } from './file-content.js';
import { listFiles } from './find-files.js';
import { contextNote } from './folder-context.js';
import type { IgnoreRules } from './ignore-rules.js';
import type { Workspace } from './workspace.js';

/** A file or a folder to read, as a whole path. */
export interface Wanted {
  path: string;
  isFolder: boolean;
}

/** Folders that are left out, also where one is asked for by its name. */
const LEFT_OUT_FOLDERS = new Set([
  ...['node_modules', '.git', 'bower_components', '.svn', '.hg', '.vscode', '.idea', 'dist', 'build', 'coverage'],
  '__pycache__',
]);
const LEFT_OUT_FILES = new Set(['.ds_store', '.env', 'gemini.md']);
const LEFT_OUT_KINDS =
  /\.(?:bin|exe|dll|so|dylib|class|jar|war|zip|tar|gz|bz2|rar|7z|pak|rpa|docx?|xlsx?|pptx?|od[tsp]|py[co])$/;

const CUT =
  "[WARNING: This file was truncated. To view the full content, use the 'read_file' tool on this specific file.]\n\n";
const NOTHING = 'No files matching the criteria were found or all were skipped.';
const END = '\n--- End of content ---';

/** What the model is told of files and folders. `label` names a file for it. */
export function readMany(
  wanted: readonly Wanted[],
  workspace: Workspace,
  rules: IgnoreRules,
  label: (path: string) => string,
): Part[] {
  const names = wanted.map(({ path, isFolder }) => (isFolder ? `${path}/**` : path));
  const files = [...new Set(wanted.flatMap((one) => filesOf(one, workspace)))]
    .filter((path) => !rules.isIgnored(path, 'both') && workspace.problemOf(path) === undefined)
    .sort();
  const parts = files.flatMap((path) => {
    if (isInline(path) && !isMeant(path, names)) return [];
    if (sizeLimit(path, statSync(path).size) !== undefined) return [];
    const content = readForModel(path, workspace.root);
    if ('part' in content) return [content.part];
    const text = `${content.cut === undefined ? '' : CUT}${content.text}`.trim();
    return [{ text: `\nContent from @${label(path)}:\n` }, { text }];
  });
  const folders = [...new Set(files.map((path) => dirname(path)))];
  const discovered = folders.map((folder) => workspace.context.discover(folder)).filter((text) => text !== '');
  const notes = discovered.length === 0 ? [] : [{ text: contextNote(discovered.join('\n')) }];
  const all = [...parts, ...notes];
  return all.length === 0 ? [{ text: NOTHING }] : [...all, { text: END }];
}

/** A folder stands for all of its files; a file is found in any case of its letters. */
function filesOf({ path, isFolder }: Wanted, { root }: Workspace): string[] {
  if (/[*?[\]{}]/.test(path)) throw new NotSupported(`a path with *, ?, [ or { in the prompt (${basename(path)})`);
  const folder = isFolder ? path : dirname(path);
  const wanted = basename(path).toLowerCase();
  const all = isFolder ? listFiles(folder) : readdirSync(folder).filter((name) => name.toLowerCase() === wanted);
  return all.map((name) => join(folder, name)).filter((file) => !isLeftOut(relative(root, file).toLowerCase()));
}

/** Nothing is left out of folders beside the first one. */
function isLeftOut(path: string): boolean {
  if (path.startsWith('../')) return false;
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  return folders.some((part) => LEFT_OUT_FOLDERS.has(part)) || LEFT_OUT_FILES.has(name) || LEFT_OUT_KINDS.test(name);
}

/** Pictures and documents are sent only where their name or their kind stands in the prompt. */
function isMeant(path: string, names: readonly string[]): boolean {
  const extension = extname(path).toLowerCase();
  const name = basename(path, extension);
  return names.some((wanted) => wanted.toLowerCase().includes(extension) || wanted.includes(name));
}
