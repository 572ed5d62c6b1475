import { readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { globToRegExp } from '../../../claude-code/permissions/path-glob.js';
import type { JsonObject } from '../../../document/json.js';
import { type LiveTool, number, ToolFailure, type ToolRun, text } from './live-tool.js';
import { walkFiles } from './walk-files.js';

interface FileMatches {
  name: string;
  changedAt: number;
  lines: string[];
  matched: number[];
}

export const grep: LiveTool = {
  parameters: {
    pattern: { type: 'string', required: true },
    path: { type: 'string' },
    glob: { type: 'string' },
    type: { type: 'string' },
    output_mode: { type: 'string' },
    '-i': { type: 'boolean' },
    '-n': { type: 'boolean' },
    '-A': { type: 'number' },
    '-B': { type: 'number' },
    '-C': { type: 'number' },
    head_limit: { type: 'number' },
    multiline: { type: 'boolean' },
  },

  async run(input, { cwd }) {
    const matches = search(input, cwd);
    switch (text(input, 'output_mode')) {
      case 'content':
        return showContent(matches, input);
      case 'count':
        return showCounts(matches);
      default:
        return showFiles(matches, number(input, 'head_limit'));
    }
  },
};

function search(input: JsonObject, cwd: string): FileMatches[] {
  const pattern = compile(text(input, 'pattern'), input['-i'] === true);
  const root = resolve(cwd, text(input, 'path') || '.');
  const only = text(input, 'glob') || (text(input, 'type') === '' ? '' : `*.${text(input, 'type')}`);
  const filter = only === '' ? undefined : globToRegExp(only.includes('/') ? only : `**/${only}`);
  const files = statSync(root, { throwIfNoEntry: false })?.isFile()
    ? ['']
    : walkFiles(root).filter((file) => filter?.test(file) ?? true);
  return files.flatMap((file) => {
    const path = join(root, file);
    const content = readFileSync(path, 'utf8');
    // A file with a NUL is not text.
    if (content.includes('\0')) return [];
    const lines = (content.endsWith('\n') ? content.slice(0, -1) : content).split('\n');
    const matched = lines.flatMap((line, index) => (pattern.test(line) ? [index] : []));
    return matched.length === 0
      ? []
      : [{ name: relative(cwd, path), changedAt: statSync(path).mtimeMs, lines, matched }];
  });
}

function compile(pattern: string, ignoreCase: boolean): RegExp {
  try {
    return new RegExp(pattern, ignoreCase ? 'i' : '');
  } catch (error) {
    throw new ToolFailure(`regex parse error: ${(error as Error).message}`);
  }
}

function showFiles(matches: readonly FileMatches[], limit: number | undefined): ToolRun {
  // What was changed last comes first.
  const all = [...matches]
    .sort((a, b) => b.changedAt - a.changedAt || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
  const filenames = all.slice(0, limit ?? all.length);
  const noun = filenames.length === 1 ? 'file' : 'files';
  return {
    content: filenames.length === 0 ? 'No files found' : `Found ${filenames.length} ${noun}\n${filenames.join('\n')}`,
    useResult: { mode: 'files_with_matches', filenames, numFiles: filenames.length, totalFiles: all.length },
  };
}

function showContent(matches: readonly FileMatches[], input: JsonObject): ToolRun {
  const around = number(input, '-C');
  const before = around ?? number(input, '-B') ?? 0;
  const after = around ?? number(input, '-A') ?? 0;
  const numbers = input['-n'] !== false;
  const all = matches.flatMap(({ name, lines, matched }) => {
    const shown = new Set(
      matched.flatMap((at) => Array.from({ length: before + after + 1 }, (_, step) => at - before + step)),
    );
    return lines.flatMap((line, at) => {
      if (!shown.has(at)) return [];
      const mark = matched.includes(at) ? ':' : '-';
      return [`${name}${mark}${numbers ? `${at + 1}${mark}` : ''}${line}`];
    });
  });
  const lines = all.slice(0, number(input, 'head_limit') ?? all.length);
  const content = lines.join('\n');
  return {
    content: content === '' ? 'No matches found' : content,
    useResult: { mode: 'content', numFiles: 0, filenames: [], content, numLines: lines.length, totalLines: all.length },
  };
}

function showCounts(matches: readonly FileMatches[]): ToolRun {
  const content = matches.map(({ name, matched }) => `${name}:${matched.length}`).join('\n');
  const numMatches = matches.reduce((sum, { matched }) => sum + matched.length, 0);
  const summary = `Found ${numMatches} total occurrences across ${matches.length} files.`;
  return {
    content: content === '' ? `No matches found\n\n${summary}` : `${content}\n\n${summary}`,
    useResult: { mode: 'count', numFiles: matches.length, filenames: [], content, numMatches },
  };
}
