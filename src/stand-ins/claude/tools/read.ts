import { readFileSync } from 'node:fs';
import { fullPath } from '../../../claude-code/permissions/full-path.js';
import { type LiveTool, missingFile, number, ToolFailure, text } from './live-tool.js';

const MAX_LINES = 2000;

export const read: LiveTool = {
  parameters: {
    file_path: { type: 'string', required: true },
    offset: { type: 'number' },
    limit: { type: 'number' },
    pages: { type: 'string' },
  },

  async run(input, { cwd, seenFiles }) {
    const filePath = text(input, 'file_path');
    const path = fullPath(cwd, filePath);
    const content = contentOf(path, cwd);
    const lines = content.split(/\r?\n/);
    const startLine = Math.max(1, number(input, 'offset') ?? 1);
    const chosen = lines.slice(startLine - 1, startLine - 1 + (number(input, 'limit') ?? MAX_LINES));
    // A model that was shown only a part does not know the whole file.
    seenFiles.see(path, { whole: chosen.length === lines.length, watched: false });
    const file = {
      filePath,
      content: chosen.join('\n'),
      numLines: chosen.length,
      startLine,
      totalLines: lines.length,
    };
    return { content: numbered(chosen, startLine), useResult: { type: 'text', file } };
  },
};

function contentOf(path: string, cwd: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new ToolFailure(missingFile(cwd));
    // Node does not name the folder that it cannot read.
    throw code === 'EISDIR' ? new ToolFailure(`EISDIR: illegal operation on a directory, read '${path}'`) : error;
  }
}

function numbered(lines: readonly string[], start: number): string {
  if (lines.length === 1 && lines[0] === '')
    return '<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>';
  return lines.map((line, index) => `${start + index}\t${line}`).join('\n');
}
