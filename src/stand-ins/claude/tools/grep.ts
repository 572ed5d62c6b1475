import { relative } from 'node:path';
import { fullPath } from '../../../claude-code/permissions/full-path.js';
import type { JsonObject } from '../../../document/json.js';
import { compileRegex, type LinearRegex } from '../../../scenario/linear-regex.js';
import { type FileMatches, searchFiles } from '../../shared/tools/search.js';
import { type LiveTool, number, ToolFailure, type ToolRun, text } from './live-tool.js';

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

/** The matches, with paths from the working directory. */
function search(input: JsonObject, cwd: string): FileMatches[] {
  const pattern = compile(text(input, 'pattern'), input['-i'] === true);
  const type = text(input, 'type');
  const glob = text(input, 'glob') || (type === '' ? '' : `*.${type}`);
  const matches = searchFiles(fullPath(cwd, text(input, 'path') || '.'), pattern, glob);
  return matches.map((match) => ({ ...match, path: relative(cwd, match.path) }));
}

function compile(pattern: string, ignoreCase: boolean): LinearRegex {
  const regex = compileRegex(pattern, { ignoreCase });
  if ('refused' in regex) throw new ToolFailure(`regex parse error: ${regex.refused}`);
  return regex;
}

function showFiles(matches: readonly FileMatches[], limit: number | undefined): ToolRun {
  // The newest file comes first.
  const all = [...matches]
    .sort((a, b) => b.changedAt - a.changedAt || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
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
  const all = matches.flatMap(({ path, lines, matched }) => {
    const shown = new Set(
      matched.flatMap((at) => Array.from({ length: before + after + 1 }, (_, step) => at - before + step)),
    );
    return lines.flatMap((line, at) => {
      if (!shown.has(at)) return [];
      const mark = matched.includes(at) ? ':' : '-';
      return [`${path}${mark}${numbers ? `${at + 1}${mark}` : ''}${line}`];
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
  const content = matches.map(({ path, matched }) => `${path}:${matched.length}`).join('\n');
  const numMatches = matches.reduce((sum, { matched }) => sum + matched.length, 0);
  const summary = `Found ${numMatches} total occurrences across ${matches.length} files.`;
  return {
    content: content === '' ? `No matches found\n\n${summary}` : `${content}\n\n${summary}`,
    useResult: { mode: 'count', numFiles: matches.length, filenames: [], content, numMatches },
  };
}
