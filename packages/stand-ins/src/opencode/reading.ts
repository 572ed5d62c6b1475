import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { NotSupported } from '../shared/refusal.js';
import type { LiveResult, ToolInput } from '../shared/tools/plain-tools.js';
import { REFUSED } from './refused.js';

const MOST_LINES = 2000;
const LONGEST_LINE = 2000;
const MOST_BYTES = 51_200;
const PREVIEW = 20;
/** What is not read as text whatever is in it. */
const NO_TEXT =
  /\.(?:png|jpe?g|gif|webp|pdf|zip|tar|gz|exe|dll|so|class|jar|war|7z|docx?|xlsx?|pptx?|od[tsp]|bin|dat|obj|[oa]|lib|wasm|py[co])$/i;

/** What the read tool says of a file or a folder. What it throws is its error. */
export function readPath(path: string, { offset, limit }: ToolInput): LiveResult {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new Error(notFound(path));
  const first = typeof offset === 'number' && offset > 0 ? offset : 1;
  const most = typeof limit === 'number' ? limit : MOST_LINES;
  return stat.isDirectory() ? readFolder(path, first, most) : readFile(path, first, most);
}

function readFile(path: string, first: number, most: number): LiveResult {
  const content = readFileSync(path);
  if (NO_TEXT.test(path) || hasStrangeBytes(content)) throw new NotSupported(`${REFUSED.noText} ${path}`);
  const all = linesOf(content.toString('utf8'));
  if (all.length < first && !(all.length === 0 && first === 1))
    throw new Error(`Offset ${first} is out of range for this file (${all.length} lines)`);
  const { lines, isCut } = withinBytes(all.slice(first - 1, first - 1 + most).map(shortened));
  const last = first + lines.length - 1;
  const truncated = isCut || last < all.length;
  const onward = `Use offset=${last + 1} to continue.`;
  const note = isCut
    ? `(Output capped at 50 KB. Showing lines ${first}-${last}. ${onward})`
    : truncated
      ? `(Showing lines ${first}-${last} of ${all.length}. ${onward})`
      : `(End of file - total ${all.length} lines)`;
  const numbered = lines.map((line, index) => `${first + index}: ${line}`).join('\n');
  const text = lines.join('\n');
  return {
    text: `<path>${path}</path>\n<type>file</type>\n<content>\n${numbered}\n\n${note}\n</content>`,
    isError: false,
    metadata: {
      ...{ preview: lines.slice(0, PREVIEW).join('\n'), truncated, loaded: [] },
      display: {
        ...{ type: 'file', path, text, lineStart: first, lineEnd: last, truncated },
        totalLines: isCut ? last + 1 : all.length,
      },
    },
  };
}

function readFolder(path: string, first: number, most: number): LiveResult {
  const all = readdirSync(path, { withFileTypes: true })
    .map((entry) => (isFolder(join(path, entry.name)) ? `${entry.name}/` : entry.name))
    .sort((a, b) => a.localeCompare(b));
  const entries = all.slice(first - 1, first - 1 + most);
  const truncated = first - 1 + entries.length < all.length;
  const note = truncated
    ? `(Showing ${entries.length} of ${all.length} entries. Use 'offset' parameter to read beyond entry ${first + entries.length})`
    : `(${all.length} entries)`;
  return {
    text: `<path>${path}</path>\n<type>directory</type>\n<entries>\n${entries.join('\n')}\n\n${note}\n</entries>`,
    isError: false,
    metadata: {
      ...{ preview: entries.slice(0, PREVIEW).join('\n'), truncated, loaded: [] },
      display: { type: 'directory', path, entries, offset: first, totalEntries: all.length, truncated },
    },
  };
}

/** A name that is part of one that is there, or the other way round, may be meant. */
function notFound(path: string): string {
  const name = basename(path).toLowerCase();
  const similar = namesIn(dirname(path)).filter((one) => {
    const other = one.toLowerCase();
    return other.includes(name) || name.includes(other);
  });
  const meant = similar.slice(0, 3).map((one) => join(dirname(path), one));
  const hint = meant.length === 0 ? '' : `\n\nDid you mean one of these?\n${meant.join('\n')}`;
  return `File not found: ${path}${hint}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function shortened(line: string): string {
  return line.length > LONGEST_LINE
    ? `${line.slice(0, LONGEST_LINE)}... (line truncated to ${LONGEST_LINE} chars)`
    : line;
}

function withinBytes(lines: readonly string[]): { lines: string[]; isCut: boolean } {
  let bytes = 0;
  const end = lines.findIndex((line, index) => {
    bytes += Buffer.byteLength(line) + (index > 0 ? 1 : 0);
    return bytes > MOST_BYTES;
  });
  return end < 0 ? { lines: [...lines], isCut: false } : { lines: lines.slice(0, end), isCut: true };
}

/** Control characters but for those of usual texts. */
function hasStrangeBytes(content: Buffer): boolean {
  return content.subarray(0, 4096).some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27));
}
