import { statSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { fullPath } from '@understudy/agents';
import { milliseconds } from '../../shared/stopwatch.js';
import { changeTime } from '../../shared/tools/search.js';
import { type LiveTool, ToolFailure, text } from './live-tool.js';
import { PathFilter } from './search/path-filter.js';
import { walkFiles } from './search/walk.js';

const MAX_FILES = 100;

export const glob: LiveTool = {
  parameters: { pattern: { type: 'string', required: true }, path: { type: 'string' } },

  async run(input, { cwd }) {
    const started = milliseconds();
    const { root, pattern } = placeOf(cwd, text(input, 'path'), text(input, 'pattern'));
    const filter = new PathFilter(pattern === '' ? [] : [pattern]);
    const found = walkFiles(root, { filter, honorsIgnoreFiles: false })
      .map((file) => join(root, file))
      .map((path) => ({ path: relative(cwd, path), changedAt: changeTime(path) }))
      .sort((a, b) => a.changedAt - b.changedAt || (a.path < b.path ? -1 : 1))
      .map(({ path }) => path);
    const filenames = found.slice(0, MAX_FILES);
    const truncated = found.length > filenames.length;
    const more = truncated ? '\n(Results are truncated. Consider using a more specific path or pattern.)' : '';
    return {
      content: filenames.length === 0 ? 'No files found' : filenames.join('\n') + more,
      useResult: {
        filenames,
        durationMs: milliseconds() - started,
        numFiles: filenames.length,
        truncated,
        totalMatches: found.length,
        countIsComplete: true,
      },
    };
  },
};

/** Where to look. A whole path is searched from its last folder that is no pattern. */
function placeOf(cwd: string, asked: string, pattern: string): { root: string; pattern: string } {
  if (isAbsolute(pattern)) {
    const fixed = /^[^*?{[]*\//.exec(pattern)?.[0] ?? '/';
    return { root: fixed.replace(/(?<=.)\/$/, ''), pattern: pattern.slice(fixed.length) };
  }
  const root = fullPath(cwd, asked || '.');
  const about = statSync(root, { throwIfNoEntry: false });
  if (about === undefined)
    throw new ToolFailure(`Directory does not exist: ${asked}. Note: your current working directory is ${cwd}.`);
  if (!about.isDirectory()) throw new ToolFailure(`Path is not a directory: ${asked}`);
  return { root, pattern };
}
