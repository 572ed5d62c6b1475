import { existsSync, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { ToolInput } from '../shared/tools/plain-tools.js';
import { readForModel, sizeLimit } from './files/file-content.js';
import { findMatching } from './files/find-files.js';
import { IgnoreRules } from './files/ignore-rules.js';
import type { Workspace } from './files/workspace.js';
import { NotSupported } from './options.js';
import { type Told, ToolError } from './tool-result.js';

/** `read_file` */
export function readFile(path: string, { start_line, end_line }: ToolInput, { root }: Workspace): Told {
  if (new IgnoreRules(root).isIgnored(path, 'both'))
    throw new ToolError('invalid_tool_params', `File path '${path}' is ignored by configured ignore patterns.`);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new ToolError('file_not_found', `File not found: ${path}`, 'File not found.');
  if (stats.isDirectory())
    throw new ToolError('target_is_directory', `Path is a directory, not a file: ${path}`, 'Path is a directory.');
  const tooLarge = sizeLimit(path, stats.size);
  if (tooLarge !== undefined) throw new ToolError('file_too_large', tooLarge.told, tooLarge.shown);
  const content = readForModel(path, root, { first: numberIn(start_line), last: numberIn(end_line) });
  if ('part' in content) throw new NotSupported(`the tool read_file with ${relative(root, path)}`);
  const { text, shown, cut } = content;
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
export function findByGlob(
  pattern: string,
  folders: readonly string[],
  { root }: Workspace,
  caseSensitive: boolean,
): Told {
  const { found, ignored } = findMatching(folders, pattern, new IgnoreRules(root), { caseSensitive });
  const [only] = folders.length === 1 ? folders : [];
  if (found.length === 0) {
    const place = only === undefined ? `${folders.length} workspace directories` : only;
    const left = ignored === 0 ? '' : ` (${ignored} files were ignored)`;
    return { text: `No files found matching pattern "${pattern}" within ${place}${left}`, shown: 'No files found' };
  }
  const place = only === undefined ? `across ${folders.length} workspace directories` : `within ${only}`;
  const left = ignored === 0 ? '' : ` (${ignored} additional files were ignored)`;
  const head = `Found ${found.length} file(s) matching "${pattern}" ${place}${left}, sorted by modification time (newest first):`;
  return { text: `${head}\n${found.join('\n')}`, shown: `Found ${found.length} matching file(s)` };
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
  const rules = new IgnoreRules(workspace.root);
  const all = readdirSync(folder).map((name) => join(folder, name));
  if (all.length === 0) return `Directory ${folder} is empty.`;
  const kept = all.filter((path) => !rules.isIgnored(path, 'both'));
  const ignored = all.length - kept.length;
  const entries = kept
    .filter((path) => workspace.problemOf(path) === undefined && existsSync(path))
    .map((path) => ({ name: basename(path), stats: statSync(path) }))
    .sort((a, b) => a.name.localeCompare(b.name));
  const isFolder = (entry: { stats: Stats }): boolean => entry.stats.isDirectory();
  const lines = [
    ...entries.filter(isFolder).map(({ name }) => `[DIR] ${name}`),
    ...entries.filter((entry) => !isFolder(entry)).map(({ name, stats: { size } }) => `${name} (${size} bytes)`),
  ];
  const end = ignored === 0 ? '' : `\n\n(${ignored} ignored)`;
  return `Directory listing for ${folder}:\n${lines.join('\n')}${end}`;
}
