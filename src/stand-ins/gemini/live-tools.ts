import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, delimiter, join, relative, resolve } from 'node:path';
import { diffLines } from 'diff';
import { compileRegex } from '../../scenario/linear-regex.js';
import { countOccurrences, replaceText, writeText } from '../shared/tools/files.js';
import {
  type LiveContext,
  type LiveResult,
  type LiveTools,
  plainTools,
  type ToolInput,
} from '../shared/tools/plain-tools.js';
import { findFiles, searchFiles } from '../shared/tools/search.js';
import { runShell } from '../shared/tools/shell.js';
import { projectFolder } from './projects.js';

/** A tool's result that is an error for Gemini CLI. */
class ToolError extends Error {
  readonly shown: string;
  readonly type: string;

  constructor(type: string, told: string, shown: string = told) {
    super(told);
    this.type = type;
    this.shown = shown;
  }
}

/** Settings of git that Gemini CLI turns off for commands: nothing of the user's counts, and nothing is started. */
const GIT_OFF = [
  ...['credential.helper', 'core.fsmonitor', 'core.hooksPath', 'core.sshCommand', 'core.pager', 'core.editor'],
  ...['sequence.editor', 'diff.external'],
];

/** What Gemini CLI sets for each command. */
const VARIABLES = {
  DBUS_SESSION_BUS_ADDRESS: '',
  DISPLAY: '',
  GCM_INTERACTIVE: 'never',
  GEMINI_CLI: '1',
  GH_PROMPT_DISABLED: '1',
  GIT_ASKPASS: '',
  GIT_CONFIG_COUNT: String(GIT_OFF.length),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: '/dev/null',
  ...Object.fromEntries(
    GIT_OFF.flatMap((name, at) => [
      [`GIT_CONFIG_KEY_${at}`, name],
      [`GIT_CONFIG_VALUE_${at}`, name === 'core.pager' ? 'cat' : ''],
    ]),
  ),
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  PAGER: 'cat',
  SSH_ASKPASS: '',
  TERM: 'xterm-256color',
};

/** The tools of Gemini CLI, with its results for the model and for the user. */
export const geminiLiveTools: LiveTools = {
  ...plainTools,
  shell: async ({ command, dir_path }, { cwd, env }) => {
    const text = String(command ?? '');
    const { output, exitCode, signal, pid } = await runShell(text, {
      ...{ env: { ...env, ...VARIABLES }, cwd: resolve(cwd, String(dir_path ?? '.')), untilClosed: true },
      // Gemini CLI puts some lines of its own before the command.
      commandLine: [bash(env), '-c', `\n\n\n${text}\n`],
    });
    const said = output.trim();
    const number = signal === undefined ? undefined : constants.signals[signal];
    const facts = [
      `Output: ${said || '(empty)'}`,
      ...(number !== undefined ? [`Signal: ${number}`] : exitCode === 0 ? [] : [`Exit Code: ${exitCode}`]),
      `Process Group PGID: ${pid}`,
    ];
    return {
      text: `<untrusted_context>\n${facts.join('\n')}\n</untrusted_context>`,
      isError: exitCode !== 0,
      shown: said || endingOf(number, exitCode),
      shell: { output, exit: exitCode },
    };
  },
  read: fileTool((path, { start_line, end_line }, { cwd }) => {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new ToolError('target_is_directory', `Path is a directory, not a file: ${path}`, 'Path is a directory.');
    const content = readExisting(path, 'File not found.');
    if (start_line === undefined && end_line === undefined) return { text: content, shown: '' };
    const lines = content.split('\n');
    const first = Math.max(1, Number(start_line ?? 1));
    const last = Math.min(lines.length, Number(end_line ?? lines.length));
    return {
      text: `\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines ${first}-${last} of ${lines.length} total lines.\nAction: To read more of the file, you can use the 'start_line' and 'end_line' parameters in a subsequent 'read_file' call. For example, to read the next section of the file, use start_line: ${last + 1}.\n\n--- FILE CONTENT (truncated) ---\n${lines.slice(first - 1, last).join('\n')}`,
      shown: `Read lines ${first}-${last} of ${lines.length} from ${relative(cwd, path)}`,
    };
  }),
  write: fileTool((path, { content }) => {
    const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    const after = String(content ?? '');
    writeText(path, after);
    const did = before === undefined ? 'created and wrote to new' : 'overwrote';
    return {
      text: `Successfully ${did} file: ${path}. Here is the updated code:\n${after}`,
      lines: countLines(before ?? '', after),
    };
  }),
  edit: fileTool((path, input) => edit(path, input)),
  glob: searchTool((root, { pattern }) => {
    const found = findFiles(root, String(pattern ?? ''), 'newest first');
    if (found.length === 0)
      return { text: `No files found matching pattern "${pattern}" within ${root}`, shown: 'No files found' };
    const head = `Found ${found.length} file(s) matching "${pattern}" within ${root}, sorted by modification time (newest first):`;
    return { text: `${head}\n${found.join('\n')}`, shown: `Found ${found.length} matching file(s)` };
  }),
  grep: searchTool((root, input, { cwd }) => ({ text: grep(root, input, cwd) })),
  list_directory: async ({ dir_path }, context) =>
    attempt(() => {
      const folder = insideWorkspace(String(dir_path ?? '.'), context);
      return { text: `Directory listing for ${folder}:\n${listing(folder)}` };
    }),
};

type Told = Pick<LiveResult, 'text' | 'shown' | 'lines'>;

function fileTool(work: (path: string, input: ToolInput, context: LiveContext) => Told) {
  return async (input: ToolInput, context: LiveContext): Promise<LiveResult> =>
    attempt(() => work(insideWorkspace(String(input['file_path'] ?? ''), context), input, context));
}

function searchTool(work: (root: string, input: ToolInput, context: LiveContext) => Told) {
  return async (input: ToolInput, context: LiveContext): Promise<LiveResult> =>
    attempt(() => work(insideWorkspace(String(input['dir_path'] ?? '.'), context), input, context));
}

/** Runs a tool; without `shown`, its user sees nothing of the result. */
function attempt(work: () => Told): LiveResult {
  try {
    return { isError: false, shown: undefined, ...work() };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { text: error.message, isError: true, shown: error.shown, errorType: error.type };
  }
}

function insideWorkspace(given: string, { cwd, env }: LiveContext): string {
  const path = resolve(cwd, given);
  const temp = projectFolder(env, cwd);
  if ([cwd, temp].some((root) => path === root || path.startsWith(`${root}/`))) return path;
  throw new ToolError(
    'invalid_tool_params',
    `Path not in workspace: Attempted path "${path}" resolves outside the allowed workspace directories: ${cwd} or the project temp directory: ${temp}`,
  );
}

function edit(path: string, { old_string, new_string, allow_multiple }: ToolInput): Told {
  const old = String(old_string ?? '');
  const now = String(new_string ?? '');
  if (old === '' && !existsSync(path)) {
    writeText(path, now);
    const text = `Created new file: ${path} with provided content. Here is the updated code:\n${now}`;
    return { text, shown: `Created ${basename(path)}` };
  }
  const missing = 'Error: File not found. Cannot apply edit. Use an empty old_string to create a new file.';
  const before = readExisting(path, missing);
  const found = countOccurrences(before, old);
  if (found === 0)
    throw new ToolError(
      'edit_no_occurrence_found',
      `Could not find an exact match for 'old_string' in '${path}'. If previous edits modified the file or you are modifying lines outside your recent read window, please use ReadFile to inspect the target lines before retrying with an exact 'old_string'.`,
      `Error: Could not find an exact match for old_string in '${path}'.`,
    );
  if (found > 1 && allow_multiple !== true)
    throw new ToolError(
      'edit_expected_occurrence_mismatch',
      `Failed to edit, Expected 1 occurrence but found ${found} for old_string in file: ${path}. If you intended to replace multiple occurrences, set 'allow_multiple' to true.`,
      `Error: Failed to edit, expected 1 occurrence but found ${found}.`,
    );
  const after = replaceText(before, old, now, allow_multiple === true);
  writeText(path, after);
  const text = `Successfully modified file: ${path} (${found} replacements). Here is the updated code:\n${after}`;
  return { text, lines: countLines(before, after) };
}

function readExisting(path: string, shown: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new ToolError('file_not_found', `File not found: ${path}`, shown);
  }
}

/** How many lines around a match are shown, by the number of matches; none around more of them. */
const CONTEXT_LINES: Readonly<Record<number, number>> = { 1: 50, 2: 15, 3: 15 };

/** What a search finds. */
function grep(root: string, { pattern, include_pattern }: ToolInput, cwd: string): string {
  const regex = compileRegex(String(pattern ?? ''));
  if ('refused' in regex) throw new ToolError('invalid_tool_params', `Invalid regular expression: ${regex.refused}`);
  const filter = include_pattern === undefined ? '' : ` (filter: "${include_pattern}")`;
  const place = root === cwd ? 'the workspace directory' : `path "${relative(cwd, root)}"`;
  const files = searchFiles(root, regex, String(include_pattern ?? ''));
  const count = files.reduce((sum, { matched }) => sum + matched.length, 0);
  if (count === 0) return `No matches found for pattern "${pattern}" in ${place}${filter}.`;
  const around = CONTEXT_LINES[count] ?? 0;
  const blocks = files.map(({ path, lines, matched }) => {
    const all = [...lines, ''];
    const shown = all.flatMap((line, index) => {
      if (matched.includes(index)) return [`L${index + 1}: ${line}`];
      return matched.some((at) => Math.abs(at - index) <= around) ? [`L${index + 1}- ${line}`] : [];
    });
    return `File: ${relative(root, path)}\n${shown.join('\n')}\n---`;
  });
  const matches = count === 1 ? '1 match' : `${count} matches`;
  return `Found ${matches} for pattern "${pattern}" in ${place}${filter}:\n---\n${blocks.join('\n')}`;
}

function listing(folder: string): string {
  if (!existsSync(folder))
    throw new ToolError('file_not_found', `Error: Directory not found or inaccessible: ${folder}`);
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `[DIR] ${name}`);
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => `${name} (${statSync(join(folder, name)).size} bytes)`);
  return [...folders, ...files].join('\n');
}

function countLines(before: string, after: string): { added: number; removed: number } {
  const changes = diffLines(before, after);
  const total = (kind: 'added' | 'removed') =>
    changes.filter((change) => change[kind]).reduce((sum, { count }) => sum + (count ?? 0), 0);
  return { added: total('added'), removed: total('removed') };
}

function endingOf(signal: number | undefined, exitCode: number): string {
  if (signal !== undefined) return `Command terminated by signal: ${signal}`;
  return exitCode === 0 ? '' : `Command exited with code: ${exitCode}`;
}

/** The bash that is first on PATH. */
function bash({ PATH = '' }: NodeJS.ProcessEnv): string {
  const found = PATH.split(delimiter).map((folder) => join(folder, 'bash'));
  return found.find((file) => existsSync(file)) ?? '/bin/bash';
}
