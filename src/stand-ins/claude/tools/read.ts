import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fullPath } from '../../../claude-code/permissions/full-path.js';
import type { JsonObject } from '../../../document/json.js';
import { type LiveTool, missingFile, number, type ToolContext, ToolFailure, type ToolRun, text } from './live-tool.js';
import { refuseBinary } from './reading/binary-names.js';
import { decodeText } from './reading/decode.js';

const MOST_BYTES = 256 * 1024;
const MOST_TOKENS = 25_000;
const CHARACTERS_PER_TOKEN = 4;
const TOO_MUCH =
  'Use offset and limit parameters to read specific portions of the file, or search for specific content instead of reading ' +
  'the whole file. To read it anyway, up to what still fits in your context, call Read again with allow_large: true — only ' +
  'if you genuinely need all of it or the user asked for the whole file.';
const IMAGES: ReadonlySet<string> = new Set(['.png', '.jpg', '.jpeg', '.gif', '.webp']);

export const read: LiveTool = {
  parameters: {
    file_path: { type: 'string', required: true },
    offset: { type: 'int' },
    limit: { type: 'int' },
    pages: { type: 'string' },
    allow_large: { type: 'boolean' },
  },

  check(input) {
    const pages = text(input, 'pages');
    if (pages !== '' && !/^\d+(-\d+)?$/.test(pages))
      return (
        `Invalid pages parameter: "${pages}". Give one page ("3") or one range ("1-5"), not a list. To read several ` +
        'pages or ranges, read each one separately. Pages are 1-indexed.'
      );
    return refuseBinary(extname(text(input, 'file_path')));
  },

  async run(input, context) {
    const filePath = text(input, 'file_path');
    const path = fullPath(context.cwd, filePath);
    const bytes = bytesOf(path, context.cwd);
    const ending = extname(path).toLowerCase();
    const other = await readOther({ path, filePath, ending }, bytes, input);
    if (other === undefined) return readText(path, bytes, input, context);
    context.seenFiles.see(path, { whole: true, watched: false });
    return other;
  },
};

/** What is shown in another form than its lines. */
async function readOther(
  { path, filePath, ending }: { path: string; filePath: string; ending: string },
  bytes: Buffer,
  input: JsonObject,
): Promise<ToolRun | undefined> {
  if (IMAGES.has(ending)) return (await import('./reading/image.js')).readImage(path, bytes);
  if (ending === '.ipynb')
    return (await import('./reading/notebook.js')).readNotebook(filePath, bytes.toString('utf8'));
  return ending === '.pdf' ? readPaper(path, bytes, input) : undefined;
}

function readPaper(path: string, bytes: Buffer, input: JsonObject): ToolRun {
  if (!bytes.toString('latin1', 0, 1024).includes('%PDF-'))
    throw new ToolFailure(`File is not a valid PDF (missing %PDF- header): ${path}`);
  if (text(input, 'pages') !== '')
    throw new ToolFailure('The stand-in does not read single pages. Give the call a result in the scenario.');
  const data = bytes.toString('base64');
  return {
    content: [
      { type: 'text', text: `PDF file read: ${path} (${bytes.length} bytes)` },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } },
    ],
    useResult: { type: 'pdf', file: { filePath: path, base64: data, originalSize: bytes.length } },
  };
}

function readText(path: string, bytes: Buffer, input: JsonObject, { seenFiles }: ToolContext): ToolRun {
  const { text: content, note } = decodeText(bytes);
  const lines = content.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const [offset = 1, limit = 0] = [number(input, 'offset'), number(input, 'limit')];
  const startLine = offset < 0 ? 1 : offset;
  const first = Math.max(0, startLine - 1);
  const chosen = lines.slice(first, limit > 0 ? first + limit : undefined);
  if (input['allow_large'] !== true) refuseMuch(bytes, chosen, limit > 0);
  // A model that was shown only a part does not know the whole file.
  seenFiles.see(path, { whole: chosen.length === lines.length, watched: false });
  const file = {
    filePath: text(input, 'file_path'),
    content: chosen.join('\n'),
    numLines: chosen.length,
    startLine,
    totalLines: lines.length,
  };
  const shown = numbered(chosen, startLine, lines.length);
  return { content: note === undefined ? shown : `${shown}\n\n${note}`, useResult: { type: 'text', file } };
}

/** A file may be too large, and what is shown of it, too. */
function refuseMuch(bytes: Buffer, chosen: readonly string[], isPart: boolean): void {
  if (!isPart && bytes.length > MOST_BYTES) {
    const size = `${Number((bytes.length / 1024).toFixed(1))}KB`;
    throw new ToolFailure(`File content (${size}) exceeds maximum allowed size (256KB). ${TOO_MUCH}`);
  }
  const tokens = Math.round(chosen.join('\n').length / CHARACTERS_PER_TOKEN);
  if (tokens > MOST_TOKENS)
    throw new ToolFailure(
      `File content (${tokens} tokens) exceeds maximum allowed tokens (${MOST_TOKENS}). ${TOO_MUCH}`,
    );
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
