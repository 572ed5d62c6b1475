import { existsSync, readFileSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { NotSupported } from '../shared/refusal.js';
import type { ToolInput } from '../shared/tools/plain-tools.js';
import { runShell } from '../shared/tools/shell.js';
import { REFUSED } from './refused.js';
import { ToolError } from './tool-result.js';
import type { Workspace } from './workspace.js';

interface Match {
  /** As it is shown. */
  name: string;
  path: string;
  line: number;
  text: string;
}

/** A line that is shown: one that matches, or one around it. */
type ShownLine = Pick<Match, 'line' | 'text'> & { isMatch: boolean };

const NEVER_SEARCHED = ['node_modules', '.git', 'bower_components', '.svn', '.hg'];
const MOST_MATCHES = 100;
const MOST_CHARACTERS = 2000;

/** How many lines around a match are shown, by the number of matches; none around more of them. */
const CONTEXT_LINES: Readonly<Record<number, number>> = { 1: 50, 2: 15, 3: 15 };

/** Git's settings of the user and the machine do not count. */
const GIT = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

/** Why a search cannot be made, in the words of Gemini CLI. */
export function checkSearch({ pattern, dir_path }: ToolInput, root: string): void {
  try {
    new RegExp(String(pattern ?? ''));
  } catch (error) {
    const problem = `Invalid regular expression pattern provided: ${pattern}. Error: ${(error as Error).message}`;
    throw new ToolError('invalid_tool_params', problem);
  }
  if (dir_path === undefined) return;
  const folder = resolve(root, String(dir_path));
  if (!existsSync(folder)) throw new ToolError('invalid_tool_params', `Path does not exist: ${folder}`);
  if (!statSync(folder).isDirectory()) throw new ToolError('invalid_tool_params', `Path is not a directory: ${folder}`);
}

/** Arguments that few models give. */
const RARE = ['exclude_pattern', 'names_only', 'max_matches_per_file', 'total_max_matches'];

/** `grep_search`: by git in a repository, otherwise by grep, as Gemini CLI does where there is no ripgrep. */
export async function grep(
  folder: string,
  input: ToolInput,
  { isRepository }: Workspace,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const { pattern, include_pattern, dir_path } = input;
  const rare = RARE.find((name) => input[name] !== undefined);
  if (rare !== undefined) throw new NotSupported(`${REFUSED.searches} ${rare}`);
  const output = (isRepository && (await gitGrep(folder, input, env))) || (await plainGrep(folder, input, env));
  const matches = matchesIn(output, folder).slice(0, MOST_MATCHES);
  const filter = include_pattern === undefined ? '' : ` (filter: "${include_pattern}")`;
  const place = `${dir_path === undefined ? 'in the workspace directory' : `in path "${dir_path}"`}${filter}`;
  if (matches.length === 0) return `No matches found for pattern "${pattern}" ${place}.`;
  const limit = matches.length >= MOST_MATCHES ? ` (results limited to ${MOST_MATCHES} matches for performance)` : '';
  const files = new Map<string, Match[]>();
  for (const match of matches) files.set(match.name, [...(files.get(match.name) ?? []), match]);
  const blocks = [...files].map(
    ([name, inFile]) => `File: ${name}\n${linesOf(inFile, matches.length).join('\n')}\n---`,
  );
  const count = matches.length === 1 ? '1 match' : `${matches.length} matches`;
  return `Found ${count} for pattern "${pattern}" ${place}${limit}:\n---\n${blocks.join('\n')}`;
}

function matchesIn(output: string, folder: string): Match[] {
  return output.split('\n').flatMap((line) => {
    const [, file = '', number, text = ''] = /^(.+?):(\d+):(.*)$/.exec(line) ?? [];
    if (number === undefined) return [];
    const path = resolve(folder, file);
    return [{ name: relative(folder, path), path, line: Number(number), text }];
  });
}

/** What git finds; undefined if it cannot search. */
async function gitGrep(folder: string, input: ToolInput, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { pattern, include_pattern } = input;
  const { output, exitCode } = await runShell('git grep', {
    ...{ env: { ...env, ...GIT }, cwd: folder, untilClosed: true },
    commandLine: [
      'git',
      ...['grep', '--untracked', '-n', '-E', '--ignore-case', String(pattern)],
      ...(include_pattern === undefined ? [] : ['--', String(include_pattern)]),
    ],
  });
  if (exitCode === 0) return output;
  return exitCode === 1 ? '\n' : undefined;
}

async function plainGrep(folder: string, input: ToolInput, env: NodeJS.ProcessEnv): Promise<string> {
  const { pattern, include_pattern } = input;
  const { output } = await runShell('grep', {
    ...{ env, cwd: folder, untilClosed: true },
    commandLine: [
      'grep',
      ...['-r', '-n', '-H', '-E', '-I', '-i', ...NEVER_SEARCHED.map((name) => `--exclude-dir=${name}`)],
      ...(include_pattern === undefined ? [] : [`--include=${include_pattern}`]),
      ...[String(pattern), '.'],
    ],
  });
  return output;
}

/** The matches of a file; where there are few in all, with the lines around them. */
function linesOf(matches: readonly Match[], count: number): string[] {
  const around = CONTEXT_LINES[count];
  const numbers = new Set(matches.map(({ line }) => line));
  const [first] = matches;
  const shown: ShownLine[] =
    around === undefined || first === undefined
      ? matches.map(({ line, text }) => ({ line, text, isMatch: true }))
      : readFileSync(first.path, 'utf8')
          .split(/\r?\n/)
          .map((text, index) => ({ line: index + 1, text, isMatch: numbers.has(index + 1) }))
          .filter(({ line }) => matches.some((match) => Math.abs(match.line - line) <= around));
  return shown.map(({ line, text, isMatch }) => `L${line}${isMatch ? ':' : '-'} ${cut(text.trimEnd())}`);
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS).join('')}... [truncated]` : text;
}
