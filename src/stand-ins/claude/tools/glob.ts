import { relative } from 'node:path';
import { fullPath } from '../../../claude-code/permissions/full-path.js';
import { milliseconds } from '../../shared/stopwatch.js';
import { findFiles } from '../../shared/tools/search.js';
import { type LiveTool, text } from './live-tool.js';

const MAX_FILES = 100;

export const glob: LiveTool = {
  parameters: { pattern: { type: 'string', required: true }, path: { type: 'string' } },

  async run(input, { cwd }) {
    const started = milliseconds();
    const root = fullPath(cwd, text(input, 'path') || '.');
    const found = findFiles(root, text(input, 'pattern'), 'oldest first').map((path) => relative(cwd, path));
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
