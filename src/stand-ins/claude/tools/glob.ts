import { statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { globToRegExp } from '../../../claude-code/permissions/path-glob.js';
import { type LiveTool, text } from './live-tool.js';
import { walkFiles } from './walk-files.js';

const MOST_FILES = 100;

export const glob: LiveTool = {
  parameters: { pattern: { type: 'string', required: true }, path: { type: 'string' } },

  async run(input, { cwd }) {
    const started = Date.now();
    const root = resolve(cwd, text(input, 'path') || '.');
    const pattern = globToRegExp(text(input, 'pattern').replace(`${root}/`, ''));
    const found = walkFiles(root)
      .filter((file) => pattern.test(file))
      .map((file) => join(root, file))
      .map((path) => ({ name: relative(cwd, path), time: statSync(path).mtimeMs }))
      .sort((a, b) => b.time - a.time || (a.name < b.name ? -1 : 1))
      .map(({ name }) => name);
    const filenames = found.slice(0, MOST_FILES);
    const truncated = found.length > filenames.length;
    const more = truncated ? '\n(Results are truncated. Consider using a more specific path or pattern.)' : '';
    return {
      content: filenames.length === 0 ? 'No files found' : filenames.join('\n') + more,
      useResult: {
        filenames,
        durationMs: Date.now() - started,
        numFiles: filenames.length,
        truncated,
        totalMatches: found.length,
        countIsComplete: true,
      },
    };
  },
};
