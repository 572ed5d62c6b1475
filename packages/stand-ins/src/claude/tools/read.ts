import { readFileSync } from 'node:fs';
import { fullPath } from '@understudy/agents';
import type { JsonObject } from '@understudy/kit';
import { REFUSED } from '../refused.js';
import {
  type LiveTool,
  missingFile,
  number,
  refuse,
  type ToolContext,
  ToolFailure,
  type ToolRun,
  text,
} from './live-tool.js';
import { refuseOtherFile, textOf } from './text-file.js';

/** Beyond these the CLI shows a part, or nothing. */
const MOST_BYTES = 256 * 1024;
const MOST_CHARACTERS = 100_000;
export const read: LiveTool = {
  parameters: {
    file_path: { type: 'string', required: true },
    offset: { type: 'int' },
    limit: { type: 'int' },
    pages: { type: 'string' },
    allow_large: { type: 'boolean' },
  },

  async run(input, context) {
    const path = fullPath(context.cwd, text(input, 'file_path'));
    refuseOtherFile(path);
    if (text(input, 'pages') !== '') refuse(`${REFUSED.otherFiles}: ${path}`);
    return readText(path, bytesOf(path, context.cwd), input, context);
  },
};

function readText(path: string, bytes: Buffer, input: JsonObject, { seenFiles }: ToolContext): ToolRun {
  const content = textOf(path, bytes);
  const lines = content.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const [offset = 1, limit = 0] = [number(input, 'offset'), number(input, 'limit')];
  const startLine = offset < 0 ? 1 : offset;
  const first = Math.max(0, startLine - 1);
  const chosen = lines.slice(first, limit > 0 ? first + limit : undefined);
  if ((limit <= 0 && bytes.length > MOST_BYTES) || chosen.join('\n').length > MOST_CHARACTERS)
    refuse(REFUSED.largeFiles);
  // A model that was shown only a part does not know the whole file.
  seenFiles.see(path, { whole: chosen.length === lines.length, watched: false });
  const file = {
    filePath: text(input, 'file_path'),
    content: chosen.join('\n'),
    numLines: chosen.length,
    startLine,
    totalLines: lines.length,
  };
  return { content: numbered(chosen, startLine, lines.length), useResult: { type: 'text', file } };
}

function bytesOf(path: string, cwd: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new ToolFailure(missingFile(cwd));
    // Node does not name the folder that it cannot read.
    throw code === 'EISDIR' ? new ToolFailure(`EISDIR: illegal operation on a directory, read '${path}'`) : error;
  }
}

function numbered(lines: readonly string[], start: number, total: number): string {
  const warning = (words: string): string => `<system-reminder>Warning: the file exists but ${words}</system-reminder>`;
  if (lines.length === 0)
    return warning(`is shorter than the provided offset (${start}). The file has ${total} lines.`);
  if (total === 1 && lines[0] === '') return warning('the contents are empty.');
  return lines.map((line, index) => `${start + index}\t${line}`).join('\n');
}
