import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
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
    const path = resolve(cwd, filePath);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) throw new ToolFailure(missingFile(cwd));
    if (stat.isDirectory()) throw new ToolFailure(`EISDIR: illegal operation on a directory, read '${path}'`);
    const lines = readFileSync(path, 'utf8').split(/\r?\n/);
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

function numbered(lines: readonly string[], start: number): string {
  if (lines.length === 1 && lines[0] === '')
    return '<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>';
  return lines.map((line, index) => `${start + index}\t${line}`).join('\n');
}
