import { readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fullPath } from '@understudy/agents';
import type { JsonObject } from '@understudy/kit';
import { compileRegex, type LinearRegex } from '@understudy/script';
import { changeTime } from '../../shared/tools/search.js';
import { REFUSED } from '../refused.js';
import { type LiveTool, number, refuse, ToolFailure, type ToolRun, text } from './live-tool.js';
import { type MatchedText, matchLines } from './search/matched-lines.js';
import { PathFilter } from './search/path-filter.js';
import { walkFiles } from './search/walk.js';

/** So many results are shown where nothing else is asked for. */
const USUAL_LIMIT = 250;
/** A longer line is not shown. */
const LONG_LINE = 500;
/** Folders of version control are left out. */
const LEFT_OUT = ['.git', '.svn', '.hg', '.bzr', '.jj', '.sl'].map((folder) => `!${folder}`);

export const grep: LiveTool = {
  parameters: {
    pattern: { type: 'string', required: true },
    path: { type: 'string' },
    glob: { type: 'string' },
    output_mode: { type: 'string' },
    '-B': { type: 'number' },
    '-A': { type: 'number' },
    '-C': { type: 'number' },
    context: { type: 'number' },
    '-n': { type: 'boolean' },
    '-i': { type: 'boolean' },
    '-o': { type: 'boolean' },
    type: { type: 'string' },
    head_limit: { type: 'number' },
    offset: { type: 'number' },
    multiline: { type: 'boolean' },
  },

  async run(input, { cwd }) {
    const other = ['type', 'offset', '-o', 'multiline'].find((name) => input[name] !== undefined);
    if (other !== undefined) refuse(`${REFUSED.otherSearches} ${other}`);
    const found = search(input, cwd);
    switch (text(input, 'output_mode')) {
      case 'content':
        return showContent(found, input);
      case 'count':
        return showCounts(found, input);
      case 'files_with_matches':
      case '':
        return showFiles(found, input);
      default:
        return refuse(`${REFUSED.otherSearches} output_mode`);
    }
  },
};

interface Found extends MatchedText {
  /** The path from the working folder; of a file that is searched alone, its name is not shown. */
  path: string;
  changedAt: number;
  isAlone: boolean;
}

function search(input: JsonObject, cwd: string): Found[] {
  const asked = text(input, 'path');
  const root = fullPath(cwd, asked || '.');
  const about = statSync(root, { throwIfNoEntry: false });
  if (about === undefined)
    throw new ToolFailure(`Path does not exist: ${asked}. Note: your current working directory is ${cwd}.`);
  const pattern = compile(input);
  const isAlone = !about.isDirectory();
  const files = isAlone ? [root] : filesBelow(root, input);
  return files.flatMap((path) => {
    const content = readFileSync(path, 'utf8');
    // A file with a NUL is not text.
    if (content.includes('\0')) return [];
    const matches = matchLines(content, pattern);
    if (matches === undefined) return [];
    return [{ ...matches, path: relative(cwd, path), changedAt: changeTime(path), isAlone }];
  });
}

function compile(input: JsonObject): LinearRegex {
  const pattern = text(input, 'pattern');
  const regex = compileRegex(pattern, { ignoreCase: input['-i'] === true, dotAll: false, multiLine: false });
  if ('refused' in regex || hasLooseBrace(pattern)) refuse(`${REFUSED.otherSearches} ${pattern}`);
  return regex;
}

/** A brace that opens no number of times is a sign like any other for us, and a mistake for ripgrep. */
function hasLooseBrace(pattern: string): boolean {
  const outside = pattern.replace(/\\./g, 'x').replace(/\[\^?\]?[^\]]*\]/g, 'x');
  return /\{(?!\d+(?:,\d*)?\})/.test(outside);
}

function filesBelow(root: string, input: JsonObject): string[] {
  const filter = new PathFilter([...LEFT_OUT, ...splitGlobs(text(input, 'glob'))]);
  return walkFiles(root, { filter, honorsIgnoreFiles: true }).map((file) => join(root, file));
}

/** Several globs may stand in one text; those with braces have commas of their own. */
function splitGlobs(globs: string): string[] {
  return globs
    .split(/\s+/)
    .flatMap((glob) => (glob.includes('{') ? [glob] : glob.split(',')))
    .filter((glob) => glob !== '');
}

/** The first results, as many as are asked for, the limit as a field, and the same in words. */
function firstOf<T>(all: readonly T[], input: JsonObject): { entries: T[]; applied: JsonObject; words: string } {
  const asked = number(input, 'head_limit') ?? USUAL_LIMIT;
  const limit = asked === 0 ? Number.POSITIVE_INFINITY : asked;
  const entries = all.slice(0, limit);
  if (entries.length === all.length) return { entries, applied: {}, words: '' };
  return { entries, applied: { appliedLimit: limit }, words: `limit: ${limit}` };
}

const pages = (words: string): string => `[Showing results with pagination = ${words}]`;
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function showFiles(found: readonly Found[], input: JsonObject): ToolRun {
  // The newest file comes first.
  const all = [...found].sort((a, b) => b.changedAt - a.changedAt || (a.path < b.path ? -1 : 1));
  const { entries, applied, words } = firstOf(
    all.map(({ path }) => path),
    input,
  );
  const head = `Found ${counted(entries.length, 'file')}${words === '' ? '' : ` ${words}`}`;
  const content = all.length === 0 ? 'No files found' : [head, ...entries].join('\n');
  return {
    content,
    useResult: {
      mode: 'files_with_matches',
      filenames: entries,
      numFiles: entries.length,
      totalFiles: all.length,
      ...applied,
    },
  };
}

function showContent(found: readonly Found[], input: JsonObject): ToolRun {
  const all = printed(found, input);
  const { entries, applied, words } = firstOf(all, input);
  const content = entries.join('\n');
  const shown = content === '' && all.length === 0 ? 'No matches found' : content;
  return {
    content: words === '' ? shown : `${shown}\n\n${pages(words)}`,
    useResult: {
      mode: 'content',
      numFiles: 0,
      filenames: [],
      content,
      numLines: entries.length,
      totalLines: all.length,
      ...applied,
    },
  };
}

/** The lines as ripgrep prints them, with those around them. */
function printed(found: readonly Found[], input: JsonObject): string[] {
  const around = number(input, 'context') ?? number(input, '-C');
  const before = around ?? number(input, '-B') ?? 0;
  const after = around ?? number(input, '-A') ?? 0;
  const numbers = input['-n'] !== false;
  const groups = found.flatMap(({ path, lines, matched, isAlone }) => {
    const line = (at: number, mark: ':' | '-', content: string): string =>
      (isAlone ? '' : `${path}${mark}`) + (numbers ? `${at + 1}${mark}` : '') + shorten(content, mark);
    const show = (at: number): string => {
      return line(at, matched.has(at) ? ':' : '-', lines[at] ?? '');
    };
    return neighbors(matched, before, after, lines.length).map((group) => group.map(show));
  });
  if (before + after === 0) return groups.flat();
  return groups.flatMap((group, at) => (at === 0 ? group : ['--', ...group]));
}

/** The lines that are shown, in groups of neighbors. */
function neighbors(matched: Iterable<number>, before: number, after: number, count: number): number[][] {
  const groups: number[][] = [];
  for (const match of matched) {
    for (let at = Math.max(0, match - before); at <= Math.min(count - 1, match + after); at++) {
      const last = groups.at(-1);
      const end = last?.at(-1) ?? Number.NEGATIVE_INFINITY;
      if (at <= end) continue;
      if (last !== undefined && at === end + 1) last.push(at);
      else groups.push([at]);
    }
  }
  return groups;
}

function shorten(line: string, mark: ':' | '-'): string {
  return line.length > LONG_LINE ? `[Omitted long ${mark === ':' ? 'matching' : 'context'} line]` : line;
}

function showCounts(found: readonly Found[], input: JsonObject): ToolRun {
  const { entries, applied, words } = firstOf(found, input);
  const content = entries.map(({ path, count }) => `${path}:${count}`).join('\n');
  const numMatches = found.reduce((sum, { count }) => sum + count, 0);
  const summary = `Found ${counted(numMatches, 'total occurrence')} across ${counted(found.length, 'file')}.`;
  return {
    content: `${content || 'No matches found'}\n\n${summary}${words === '' ? '' : ` with pagination = ${words}`}`,
    useResult: { mode: 'count', numFiles: found.length, filenames: [], content, numMatches, ...applied },
  };
}
