import { type Dirent, existsSync, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compileGlob } from '@understudy/script';
import { NotSupported } from '../shared/refusal.js';
import type { ToolInput } from '../shared/tools/plain-tools.js';
import { readText } from './read-text.js';
import { REFUSED } from './refused.js';
import { ToolError, type ToolReport } from './tool-result.js';
import type { Workspace } from './workspace.js';

/** Folders that are never searched. */
const NEVER = new Set(['node_modules', '.git', 'bower_components', '.svn', '.hg']);

const DAY = 24 * 60 * 60 * 1000;

/** `read_file` */
export function readFile(path: string, { start_line, end_line }: ToolInput, workspace: Workspace): ToolReport {
  workspace.refuseIgnored([path]);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new ToolError('file_not_found', `File not found: ${path}`, 'File not found.');
  if (stats.isDirectory())
    throw new ToolError('target_is_directory', `Path is a directory, not a file: ${path}`, 'Path is a directory.');
  const range = { first: numberIn(start_line), last: numberIn(end_line) };
  const { text, shown, cut } = readText(path, workspace.root, range);
  if (cut === undefined) return { text, shown };
  const { first, last, total } = cut;
  return {
    text: `\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines ${first}-${last} of ${total} total lines.\nAction: To read more of the file, you can use the 'start_line' and 'end_line' parameters in a subsequent 'read_file' call. For example, to read the next section of the file, use start_line: ${last + 1}.\n\n--- FILE CONTENT (truncated) ---\n${text}`,
    shown,
  };
}

function numberIn(value: unknown): number | undefined {
  return value === undefined ? undefined : Number(value);
}

/** `glob` */
export function findByGlob(input: ToolInput, folder: string, workspace: Workspace): ToolReport {
  const rare = ['respect_git_ignore', 'respect_gemini_ignore'].find((name) => input[name] !== undefined);
  if (rare !== undefined) throw new NotSupported(`${REFUSED.searches} ${rare}`);
  const pattern = String(input['pattern'] ?? '');
  const glob = compileGlob(oneStar(pattern), { ignoreCase: input['case_sensitive'] !== true });
  const found = filesBelow(folder)
    .filter((file) => glob.test(file))
    .map((file) => join(folder, file));
  workspace.refuseIgnored(found);
  if (found.length === 0)
    return { text: `No files found matching pattern "${pattern}" within ${folder}`, shown: 'No files found' };
  const head = `Found ${found.length} file(s) matching "${pattern}" within ${folder}, sorted by modification time (newest first):`;
  return { text: `${head}\n${byChange(found).join('\n')}`, shown: `Found ${found.length} matching file(s)` };
}

/** All files below a folder, as paths from it. */
function filesBelow(folder: string, below = ''): string[] {
  return entriesOf(join(folder, below)).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) return NEVER.has(entry.name.toLowerCase()) ? [] : filesBelow(folder, path);
    return isFile(entry, join(folder, path)) ? [path] : [];
  });
}

/** `**` crosses folders only where it stands alone between slashes. */
function oneStar(glob: string): string {
  return glob
    .split('/')
    .map((part) => (part === '**' ? part : part.replace(/\*{2,}/g, '*')))
    .join('/');
}

/** What has changed within a day comes first, newest first. */
function byChange(paths: readonly string[]): string[] {
  const now = Date.now();
  const entries = paths.map((path) => ({ path, changed: statSync(path).mtimeMs }));
  const isRecent = ({ changed }: { changed: number }): boolean => now - changed < DAY;
  const recent = entries.filter(isRecent).sort((a, b) => b.changed - a.changed);
  const older = entries.filter((entry) => !isRecent(entry)).sort((a, b) => a.path.localeCompare(b.path));
  return [...recent, ...older].map(({ path }) => path);
}

function isFile(entry: Dirent, path: string): boolean {
  return entry.isFile() || (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** `list_directory` */
export function listFolder(folder: string, workspace: Workspace): string {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) {
    const problem = `ENOENT: no such file or directory, stat '${folder}'`;
    const shown = 'Error: Failed to list directory.';
    throw new ToolError('ls_execution_error', `Error listing directory: ${problem}`, shown);
  }
  if (!stats.isDirectory()) {
    const shown = 'Error: Path is not a directory.';
    throw new ToolError('path_is_not_a_directory', `Error: Path is not a directory: ${folder}`, shown);
  }
  const all = readdirSync(folder).map((name) => join(folder, name));
  if (all.length === 0) return `Directory ${folder} is empty.`;
  workspace.refuseIgnored(all.filter((path) => basename(path) !== '.git'));
  const entries = all
    .filter((path) => workspace.problemOf(path) === undefined && existsSync(path))
    .map((path) => ({ name: basename(path), stats: statSync(path) }))
    .sort((a, b) => a.name.localeCompare(b.name));
  const isFolder = (entry: { stats: Stats }): boolean => entry.stats.isDirectory();
  const lines = [
    ...entries.filter(isFolder).map(({ name }) => `[DIR] ${name}`),
    ...entries.filter((entry) => !isFolder(entry)).map(({ name, stats: { size } }) => `${name} (${size} bytes)`),
  ];
  // Git's own folder is left out and counted.
  const end = workspace.isRepository && all.some((path) => basename(path) === '.git') ? '\n\n(1 ignored)' : '';
  return `Directory listing for ${folder}:\n${lines.join('\n')}${end}`;
}
